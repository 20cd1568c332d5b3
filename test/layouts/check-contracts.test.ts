import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, placeOf, type SchemaSet } from '../fixtures/schemas.ts';

const get = { service: 'cloud', method: 'GET', path: '/api/a' };
const catalogues = [{ id: 'status', entries: [{ value: 'Active', text: 't.a' }] }];

function problemsOf(set: SchemaSet): string[] {
  return compileSet({ catalogues, ...set })
    .problems.filter(({ severity }) => severity === 'error')
    .map(formatProblem);
}

const declaring = (reply: unknown, rest: Json = {}): SchemaSet => ({
  operations: { 'a.get': { ...get, ...rest, reply } },
});

/** What is said of an operation that declares this reply, at the place of a snippet. */
function expectSaid(reply: unknown, snippet: string, message: string, rest: Json = {}): void {
  const set = declaring(reply, rest);
  assert.deepEqual(problemsOf(set), [`${placeOf(set, 'operations.json', snippet)}: error: ${message}`]);
}

test('a reply is declared field by field: kinds, lists, dictionaries, objects with a requirement', () => {
  for (const reply of [
    'count',
    'text?',
    ['id'],
    { map: 'count' },
    { Name: 'text', At: 'time?', Items: [{ Status: 'code:status', Tags: ['text'] }] },
    { Size: { kind: 'code', of: ['small', 7] }, Share: { kind: 'percent?', min: 0, max: 100 } },
    { Name: { kind: 'text', max: 40, pattern: '^[a-z]+$' }, Price: { kind: 'money', requires: 'anyone' } },
    { Owner: { requires: { permissions: ['edit'] }, of: { Name: 'text' } }, Odd: { of: { kind: 'text', map: 'id' } } },
    { List: { optional: true, of: [{ Id: 'id' }] }, Counts: { map: 'count', optional: true } },
    { kind: 'model:form', requires: 'anyone' },
    { Values: { kind: 'model:values', requires: { prices: true } } },
  ])
    assert.deepEqual(problemsOf(declaring(reply)), [], JSON.stringify(reply));
});

test('a kind that there is not', () => {
  expectSaid({ A: 'mony' }, '"A"', 'There is no kind "mony" of value. Did you mean "money"?');
  expectSaid({ A: { kind: 'txt?', max: 1 } }, '"kind"', 'There is no kind "txt" of value. Did you mean "text"?');
  expectSaid({ A: 'text??' }, '"A"', 'There is no kind "text?" of value. Did you mean "text"?');
  expectSaid({ A: 7 }, '"A"', 'The field "A" is a kind such as "text", a list [ … ], or an object of fields.');
  expectSaid('model:from', '"reply"', 'There is no kind "model:from" of value. Did you mean "model:form"?');
});

test('a code says which values it has', () => {
  expectSaid({ A: 'code' }, '"A"', 'A code says which values it has: "code:<catalogue>", or "of": [ … ].');
  expectSaid({ A: 'code:statuss' }, '"A"', 'Catalogue "statuss" not found. Did you mean "status"?');
  expectSaid(
    { A: 'text:status' },
    '"A"',
    '"text:status" is no kind: only a code has a catalogue, as in "code:status".',
  );
  expectSaid(
    { A: { kind: 'code:status', of: ['a'] } },
    '"of"',
    '"of" lists the values of a code that has no catalogue.',
  );
});

test('a list has one entry, an object at least one field', () => {
  const message = 'A list is declared by one entry, which all its items are.';
  expectSaid({ A: ['text', 'id'] }, '"A"', message);
  expectSaid({ A: [] }, '"A"', message);
  expectSaid({ A: {} }, '"A"', 'An object has at least one field.');
  expectSaid({ 'A.B': 'text' }, '"A.B"', 'A field cannot be called "A.B".');
});

