import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, placeOf, type SchemaSet } from '../fixtures/schemas.ts';

const home = 'screens/home.json';
const commands: CommandDeclaration[] = [{ name: 'product.add', parameters: ['id'], reply: { Name: 'text' } }];

const base: SchemaSet = {
  operations: {
    'customers.list': { service: 'cloud', method: 'GET', path: '/api/customers' },
    'customers.get': { service: 'cloud', method: 'GET', path: '/api/customers/{id}', with: { id: { type: 'string' } } },
    'customers.add': {
      service: 'cloud',
      method: 'POST',
      path: '/api/customers',
      audit: 'customer.created',
      reply: { Id: 'id' },
    },
    'customers.remove': {
      service: 'cloud',
      method: 'DELETE',
      path: '/api/customers/{id}',
      with: { id: { type: 'string' } },
      audit: 'customer.removed',
    },
  },
  texts: { t: { named: '{{name}}', many_one: '{{count}} of {{name}}', many_other: '{{count}}' } },
};

function problemsOf(set: SchemaSet): string[] {
  return compileSet({ ...base, ...set }, commands)
    .problems.filter(problem => problem.severity === 'error')
    .map(formatProblem);
}

const screen = (children: readonly Json[], rest: Json = {}): SchemaSet => ({
  screens: [{ id: 'home', children, ...rest }],
});

function expectProblem(node: Json, snippet: string, message: string, rest: Json = {}): void {
  const set = screen([node], rest);
  assert.deepEqual(problemsOf(set), [`${placeOf(set, home, snippet)}: error: ${message}`]);
}

const press = (...effects: Json[]): Json => ({ type: 'button', text: 't.go', on: { press: effects } });
const list = { data: { list: { operation: 'customers.list' } } };
const table = (rest: Json = {}): Json => ({
  type: 'table',
  id: 'table',
  label: 't.label',
  rows: 'data.list.Result.Items',
  key: 'Id',
  empty: { title: 't.none' },
  columns: [{ title: 't.a', path: 'row.Name' }],
  ...rest,
});

test('a row is there only inside a list', () => {
  assert.deepEqual(problemsOf(screen([table()], list)), []);
  expectProblem({ type: 'text', path: 'row.Name' }, '"path"', '"row.Name" stands outside a list.');
  expectProblem({ ...table(), rows: 'row.Items' }, '"rows"', '"row.Items" stands outside a list.');
  expectProblem(
    { ...table(), when: { path: 'row.Kind', is: 1 } },
    '"path": "row.Kind"',
    '"row.Kind" stands outside a list.',
    list,
  );
});

test('a form value is there only inside its form', () => {
  expectProblem({ type: 'text', path: 'form.Name' }, '"path"', '"form.Name" stands outside a form.');
  const form = (rest: Json): Json => ({
    type: 'form',
    id: 'f',
    submit: 't.go',
    on: { submit: [{ do: 'close-popup' }] },
    children: [{ type: 'field', propertyName: 'Name', kind: 'text', label: 't.a' }],
    ...rest,
  });
  assert.deepEqual(problemsOf(screen([form({ values: { a: 'form.Name', b: 'form.$changed' } })])), []);
  expectProblem(
    form({ values: { a: 'form.Nam' } }),
    '"a": "form.Nam"',
    'Field "Nam" not found in this form. Did you mean "Name"?',
  );
  expectProblem(form({ when: { path: 'form.Name', is: 1 } }), '"path"', '"form.Name" stands outside a form.');
});

test('a path without Result reads the Result', () => {
  const read = [
    { type: 'text', path: 'data.list.Total' },
    { type: 'text', path: 'data.list.Result.Total' },
  ];
  assert.deepEqual(problemsOf(screen(read, list)), []);
});

test('a reply is there only after a call', () => {
  const set = { do: 'set', path: 'route.id', value: 'reply.Result.Id' };
  assert.deepEqual(problemsOf(screen([press({ do: 'call', operation: 'customers.add' }, set)])), []);
  expectProblem(
    press(set, { do: 'call', operation: 'customers.add' }),
    '"value"',
    '"reply.Result.Id" stands before any call.',
  );
  expectProblem({ type: 'text', path: 'reply.Result.Id' }, '"path"', '"reply.Result.Id" stands before any call.');
});

test('the parameters of a call do not read its own reply', () => {
  const remove = (rest: Json) =>
    press({ do: 'call', operation: 'customers.remove', with: { id: 'route.id' }, ...rest });
  expectProblem(
    remove({ with: { id: 'reply.Result.Id' } }),
    '"id": "reply',
    '"reply.Result.Id" stands before any call.',
  );
});

