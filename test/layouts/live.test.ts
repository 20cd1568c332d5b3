import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  check,
  checkFolder,
  createLayouts,
  formatProblem,
  type Layouts,
  type Problem,
  type Version,
} from '../../server/layouts/index.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { type SchemaSet, schemaFiles, schemaSet, someone, writeSchemas } from '../fixtures/schemas.ts';
import { inTime } from '../fixtures/wait.ts';

const set = (level: number): SchemaSet => ({
  screens: [
    {
      id: 'home',
      children: [
        { type: 'text', text: 't.a' },
        { type: 'heading', text: 't.b', level },
      ],
    },
  ],
});
const home = (level: number): string => schemaFiles(set(level))['screens/home.json'] as string;

async function folder(t: TestContext, files: SchemaSet = set(2)): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'layouts-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await writeSchemas(dir, files);
  return dir;
}

async function start(t: TestContext, dir: string): Promise<Layouts> {
  const layouts = await createLayouts({ dir, commands: [] });
  t.after(() => layouts.close());
  return layouts;
}

const nextVersion = (layouts: Layouts): Promise<Version> =>
  inTime('A new version', new Promise(resolve => layouts.onChange(resolve)));
const nextProblems = (layouts: Layouts): Promise<readonly Problem[]> =>
  inTime('A report of problems', new Promise(resolve => layouts.onProblems(resolve)));
const levelOf = (version: Version): unknown =>
  JSON.parse(String(version.access(someone()).screens.get('/home')?.bytes)).children[1].level;

test('a save becomes current, with another hash', async t => {
  const dir = await folder(t);
  const layouts = await start(t, dir);
  const before = layouts.current();
  assert.equal(levelOf(before), 2);
  const changed = nextVersion(layouts);
  await writeFile(join(dir, 'screens/home.json'), home(3));
  const version = await changed;
  assert.equal(levelOf(version), 3);
  assert.equal(layouts.current(), version);
  assert.notEqual(version.hash, before.hash);
});

test('what a request holds stays as it was', async t => {
  const dir = await folder(t);
  const layouts = await start(t, dir);
  const held = layouts.current();
  const changed = nextVersion(layouts);
  await writeFile(join(dir, 'screens/home.json'), home(3));
  await changed;
  assert.equal(levelOf(held), 2);
});

test('a broken edit keeps the last good version and says where and why', async t => {
  const dir = await folder(t);
  const layouts = await start(t, dir);
  const before = layouts.current();
  const failed = nextProblems(layouts);
  await writeFile(join(dir, 'screens/home.json'), home(2).replace('"heading"', '"headin"'));
  assert.deepEqual((await failed).map(formatProblem), [
    'screens/home.json:21:7: error: Node type "headin" not found. Did you mean "heading"?',
  ]);
  assert.equal(layouts.current(), before);
  assert.deepEqual(layouts.problems().map(formatProblem), (await failed).map(formatProblem));
  const changed = nextVersion(layouts);
  await writeFile(join(dir, 'screens/home.json'), home(3));
  assert.equal(levelOf(await changed), 3);
  assert.deepEqual(layouts.problems(), []);
});

const greeting = (text: string): string => `{ "$schema": "meta/texts.schema.json", "hello": "${text}" }`;
const greeted: SchemaSet = {
  screens: [
    { id: 'home', children: [{ type: 'text', text: 'greet.hello' }] },
    { id: 'other', children: [{ type: 'text', text: 'greet.hello' }] },
  ],
  texts: { greet: { hello: 'Hello' } },
};

test('a document that cannot be read is the only one reported, whatever refers to it', async t => {
  const dir = await folder(t, greeted);
  const layouts = await start(t, dir);
  const before = layouts.current();
  const said = 'text/en/greet.json:1:2: error: Not valid JSON: a closing brace is missing.';
  const failed = nextProblems(layouts);
  await writeFile(join(dir, 'text/en/greet.json'), '{');
  assert.deepEqual((await failed).map(formatProblem), [said]);
  assert.equal(layouts.current(), before);
  assert.deepEqual((await checkFolder(dir, [])).map(formatProblem), [said]);
});

