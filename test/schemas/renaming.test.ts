import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUses } from '../../server/editing/find-uses.ts';
import { RenameError, rename } from '../../server/editing/rename.ts';
import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { peopleScreen, peopleTable, shortFolder } from '../fixtures/short-folder.ts';

const sources = shortFolder();

/** The documents that change when something of the small folder is renamed, by file. */
async function renamed(from: string, to: string) {
  const files = await rename(sources, [], from, to);
  return new Map(files.map(({ file, text }) => [file, text === undefined ? undefined : JSON.parse(text)]));
}

const usesOf = (name: string): string[] =>
  findUses(expandDocuments(sources, [])).flatMap(use => {
    const { file, line } = use.source.problem(use.reference.at, '');
    return use.name === name ? [`${file}:${line}: ${use.what}`] : [];
  });

test('the uses of a text are those that are written and those that go by its name', () => {
  assert.deepEqual(usesOf('people.name'), ['people/people.json:20: text', 'people/rename-form.json:4: text']);
});

test('the uses of an operation, and of a field of its reply', () => {
  assert.deepEqual(usesOf('people.rename'), ['people/rename.json:9: operation']);
  assert.deepEqual(usesOf('people.list.Items.Users'), ['people/people.json:21: field']);
});

test('a text is renamed where it stands, and written where its name said it', async () => {
  const files = await renamed('people.users', 'people.accounts');
  assert.deepEqual([...files.keys()], ['people/people.json', 'text/en/people.json']);
  assert.equal(files.get('text/en/people.json').accounts, 'Users');
  assert.deepEqual(files.get('people/people.json').children[0].columns, [
    'Name',
    { path: 'Users', title: 'people.accounts' },
  ]);
});

test('an operation is renamed with all that call it', async () => {
  const files = await renamed('people.rename', 'people.call');
  assert.deepEqual(files.get('people/rename.json').children[0].on, [{ call: 'people.call' }]);
  assert.ok(files.get('people/operations.json').operations['people.call']);
});

test('a field of a reply is renamed with its orders, and keeps its text, id and test id', async () => {
  const files = await renamed('people.list.Items.Users', 'people.list.Items.Accounts');
  assert.deepEqual(files.get('people/people.json').children[0].columns, [
    'Name',
    { path: 'Accounts', title: 'people.users', id: 'users' },
  ]);
});

test('a field that is joined to rows is renamed where it is read, and the one that holds the key', async () => {
  const operations = JSON.parse(JSON.stringify(sources.find(({ file }) => file === 'people/operations.json')?.json));
  operations.operations['people.seats'] = {
    ...{ service: 'cloud', method: 'GET', path: '/seats', requires: 'staff' },
    with: { ids: { type: 'string', required: true } },
    reply: { Items: [{ PersonId: 'id', Spend: 'count' }] },
  };
  const joined = { 'people.seats': { ids: 'row.Id' }, rows: 'data.people.Items', by: 'PersonId' };
  const screen = peopleScreen({ children: [peopleTable({ columns: ['Name', 'seats.Spend'] })] });
  const data = { ...(screen['data'] as object), seats: joined };
  const folder = shortFolder({ 'people/operations.json': operations, 'people/people.json': { ...screen, data } });
  const after = async (from: string, to: string) => {
    const files = await rename(folder, [], `people.seats.Items.${from}`, `people.seats.Items.${to}`);
    return JSON.parse(files.find(({ file }) => file === 'people/people.json')?.text ?? '{}');
  };
  assert.deepEqual((await after('Spend', 'Cost')).children[0].columns[1], {
    ...{ path: 'seats.Cost', id: 'spend', title: 'people.spend' },
  });
  assert.equal((await after('PersonId', 'Owner')).data.seats.by, 'Owner');
});

test('a part is renamed with its file and all uses', async () => {
  const part = { $schema: '../meta/part.schema.json', children: [{ text: 'people.go' }] };
  const screen = peopleScreen({ children: [peopleTable(), { part: 'note' }] });
  const files = await rename(
    shortFolder({ 'people/note.json': part, 'people/people.json': screen }),
    [],
    'note',
    'hint',
  );
  assert.deepEqual(
    files.map(({ file, text }) => [file, text !== undefined]),
    [
      ['people/hint.json', true],
      ['people/note.json', false],
      ['people/people.json', true],
    ],
  );
});

test('what cannot be renamed whole is refused with the reason', async () => {
  for (const [from, to, says] of [
    [
      'people.nobody',
      'people.x',
      /^There is no text, operation, part or field of an operation called "people\.nobody"\.$/,
    ],
    ['people.name', 'people.users', /^"people\.users" is there already\.$/],
    ['people.name', 'other.name', /^A text stays in its area/],
  ] as const)
    await assert.rejects(rename(sources, [], from, to), error => {
      assert.ok(error instanceof RenameError);
      assert.match(error.message, says);
      return true;
    });
});