test('a word that does not belong beside another is told, and how a field of that name is written', () => {
  expectSaid(
    { A: { kind: 'text', requries: { prices: true } } },
    '"requries"',
    '"requries" is not known beside "kind". Did you mean "requires"? An object whose own field is called "kind" stands in { "of": { … } }.',
  );
  expectSaid({ A: { kind: 'text', min: 1 } }, '"min"', '"min" is the least number.');
  expectSaid({ A: { kind: 'count', pattern: 'x' } }, '"pattern"', 'A text has a pattern.');
  expectSaid(
    { A: { kind: 'text', pattern: '[' } },
    '"pattern"',
    'Not a regular expression: Invalid regular expression: /[/: Unterminated character class.',
  );
});

test('only money and models are opened; a model says who may have it', () => {
  expectSaid(
    { A: { kind: 'text', requires: 'anyone' } },
    '"requires"',
    'What is not money and no model is open anyway: leave this out.',
  );
  expectSaid(
    { A: 'model:values' },
    '"A"',
    'What a model:values holds is not known before: say in "requires" who may have it, "anyone" where it has no prices.',
  );
  expectSaid({ kind: 'model:nodes', requires: 'anyone' }, '"reply"', 'Only commands answer with "model:nodes".');
  expectSaid(
    { A: { kind: 'text', requires: { views: ['hom'] } } },
    '"hom"',
    'The view "hom" is not in access.json. Did you mean "home"?',
  );
  expectSaid({ A: { kind: 'text', requires: {} } }, '"requires"', '"requires" is empty.');
});

test('what is read says what comes back; a file does not', () => {
  const set = { operations: { 'a.get': { ...get, reply: undefined } } };
  const sources = compileSet({ ...set, operations: { 'a.get': { ...get, file: 'text/csv' } } });
  assert.deepEqual(sources.problems, []);
  expectSaid({ A: 'text' }, '"reply"', 'What gives a file has no other reply.', { file: 'text/csv' });
});

test('the names of orders are fields of the list that a parameter names', () => {
  const sorted = (names: string, ...orders: string[]) => ({ with: { sort: { type: 'string', names, enum: orders } } });
  const reply = { Items: [{ Name: 'text', Users: 'count' }] };
  assert.deepEqual(problemsOf(declaring(reply, sorted('Result.Items', 'Name', '-Users'))), []);
  expectSaid(
    reply,
    '"-User"',
    '"Result.Items" of the reply has no "User". Did you mean "Users"?',
    sorted('Result.Items', 'Name', '-User'),
  );
  expectSaid(reply, '"names"', 'The reply has no "Result.Item".', sorted('Result.Item', 'Name'));
});

const reply = {
  Name: 'text',
  Users: 'count',
  Price: 'money',
  Note: 'html',
  Items: [{ Id: 'id', Name: 'text', Users: 'count', Price: 'money' }],
};
const where = ' A field is declared in "reply" of the operation, in operations.json.';

/** What is said of a node that reads that reply as `data.a`. */
function expectRead(node: Json, snippet: string, message: string): void {
  const used = { type: 'text', path: 'data.a.Result.Name' };
  const set: SchemaSet = {
    ...declaring(reply, { with: { sort: { type: 'string' } } }),
    screens: [
      { id: 'home', data: { a: { operation: 'a.get', with: { sort: 'route.sort' } } }, meta: [used], children: [node] },
    ],
  };
  assert.deepEqual(problemsOf(set), [`${placeOf(set, 'screens/home.json', snippet)}: error: ${message}`]);
}

const table = (rest: Json): Json => ({
  type: 'table',
  id: 'table',
  label: 't.label',
  rows: 'data.a.Result.Items',
  key: 'Id',
  empty: { title: 't.none' },
  columns: [{ title: 't.a', path: 'row.Name' }],
  ...rest,
});

