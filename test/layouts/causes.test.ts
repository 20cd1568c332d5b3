import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../fixtures/schemas.ts';
import { errorAt, peopleScreen, peopleTable, toldOf, toldOfScreen } from '../fixtures/short-folder.ts';

const file = 'people/people.json';

/** Declares that of the screen with this in it nothing else is said than one message, at a word. */
function isTold(what: string, rest: Json, word: string, message: string): void {
  test(`${what} is told at its word, and nothing that follows from it`, async () => {
    const screen = peopleScreen(rest);
    assert.deepEqual(await toldOf({ [file]: screen }), [errorAt(file, screen, word) + message]);
  });
}

test('the small folder is right as it is', async () => {
  assert.deepEqual(await toldOf({}), []);
});

const table = (rest: Json): Json => ({ children: [peopleTable(rest)] });
const data = (source: unknown): Json => ({ data: { people: source } });

isTold(
  'a parameter that the operation of a list does not have',
  data({ 'people.list': ['route.page', 'route.sort', { pageSzie: 'route.size' }] }),
  '"pageSzie"',
  '"people.list" has no parameter "pageSzie". Did you mean "pageSize"?',
);
isTold(
  'a list that is given no page',
  data({ 'people.list': ['route.sort', { pageSize: 'route.size' }] }),
  '"paging"',
  '"paging" needs "page": the data source "people" gives "people.list" no "page" from a place, such as "route.page".',
);
isTold(
  'a page that is kept in no place',
  data({ 'people.list': [{ page: 'principal.name' }, 'route.sort', { pageSize: 'route.size' }] }),
  '"page"',
  '"principal.name" is no place: what "page" is stands in the address ("route.…") or on the page ("state.…").',
);
isTold(
  'a column that stands in a table twice',
  table({ columns: ['Name', 'Users', 'Users'] }),
  '"Users"\n      ]',
  '"users" stands in "columns" twice.',
);
isTold(
  'a path with a root that there is not',
  { actions: [{ button: 'people.go', press: { 'open-popup': 'rename' }, values: { name: 'prinicpal.name' } }] },
  '"name": "prinicpal',
  '"name" cannot be "prinicpal.name": it is a path such as "route.page", a number, true, false, or { "value": … }. Did you mean "principal.name"?',
);

isTold(
  'a wrong data source in the head of a list',
  table({ table: 'data.poeple.Items' }),
  '"table": "data.poeple',
  'Data source "poeple" not found. Did you mean "people"?',
);
isTold(
  'a wrong operation',
  data({ 'people.lsit': ['route.page'] }),
  '"people.lsit"',
  'Operation "people.lsit" not found. Did you mean "people.list"?',
);
isTold(
  'a write as a data source',
  data('people.rename'),
  '"people": "people.rename"',
  '"people.rename" is not a GET; a data source only reads.',
);
isTold(
  'a wrong field in the head of a list',
  table({ table: 'data.people.Itmes' }),
  '"table": "data.people.Itmes',
  'The reply of "people.list" has no "Itmes" in "Result". Did you mean "Items"? A field is declared in "reply" of the operation, in people/operations.json.',
);
isTold(
  'a value where a list stands',
  table({ table: 'data.people.Total' }),
  '"table": "data.people.Total',
  '"Result.Total" of "people.list" is of kind "count", and the rows of a node are a list.',
);
isTold(
  'an object in place of a path',
  table({ table: { rows: 'data.people.Items' } }),
  '"table": {',
  '"table" must be string, not object. Path of a list. The other properties of this node read one item of it as row.…',
);
isTold(
  'a wrong column whose text is missing too',
  table({ columns: ['Name', 'UserCount?'] }),
  '"UserCount?"',
  'The reply of "people.list" has no "UserCount" in "Result.Items". A field is declared in "reply" of the operation, in people/operations.json.',
);
for (const [head, word] of [
  ['datatable', '"datatable"'],
  ['tabel', '"tabel"'],
] as const)
  isTold(
    `the head "${head}" beside "columns"`,
    { children: [{ [head]: 'data.people.Items', columns: ['Name'], empty: {} }] },
    word,
    `Node type "${head}" not found. Did you mean "table"?`,
  );