test('of a reply only the envelope is there, and what is declared', () => {
  const copy = (value: string) => press({ do: 'call', operation: 'customers.add' }, { do: 'copy', value });
  for (const field of ['$Succeed', '$Error', 'Succeed', 'Error', 'Errors', 'Messages', 'Result.Id', 'Id'])
    assert.deepEqual(problemsOf(screen([copy(`reply.${field}`)])), [], field);
  expectProblem(
    copy('reply.Message'),
    '"value"',
    'The reply of "customers.add" has no "Message" in "Result". A field is declared in "reply" of the operation, in operations.json.',
  );
});

test('of the reply of a command only the fields that it declares are there', () => {
  const copy = (value: string) =>
    press({ do: 'command', command: 'product.add', with: { id: 7 } }, { do: 'copy', value });
  assert.deepEqual(problemsOf(screen([copy('reply.Result.Name')])), []);
  expectProblem(
    copy('reply.Result.Nam'),
    '"value"',
    'The reply of the command "product.add" has no "Nam" in "Result". Did you mean "Name"?',
  );
});

test('a call hands over only parameters of its operation, and all that its path needs', () => {
  const call = (given: Json) => press({ do: 'call', operation: 'customers.remove', with: given });
  expectProblem(
    call({ id: 'route.id', idd: 1 }),
    '"idd"',
    '"customers.remove" has no parameter "idd". Did you mean "id"?',
  );
  expectProblem(
    call({}),
    '"do": "call"'.replace('"do": "call"', '{\n            "do": "call"'),
    '"customers.remove" needs the parameter "id".',
  );
  expectProblem(
    press({ do: 'call', operation: 'customers.get', with: { id: 1 } }),
    '{\n            "do"',
    '"customers.get" is a GET; read it through a data source.',
  );
});

test('a data source reads, and has what it needs', () => {
  const node = { type: 'text', path: 'data.one.Result.Name' };
  const source = (one: Json) => ({ data: { one } });
  expectProblem(node, '"one": {', '"customers.get" needs the parameter "id".', source({ operation: 'customers.get' }));
  expectProblem(
    node,
    '"ids"',
    '"customers.get" has no parameter "ids". Did you mean "id"?',
    source({ operation: 'customers.get', with: { id: 1, ids: 2 } }),
  );
  expectProblem(
    { ...node, path: 'data.one.Result.Id' },
    '"operation"',
    '"customers.add" is not a GET; a data source only reads.',
    source({ operation: 'customers.add' }),
  );
});

test('a parameter that must be given is given', () => {
  const operations = {
    'a.b': {
      service: 'cloud',
      method: 'GET',
      path: '/api/a',
      with: { kind: { type: 'string', required: true }, page: { type: 'integer' } },
    },
  };
  const set = {
    operations,
    screens: [
      {
        id: 'home',
        data: { one: { operation: 'a.b', with: { page: 1 } } },
        children: [{ type: 'text', path: 'data.one.Result.A' }],
      },
    ],
  };
  assert.deepEqual(problemsOf(set), [`${placeOf(set, home, '"one"')}: error: "a.b" needs the parameter "kind".`]);
});

test('a command hands over only its own parameters, and a body only where it takes one', () => {
  const command = (rest: Json) => press({ do: 'command', command: 'product.add', ...rest });
  expectProblem(
    command({ with: { ids: 1 } }),
    '"ids"',
    'The command "product.add" has no parameter "ids". Did you mean "id"?',
  );
  expectProblem(command({ body: { A: 1 } }), '{\n            "do"', 'The command "product.add" takes no body.');
});

test('a popup is opened with exactly its parameters', () => {
  const popups = [{ id: 'rename', parameters: ['id', 'name'], children: [{ type: 'text', path: 'popup.name' }] }];
  const open = (given: Json) => ({ popups, ...screen([press({ do: 'open-popup', popup: 'rename', with: given })]) });
  assert.deepEqual(problemsOf(open({ id: 1, name: 'route.name' })), []);
  assert.deepEqual(problemsOf(open({ id: 1 })), [
    'screens/home.json:21:11: error: The popup "rename" needs the parameter "name".',
  ]);
  assert.deepEqual(problemsOf(open({ id: 1, name: 2, nam: 3 })), [
    'screens/home.json:27:15: error: The popup "rename" has no parameter "nam". Did you mean "name"?',
  ]);
});

test('a text gets every value that it interpolates from its node', () => {
  assert.deepEqual(problemsOf(screen([{ type: 'heading', text: 't.named', values: { name: 'route.name' } }])), []);
  expectProblem(
    { type: 'heading', text: 't.named' },
    '"text"',
    'Text "t.named" interpolates {{name}}, which this node does not hand it in "values".',
  );
  expectProblem(
    { type: 'heading', text: 't.many', values: { count: 2 } },
    '"text"',
    'Text "t.many" interpolates {{name}}, which this node does not hand it in "values".',
  );
  expectProblem(
    { type: 'heading', text: 't.many', values: { name: 'route.name' } },
    '"text"',
    'Text "t.many" interpolates {{count}}, which this node does not hand it in "values".',
  );
});

