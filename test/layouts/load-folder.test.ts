import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLoader } from '../../server/layouts/load/load.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';

const form = (id: string) => JSON.stringify({ $schema: '../meta/form.schema.json', id, fields: [] });

async function folder(t: TestContext, files: Record<string, string | Buffer>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'schemas-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(dir, file, '..'), { recursive: true });
    await writeFile(join(dir, file), text);
  }
  return dir;
}

test('every .json below the folder is read, in the order of its path', async t => {
  const dir = await folder(t, { 'b/two.json': form('two'), 'a.json': form('one'), 'b/c/d/three.json': form('three') });
  const { sources, problems } = createLoader(dir)();
  assert.deepEqual(
    sources.map(source => [source.file, source.json['id']]),
    [
      ['a.json', 'one'],
      ['b/c/d/three.json', 'three'],
      ['b/two.json', 'two'],
    ],
  );
  assert.deepEqual(problems, []);
});

test('the meta folder, hidden entries and other kinds of files are no documents', async t => {
  const dir = await folder(t, {
    'meta/screen.schema.json': '{ "type": "object" }',
    '.a.json.swp.json': '{',
    '.git/config.json': '{',
    'b/.hidden/x.json': '{',
    'README.md': '# Schemas',
    'a.json~': '{',
    'a.json': form('one'),
    'b/meta/two.json': form('two'),
  });
  const { sources, problems } = createLoader(dir)();
  assert.deepEqual(
    sources.map(source => source.file),
    ['a.json', 'b/meta/two.json'],
  );
  assert.deepEqual(problems, []);
});

test('a file that cannot be used is reported, and the others are read all the same', async t => {
  const dir = await folder(t, { 'a.json': form('one'), 'b.json': '{\n  "id": }', 'c.json': '[]' });
  const { sources, problems } = createLoader(dir)();
  assert.deepEqual(
    sources.map(source => source.file),
    ['a.json'],
  );
  assert.deepEqual(problems.map(formatProblem), [
    'b.json:2:9: error: Not valid JSON: a value is missing here, or a comma is too many.',
    'c.json:1:1: error: Not a JSON object.',
  ]);
});

test('a file above 512 KiB is refused unread', async t => {
  const padded = (bytes: number) => form('one').padEnd(bytes, ' ');
  const dir = await folder(t, { 'a.json': padded(512 * 1024), 'b.json': padded(512 * 1024 + 1) });
  const { sources, problems } = createLoader(dir)();
  assert.deepEqual(
    sources.map(source => source.file),
    ['a.json'],
  );
  assert.deepEqual(problems.map(formatProblem), ['b.json:1:1: error: Larger than 512 KiB.']);
});

test('bytes that are no UTF-8 are refused, not replaced', async t => {
  const dir = await folder(t, { 'a.json': Buffer.from(form('one').replace('one', 'caf\u00e9'), 'latin1') });
  const { sources, problems } = createLoader(dir)();
  assert.deepEqual(sources, []);
  assert.deepEqual(problems.map(formatProblem), ['a.json:1:1: error: Not valid UTF-8.']);
});

test('a file that did not change is taken over as it was, one that did is read again', async t => {
  const dir = await folder(t, { 'a.json': form('one'), 'b.json': form('two'), 'c.json': '{' });
  const load = createLoader(dir);
  const first = load();
  await writeFile(join(dir, 'b.json'), form('two-b'));
  const second = load();
  assert.equal(second.sources[0], first.sources[0]);
  assert.notEqual(second.sources[1], first.sources[1]);
  assert.equal(second.sources[1]?.json['id'], 'two-b');
  assert.equal(second.problems[0], first.problems[0]);
});

test('an edit of the same length is seen by its time', async t => {
  const dir = await folder(t, { 'a.json': form('one') });
  const load = createLoader(dir);
  load();
  await writeFile(join(dir, 'a.json'), form('two'));
  await utimes(join(dir, 'a.json'), new Date(), new Date(Date.now() + 5000));
  assert.equal(load().sources[0]?.json['id'], 'two');
});

test('a file that is gone is forgotten, and read anew when it comes back', async t => {
  const dir = await folder(t, { 'a.json': form('one'), 'b.json': form('two') });
  const load = createLoader(dir);
  load();
  await rm(join(dir, 'a.json'));
  assert.deepEqual(
    load().sources.map(source => source.file),
    ['b.json'],
  );
  await writeFile(join(dir, 'a.json'), form('again'));
  assert.equal(load().sources[0]?.json['id'], 'again');
});

test('a folder that is not there is an error of the caller', async t => {
  const dir = await folder(t, {});
  assert.throws(createLoader(join(dir, 'none')), { code: 'ENOENT' });
});

test('linked files and folders are read, and a link that leads nowhere or back is told', async t => {
  const dir = await folder(t, { 'real/one.json': form('one'), 'a/two.json': form('two'), 'notes.jsonc': '{}' });
  await symlink(join(dir, 'real'), join(dir, 'a/linked'));
  await symlink(join(dir, 'a/two.json'), join(dir, 'b.json'));
  await symlink(join(dir, 'none.json'), join(dir, 'c.json'));
  await symlink(dir, join(dir, 'real/back'));
  const { sources, problems } = createLoader(dir)();
  assert.deepEqual(
    sources.map(source => source.file),
    ['a/linked/one.json', 'a/two.json', 'b.json', 'real/one.json'],
  );
  assert.deepEqual(problems.map(formatProblem).sort(), [
    'a/linked/back:1:1: error: This link leads back to a folder that it stands in.',
    'c.json:1:1: error: This link leads nowhere.',
    'notes.jsonc:1:1: warning: This is not read: the name of a document ends in ".json", and it has no comments.',
    'real/back:1:1: error: This link leads back to a folder that it stands in.',
  ]);
});
