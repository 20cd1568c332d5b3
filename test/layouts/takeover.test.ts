import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLayouts, formatProblem, type Layouts, type Version } from '../../server/layouts/index.ts';
import { quietAfter } from '../../server/layouts/load/watch.ts';
import { createCompiler } from '../../server/layouts/pipeline.ts';
import { type SchemaSet, schemaFiles, writeSchemas } from '../fixtures/schemas.ts';
import { inTime } from '../fixtures/wait.ts';

const screen = (id: string, text = 't.a') => ({ id, children: [{ type: 'text', text }] });
const set: SchemaSet = { screens: [screen('one'), screen('two')] };
const fileOf = (id: string, text: string): string =>
  schemaFiles({ screens: [screen(id, text)] })[`screens/${id}.json`] as string;

async function folder(t: TestContext, files: SchemaSet = set): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'layouts-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await writeSchemas(dir, files);
  return dir;
}

async function start(t: TestContext, options: Partial<Parameters<typeof createLayouts>[0]> & { dir: string }) {
  const layouts = await createLayouts({ commands: [], ...options });
  t.after(() => layouts.close());
  return layouts;
}

const next = (layouts: Layouts): Promise<Version> =>
  inTime('A new version', new Promise(resolve => layouts.onChange(resolve)));
const nextHeldBack = (layouts: Layouts): Promise<readonly string[]> =>
  inTime('A report of problems', new Promise(resolve => layouts.onProblems((_, heldBack) => resolve(heldBack))));

test('what is written while documents are checked belongs to the same takeover', async t => {
  const dir = await folder(t);
  const compiler = createCompiler();
  let isFirst = true;
  let isStarted = false;
  const layouts = await start(t, {
    dir,
    compiler: {
      ...compiler,
      async check(loaded, commands) {
        if (isStarted && isFirst) {
          isFirst = false;
          writeFileSync(join(dir, 'screens/two.json'), fileOf('two', 't.b'));
        }
        return compiler.check(loaded, commands);
      },
    },
  });
  isStarted = true;
  const versions: Version[] = [];
  layouts.onChange(version => versions.push(version));
  const changed = next(layouts);
  await writeFile(join(dir, 'screens/one.json'), fileOf('one', 't.b'));
  await changed;
  const whole = await start(t, { dir, watch: false });
  assert.deepEqual(
    versions.map(({ hash }) => hash),
    [whole.current().hash],
  );
});

test('the more files have changed, the longer the folder must be quiet', () => {
  assert.deepEqual([0, 1, 2, 10, 100].map(quietAfter), [60, 60, 80, 240, 500]);
});

test('what changed of the documents and is right is taken over, whatever is wrong with the others', async t => {
  const dir = await folder(t, { ...set, texts: { more: { a: 'A' } } });
  const layouts = await start(t, { dir });
  const heldBack = nextHeldBack(layouts);
  const changed = next(layouts);
  await writeFile(join(dir, 'screens/one.json'), fileOf('one', 't.nothing'));
  await writeFile(join(dir, 'screens/two.json'), fileOf('two', 't.b'));
  assert.deepEqual(await heldBack, ['screens/one.json']);
  await changed;
  assert.deepEqual(layouts.heldBack(), ['screens/one.json']);
  assert.deepEqual(layouts.problems().map(formatProblem), [
    'screens/one.json:18:7: error: Text "t.nothing" not found.',
  ]);
  const mended = nextHeldBack(layouts);
  await writeFile(join(dir, 'screens/one.json'), fileOf('one', 't.b'));
  assert.deepEqual(await mended, []);
  assert.deepEqual(layouts.problems(), []);
});

test('a text that is renamed and still used holds back its file alone', async t => {
  const dir = await folder(t, { screens: [screen('one', 'more.a'), screen('two')], texts: { more: { a: 'A' } } });
  const layouts = await start(t, { dir });
  const changed = next(layouts);
  await writeFile(join(dir, 'text/en/more.json'), JSON.stringify({ $schema: 'meta/texts.schema.json', b: 'B' }));
  await writeFile(join(dir, 'screens/two.json'), fileOf('two', 't.b'));
  await changed;
  assert.deepEqual(layouts.heldBack(), ['text/en/more.json']);
});

test('a folder that the path leads to by a link is followed when the link leads elsewhere', async t => {
  const around = await mkdtemp(join(tmpdir(), 'layouts-'));
  t.after(() => rm(around, { recursive: true, force: true }));
  await writeSchemas(join(around, 'v1'), set);
  await writeSchemas(join(around, 'v2'), { screens: [screen('one'), screen('three')] });
  await symlink('v1', join(around, 'current'));
  const layouts = await start(t, { dir: join(around, 'current') });
  const changed = next(layouts);
  await symlink('v2', join(around, 'next'));
  await rename(join(around, 'next'), join(around, 'current'));
  assert.deepEqual((await changed).patterns, ['/one', '/three']);
  const edited = next(layouts);
  const file = join(around, 'v2/screens/three.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"/three"', '"/four"'));
  assert.deepEqual((await edited).patterns, ['/four', '/one']);
});