test('the values of a frame are not those of its children', () => {
  const section = { type: 'section', values: { name: 'route.name' }, children: [{ type: 'heading', text: 't.named' }] };
  expectProblem(
    section,
    '"text": "t.named"',
    'Text "t.named" interpolates {{name}}, which this node does not hand it in "values".',
  );
});

test('a text reads no data of its own', () => {
  const message = (what: string) =>
    `"{{${what}}}" is not a name; a text interpolates only values that its node hands it.`;
  for (const what of ['row.Name', 'principal.name', 'data.list.Result.Total', ' name ', 'name, uppercase', '']) {
    const set = { texts: { t: { own: `Hello {{${what}}}!` } } };
    assert.deepEqual(problemsOf(set), [`${placeOf(set, 'text/en/t.json', '"own"')}: error: ${message(what)}`]);
  }
});

test('the last variant of a text is there for everyone, and a plural form has no variants', () => {
  const set = {
    texts: { t: { own: [{ text: 'A' }, { requires: { views: ['home'] }, text: 'B' }], two_other: [{ text: 'A' }] } },
  };
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'text/en/t.json', '"own"')}: error: The last variant of a text needs no requirement.`,
    `${placeOf(set, 'text/en/t.json', '"two_other"')}: error: A plural form has no variants.`,
  ]);
});

test('a plural has a form for every number', () => {
  const set = { texts: { t: { own_one: 'one' } } };
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'text/en/t.json', '"own_one"')}: error: The plural "t.own" has no form "own_other".`,
  ]);
});

test('an area of texts may have any name, and touches nothing but itself', () => {
  const before = Object.getOwnPropertyNames(Object);
  const texts = { ['constructor']: { assign: 'A', keys_other: 'B' }, t: {} };
  assert.deepEqual(problemsOf({ ...screen([{ type: 'heading', text: 'constructor.assign' }]), texts }), []);
  assert.deepEqual(Object.getOwnPropertyNames(Object), before);
  assert.equal(typeof Object.assign, 'function');
});

test('a text and a link say one thing', () => {
  expectProblem(
    { type: 'text', text: 't.a', path: 'route.a' },
    '{\n      "type"',
    'A text node has either "text" or "path".',
  );
  expectProblem(
    { type: 'link', text: 't.a' },
    '{\n      "type"',
    'A link has either "to", "external" or "externalPath".',
  );
});

test('what has no children shows nothing, which is said', () => {
  const around = 'Nothing stands in "children": put nodes there, or leave out what is around it.';
  const itself = 'Nothing stands in "children": put nodes there, or leave it out.';
  for (const node of [
    { type: 'card', title: 't.a', children: [] },
    { type: 'toolbar', children: [] },
    { type: 'toolbar', children: [], end: [] },
    { type: 'tabs', id: 'tabs', path: 'route.tab', label: 't.a', tabs: [{ id: 'one', title: 't.a', children: [] }] },
  ])
    expectProblem(node, '"children": []', around);
  const form = {
    type: 'form',
    id: 'form',
    submit: 't.a',
    on: { submit: [{ do: 'publish', event: 'palette' }] },
    children: [],
  };
  expectProblem(form, '"children": []', itself);
  const toolbar = { type: 'toolbar', children: [], end: [{ type: 'text', text: 't.a' }] };
  assert.deepEqual(problemsOf(screen([toolbar])), []);
  expectProblem({ type: 'text', text: 't.a' }, '"children": []', around, { children: [] });
});

test('a download names a table of its document, however that is written', () => {
  const download = press({ do: 'download', table: 'table' });
  assert.deepEqual(problemsOf(screen([download, { ...table(), values: { a: 'row.Name' } }], list)), []);
  assert.deepEqual(
    problemsOf(screen([download, { type: 'table', values: { a: { value: 1 } }, ...table() }], list)),
    [],
  );
  expectProblem(
    press({ do: 'download', table: 'tabel' }),
    '"table": "tabel"',
    'Table "tabel" not found in this document. Did you mean "table"?',
    { ...list, meta: [table()] },
  );
  expectProblem(
    press({ do: 'download', table: 'other' }),
    '"table": "other"',
    'Table "other" not found in this document.',
    { meta: [{ type: 'text', id: 'other', path: 'route.a' }] },
  );
});

test('a chart stands beside a table of its document', () => {
  const chart = { type: 'chart', look: 'bars', label: 't.a', rows: 'data.list.Result.Items', empty: { title: 't.a' } };
  expectProblem(
    { ...chart, titlePath: 'row.Name', figure: 'row.Name', table: 'other' },
    '"table": "other"',
    'Table "other" not found in this document.',
    list,
  );
});

test('a data source that nothing reads is a warning', () => {
  const set = screen([{ type: 'heading', text: 't.a' }], list);
  const warnings = compileSet({ ...base, ...set }, commands).problems.map(formatProblem);
  assert.deepEqual(warnings, [`${placeOf(set, home, '"list": {')}: warning: Nothing reads the data source "list".`]);
});