isTold(
  'the head "tabel" alone',
  { children: [peopleTable(), { tabel: 'data.people.Items' }] },
  '"tabel"',
  'Node type "tabel" not found. Did you mean "table"?',
);
isTold(
  'a misspelt effect',
  { actions: [{ button: 'people.go', press: { 'opne-popup': 'rename' } }] },
  '"opne-popup"',
  'Effect "opne-popup" not found. Did you mean "open-popup"?',
);
isTold(
  'a requirement in "when"',
  table({ when: { userTypes: ['reseller'] } }),
  '"userTypes"',
  '"userTypes" is not known here. It is what a caller must hold, which "requires" says; "when" tests data.',
);
isTold(
  'the name of a requirement in "when"',
  table({ when: 'staff' }),
  '"when": "staff"',
  '"when" must be object, not string. The name of a requirement stands in "requires"; "when" tests data.',
);
isTold(
  'a test of data in "requires"',
  table({ requires: { 'data.people.Total': 1 } }),
  '"data.people.Total"',
  '"data.people.Total" is not known here. It tests data, which "when" does; "requires" says what the caller must hold.',
);
isTold(
  'what a document lacks since it says its id',
  { id: 'taken', children: [{ text: 'people.go' }] },
  '{',
  'The document needs "title". It is added to documents that leave out "id", which is then the name of the file.',
);

test('a document that says the id of another one is told so, and nothing else', async () => {
  const copy = peopleScreen({ id: 'people', route: '/others' });
  assert.deepEqual(await toldOf({ 'people/others.json': copy }), [
    `${errorAt('people/others.json', copy, '"id"')}The id "people" is already used by people/people.json.`,
  ]);
});

test('of two operations of one name the one in the folder of its area stays', async () => {
  const doubled = {
    $schema: '../meta/operations.schema.json',
    operations: { 'people.list': { service: 'cloud', method: 'POST', path: '/x', requires: 'staff', audit: false } },
  };
  assert.deepEqual(await toldOf({ 'all/operations.json': doubled }), [
    `${errorAt('all/operations.json', doubled, '"people.list"')}The operation "people.list" is already used by people/operations.json.`,
  ]);
});

test('a part of nodes among the columns of a table is told where it is used', async () => {
  const part = { $schema: '../meta/part.schema.json', children: [{ text: 'people.go' }] };
  const screen = peopleScreen(table({ columns: ['Name', { part: 'note' }] }));
  assert.deepEqual(await toldOf({ 'people/note.json': part, [file]: screen }), [
    `${errorAt(file, screen, '"part": "note"')}The part "note" has nodes, and in "columns" stand none.`,
  ]);
});

test('a field that is renamed is told by its text and by the call that needs it', async () => {
  const popup = {
    ...{ $schema: '../meta/popup.schema.json', requires: 'staff' },
    children: [{ button: 'people.go', press: { call: 'people.rename', body: { Name: 'principal.name' } } }],
  };
  const form = { $schema: '../meta/form.schema.json', fields: ['Nmae'] };
  const told = await toldOf({ 'people/rename.json': popup, 'people/rename-form.json': form });
  assert.deepEqual(
    told.map(line => line.replace(/:\d+:\d+: error:.*/, '')),
    ['people/rename-form.json', 'people/rename.json', 'people/rename.json'],
    told.join('\n'),
  );
});

test('two unknown types of nodes are told, each at its word', async () => {
  const told = await toldOfScreen({ children: [{ hedaing: 'people.go' }, { txet: 'people.go' }] });
  assert.equal(told.length, 2);
  assert.match(told[0] as string, /"hedaing" not found\. Did you mean "heading"\?/);
  assert.match(told[1] as string, /"txet" not found\. Did you mean "text"\?/);
});
