import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLayouts, formatProblem, type Layouts, type Problem, type Version } from '../../server/layouts/index.ts';
import { type SchemaSet, schemaFiles, someone, writeSchemas } from '../fixtures/schemas.ts';
import { inTime } from '../fixtures/wait.ts';

const note = { id: 'note', parameters: { text: 'text' }, children: [{ type: 'text', text: 'part.text' }] };
const set: SchemaSet = {
  screens: [
    { id: 'home', children: [{ part: 'note', with: { text: 't.a' } }] },
    { id: 'other', children: [{ type: 'text', text: 't.b' }] },
  ],
  parts: [note],
};

async function start(t: TestContext): Promise<{ dir: string; layouts: Layouts }> {
  const dir = await mkdtemp(join(tmpdir(), 'layouts-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await writeSchemas(dir, set);
  const layouts = await createLayouts({ dir, commands: [] });
  t.after(() => layouts.close());
  return { dir, layouts };
}

const nextVersion = (layouts: Layouts): Promise<Version> =>
  inTime('A new version', new Promise(resolve => layouts.onChange(resolve)));
const nextProblems = (layouts: Layouts): Promise<readonly Problem[]> =>
  inTime('A report of problems', new Promise(resolve => layouts.onProblems(resolve)));
const textOf = (version: Version, route: string): unknown =>
  JSON.parse(String(version.access(someone()).screens.get(route)?.bytes)).children[0].text;

const save = (dir: string, edited: SchemaSet, file: string): Promise<void> =>
  writeFile(join(dir, file), schemaFiles(edited)[file] as string);

test('an edit of a part shows on the screens that use it', async t => {
  const { dir, layouts } = await start(t);
  assert.equal(textOf(layouts.current(), '/home'), 'A');
  const changed = nextVersion(layouts);
  await save(
    dir,
    { ...set, parts: [{ ...note, children: [{ type: 'text', text: 't.c' }, ...note.children] }] },
    'parts/note.json',
  );
  assert.equal(textOf(await changed, '/home'), 'C');
});

const broken: readonly (readonly [what: string, edited: SchemaSet, file: string, message: RegExp])[] = [
  [
    'a part that contains itself',
    { ...set, parts: [{ ...note, children: [{ part: 'note', with: { text: 'part.text' } }] }] },
    'parts/note.json',
    /^parts\/note\.json:\d+:\d+: error: The part "note" contains itself: note → note\.$/,
  ],
  [
    'a part that needs what no use gives',
    {
      ...set,
      parts: [
        {
          ...note,
          parameters: { text: 'text', more: 'text' },
          children: [...note.children, { type: 'text', text: 'part.more' }],
        },
      ],
    },
    'parts/note.json',
    /^screens\/home\.json:\d+:\d+: error: The part "note" needs "more" in "with"\.$/,
  ],
  [
    'a use that gives what the part cannot take',
    { ...set, screens: [{ id: 'home', children: [{ part: 'note', with: { text: 7 } }] }] },
    'screens/home.json',
    /^screens\/home\.json:\d+:\d+: error: "text" must be the key of a text\.$/,
  ],
];
for (const [what, edited, file, message] of broken)
  test(`${what} leaves the screen as it last was, and others can be edited on`, async t => {
    const { dir, layouts } = await start(t);
    const failed = nextProblems(layouts);
    await save(dir, edited, file);
    const problems = (await failed).map(formatProblem);
    assert.match(problems.join('\n'), message);
    assert.equal(textOf(layouts.current(), '/home'), 'A');
    const changed = nextVersion(layouts);
    await save(
      dir,
      { ...set, screens: [{ id: 'other', children: [{ type: 'text', text: 't.c' }] }] },
      'screens/other.json',
    );
    const version = await changed;
    assert.deepEqual([textOf(version, '/home'), textOf(version, '/other')], ['A', 'C']);
  });