test('a path to a field that is not declared: of a value, a row, a key, an order, an address, a condition', () => {
  const none = (name: string, inside: string, meant: string) =>
    `The reply of "a.get" has no "${name}" in "${inside}". Did you mean "${meant}"?${where}`;
  expectRead({ type: 'text', path: 'data.a.Result.Nam' }, '"path": "data.a.Result.Nam"', none('Nam', 'Result', 'Name'));
  expectRead(
    { type: 'link', text: 't.go', to: '/home?x={data.a.Result.Usrs}' },
    '"to"',
    none('Usrs', 'Result', 'Users'),
  );
  expectRead(
    { type: 'text', path: 'route.x', when: { path: 'data.a.Result.User', is: 1 } },
    '"path": "data.a.Result.User"',
    none('User', 'Result', 'Users'),
  );
  expectRead(
    table({ columns: [{ title: 't.a', path: 'row.Nme' }] }),
    '"path": "row.Nme"',
    none('Nme', 'Result.Items', 'Name'),
  );
  expectRead(table({ key: 'Idd' }), '"key"', none('Idd', 'Result.Items', 'Id'));
  expectRead(
    table({ columns: [{ title: 't.a', path: 'row.Name', sort: 'Nane' }] }),
    '"sort": "Nane"',
    none('Nane', 'Result.Items', 'Name'),
  );
  expectRead(
    table({ sort: { path: 'route.sort', initial: '-Userz' } }),
    '"initial"',
    none('Userz', 'Result.Items', 'Users'),
  );
});

test('an address holds what its screen knows: parameters, places of its nodes, and what it takes from outside', () => {
  const search = { type: 'search', path: 'route.words', label: 't.label', resets: ['route.page'] };
  const bound = { a: { operation: 'a.get', with: { sort: 'route.words' } } };
  const screen = (children: readonly Json[], rest: Json = {}): SchemaSet => ({
    ...declaring(reply, { with: { sort: { type: 'string' } } }),
    screens: [
      {
        ...{ id: 'home', route: '/home/{id}', query: ['page'], data: bound },
        children: [{ type: 'text', path: 'data.a.Result.Name' }, search, ...children],
        ...rest,
      },
    ],
  });
  const shown = ['id', 'words', 'page'].map(name => ({ type: 'text', path: `route.${name}` }));
  const link = (to: string) => ({ type: 'link', text: 't.go', to });
  assert.deepEqual(problemsOf(screen([...shown, link('/home/1?page=2&words={route.words}')])), []);
  const said = (set: SchemaSet, snippet: string, message: string) =>
    assert.deepEqual(problemsOf(set), [`${placeOf(set, 'screens/home.json', snippet)}: error: ${message}`]);
  const nothing = (name: string, meant: string) =>
    `Nothing puts "${name}" into the address: it is no parameter of the route, no place of a node, and not in "query" of the screen. Did you mean "${meant}"?`;
  said(screen([{ type: 'text', path: 'route.pages' }]), '"path": "route.pages"', nothing('pages', 'page'));
  said(screen([{ ...search, resets: ['route.pag'] }]), '"route.pag"', nothing('pag', 'page'));
  said(
    screen([link('/home/1?wrds=2')]),
    '"to"',
    'The screen at "/home/{id}" takes no "wrds" from its address. Did you mean "words"?',
  );
  said(
    screen([{ type: 'text', path: 'rout.page' }]),
    '"path": "rout.page"',
    '"path" cannot be "rout.page". Where a value is read: data.…, row.…, form.…, route.…, principal.…, state.…, reply.… or popup.…',
  );
  said(screen([{ ...search, path: 'route.page' }]), '"path": "route.page"', 'Nothing reads "route.page".');
});

test('rows are a list, what is shown as currency is money, what is shown as HTML is html', () => {
  expectRead(
    table({ rows: 'data.a.Result' }),
    '"rows"',
    '"Result" of "a.get" is an object, and the rows of a node are a list.',
  );
  const money = 'and what is shown as currency is declared as "money", which callers without prices do not get.';
  expectRead(
    { type: 'text', path: 'data.a.Result.Users', format: 'currency' },
    '"path": "data.a.Result.Users"',
    `"Result.Users" of "a.get" is of kind "count", ${money}`,
  );
  expectRead(
    table({ columns: [{ title: 't.a', path: 'row.Users', format: 'currency' }] }),
    '"path": "row.Users"',
    `"Result.Items.Users" of "a.get" is of kind "count", ${money}`,
  );
  expectRead(
    { type: 'html', path: 'data.a.Result.Users' },
    '"path": "data.a.Result.Users"',
    '"Result.Users" of "a.get" is of kind "count", and HTML is declared as "html", so that it is sanitised.',
  );
});