test('while one document is wrong its last good state serves, and others are edited on', async t => {
  const dir = await folder(t, greeted);
  const layouts = await start(t, dir);
  for (const [wrong, route] of [
    ['{', '/hut'],
    [greeting('{{no name}}'), '/house'],
  ] as const) {
    const failed = nextProblems(layouts);
    await writeFile(join(dir, 'text/en/greet.json'), wrong);
    await failed;
    const changed = nextVersion(layouts);
    const file = join(dir, 'screens/home.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"route": "[^"]+"/, `"route": "${route}"`));
    assert.deepEqual((await changed).patterns, [route, '/other']);
    assert.deepEqual([...new Set(layouts.problems().map(problem => problem.file))], ['text/en/greet.json']);
    assert.match(String(layouts.current().access(someone()).screens.get('/other')?.bytes), /"Hello"/);
  }
  const mended = nextVersion(layouts);
  await writeFile(join(dir, 'text/en/greet.json'), greeting('Good day'));
  assert.match(String((await mended).access(someone()).screens.get('/other')?.bytes), /"Good day"/);
  assert.deepEqual(layouts.problems(), []);
});

test('a new document that is wrong is left out; one that another needs holds back both', async t => {
  const dir = await folder(t, greeted);
  const layouts = await start(t, dir);
  const failed = nextProblems(layouts);
  await writeFile(join(dir, 'text/en/new.json'), '{');
  await failed;
  const failedAgain = nextProblems(layouts);
  const file = join(dir, 'screens/home.json');
  const home = await readFile(file, 'utf8');
  await writeFile(file, home.replace('greet.hello', 'new.hello').replace('"/home"', '"/house"'));
  assert.deepEqual(
    (await failedAgain).map(problem => problem.file),
    ['text/en/new.json'],
  );
  assert.deepEqual(layouts.current().patterns, ['/home', '/other']);
  const changed = nextVersion(layouts);
  await writeFile(join(dir, 'text/en/new.json'), greeting('New'));
  assert.deepEqual((await changed).patterns, ['/house', '/other']);
});

test('half a file harms nobody, and the rest makes it whole', async t => {
  const dir = await folder(t);
  const layouts = await start(t, dir);
  const before = layouts.current();
  const text = home(3);
  const failed = nextProblems(layouts);
  await writeFile(join(dir, 'screens/home.json'), text.slice(0, 120));
  const [problem] = await failed;
  assert.match(formatProblem(problem as Problem), /^screens\/home\.json:\d+:\d+: error: Not valid JSON: [a-z ,]+\.$/);
  assert.equal(layouts.current(), before);
  const changed = nextVersion(layouts);
  await appendFile(join(dir, 'screens/home.json'), text.slice(120));
  assert.equal(levelOf(await changed), 3);
});

test('an edit that was taken back leaves the version as it is, without its problems', async t => {
  const dir = await folder(t);
  const layouts = await start(t, dir);
  const before = layouts.current();
  const failed = nextProblems(layouts);
  await writeFile(join(dir, 'screens/home.json'), '{');
  await failed;
  const changed = nextVersion(layouts);
  await writeFile(join(dir, 'screens/home.json'), home(2));
  await writeFile(join(dir, 'text/en/more.json'), '{ "$schema": "meta/texts.schema.json" }');
  assert.equal(levelOf(await changed), 2);
  assert.notEqual(layouts.current().hash, before.hash);
  assert.deepEqual(layouts.problems(), []);
});

test('a save by rename, as editors do it, is one change', async t => {
  const dir = await folder(t);
  const layouts = await start(t, dir);
  const versions: Version[] = [];
  const changed = nextVersion(layouts);
  layouts.onChange(version => versions.push(version));
  await writeFile(join(dir, 'screens/.home.json.tmp'), home(3));
  await rename(join(dir, 'screens/home.json'), join(dir, 'screens/home.json~'));
  await rename(join(dir, 'screens/.home.json.tmp'), join(dir, 'screens/home.json'));
  assert.equal(levelOf(await changed), 3);
  assert.deepEqual(versions.map(levelOf), [3]);
});

test('a file that is deleted is gone from the next version, unless something needs it', async t => {
  const spare = { id: 'spare', children: [{ type: 'text', text: 't.a' }] };
  const dir = await folder(t, { ...set(2), screens: [...(set(2).screens ?? []), spare] });
  const layouts = await start(t, dir);
  assert.deepEqual(layouts.current().patterns, ['/home', '/spare']);
  const changed = nextVersion(layouts);
  await rm(join(dir, 'screens/spare.json'));
  assert.deepEqual((await changed).patterns, ['/home']);
  const failed = nextProblems(layouts);
  await rm(join(dir, 'text/en/t.json'));
  assert.equal(formatProblem((await failed)[0] as Problem), 'screens/home.json:4:3: error: Text "t.title" not found.');
  assert.deepEqual(layouts.current().patterns, ['/home']);
});

test('a new folder is followed too, meta folders below the top among them', async t => {
  const dir = await folder(t);
  const layouts = await start(t, dir);
  for (const [index, place] of ['more', 'more/meta'].entries()) {
    const changed = nextVersion(layouts);
    await mkdir(join(dir, place), { recursive: true });
    await writeFile(
      join(dir, place, 'new.json'),
      home(2).replace('"home"', `"new${index}"`).replace('"/home"', `"/new${index}"`),
    );
    assert.ok((await changed).patterns.includes(`/new${index}`));
  }
});

test('an edit made while the portal starts is not missed', async t => {
  const dir = await folder(t);
  let edited = false;
  const options = {
    dir,
    // Read after the first load and before the watching begins.
    get commands() {
      if (!edited) writeFileSync(join(dir, 'screens/home.json'), home(3));
      edited = true;
      return [];
    },
  };
  const layouts = await createLayouts(options);
  t.after(() => layouts.close());
  if (levelOf(layouts.current()) === 2) await nextVersion(layouts);
  assert.equal(levelOf(layouts.current()), 3);
});

test('a folder without a document is refused', async t => {
  const dir = await mkdtemp(join(tmpdir(), 'layouts-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await assert.rejects(createLayouts({ dir, commands: [] }), {
    message: 'The schemas cannot be used. .:1:1: error: The schemas folder has no documents.',
  });
});

test('a folder that is not there is refused', async t => {
  const dir = join(await folder(t), 'none');
  await assert.rejects(createLayouts({ dir, commands: [] }), {
    message: /^The schemas cannot be used\. \.:1:1: error: The schemas folder cannot be read: ENOENT/,
  });
});

test('a folder with errors is refused, and the first is named', async t => {
  const dir = await folder(t);
  await writeFile(join(dir, 'screens/home.json'), home(7));
  await writeFile(join(dir, 'screens/other.json'), '{');
  await assert.rejects(createLayouts({ dir, commands: [] }), {
    message:
      'The schemas cannot be used. screens/other.json:1:2: error: Not valid JSON: a closing brace is missing. (and 1 more)',
  });
});

test('whatever goes wrong while documents are checked is a problem of theirs, not the end of the portal', async () => {
  const [source] = schemaSet(set(2));
  const broken = { ...(source as Source), json: new Proxy({}, { ownKeys: () => assert.fail('out of order') }) };
  const { version, problems } = await check({ sources: [broken], problems: [] }, []);
  assert.equal(version, undefined);
  assert.deepEqual(problems.map(formatProblem), [
    'screens/home.json:1:1: error: This cannot be read: out of order.',
    'screens/home.json:1:1: error: This cannot be checked: out of order.',
  ]);
});

test('warnings do not keep a version back', async t => {
  const dir = await folder(t, { operations: { 'a.b': { service: 'cloud', method: 'POST', path: '/a' } }, ...set(2) });
  const layouts = await createLayouts({ dir, commands: [], watch: false });
  assert.deepEqual(
    layouts.problems().map(problem => problem.severity),
    ['warning'],
  );
  await layouts.close();
});

test('two folders of the same documents agree on their version', async t => {
  const versions = await Promise.all(
    [set(2), set(2), set(3)].map(
      async files => (await createLayouts({ dir: await folder(t, files), commands: [], watch: false })).current().hash,
    ),
  );
  assert.equal(versions[0], versions[1]);
  assert.notEqual(versions[0], versions[2]);
});

test('callers of the same rights share what was trimmed, in whatever order their rights stand', async t => {
  const layouts = await createLayouts({ dir: await folder(t), commands: [], watch: false });
  const access = (views: string[], name: string) => {
    const principal = someone({ views });
    return layouts.current().access({ ...principal, facts: { ...principal.facts, name } });
  };
  assert.equal(access(['home', 'billing'], 'A').navigation, access(['billing', 'home'], 'B').navigation);
  assert.equal(access(['home', 'billing'], 'A').key, access(['billing', 'home'], 'B').key);
  assert.notEqual(access(['home'], 'A').key, access(['billing'], 'A').key);
});

test('a file that grows while it is read is read again', async t => {
  const dir = await folder(t);
  const layouts = await start(t, dir);
  const file = await open(join(dir, 'screens/home.json'), 'w');
  const changed = nextVersion(layouts);
  for (const part of home(3).match(/[\s\S]{1,40}/g) ?? []) await file.write(part);
  await file.close();
  assert.equal(levelOf(await changed), 3);
  assert.equal(await readFile(join(dir, 'screens/home.json'), 'utf8'), home(3));
});
