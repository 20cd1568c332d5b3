import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, placeOf, type SchemaSet } from '../fixtures/schemas.ts';

const home = 'screens/home.json';
const get = { service: 'cloud', method: 'GET', path: '/api/customers' };
const commands: CommandDeclaration[] = [
  { name: 'product.add', parameters: ['id'], reply: { Name: 'text' }, asks: ['customers.get'] },
  { name: 'product.drop', asks: ['products.drop'] },
];

const base: SchemaSet = {
  operations: {
    'customers.list': get,
    'customers.get': { ...get, path: '/api/customers/{id}', with: { id: { type: 'string' } } },
  },
  popups: [{ id: 'rename', parameters: ['id'], children: [{ type: 'heading', text: 't.a' }] }],
  forms: [{ id: 'name', fields: [{ type: 'field', propertyName: 'Name', kind: 'text', label: 't.a' }] }],
  catalogues: [{ id: 'status', entries: [{ value: 1, text: 't.a' }] }],
};

function problemsOf(set: SchemaSet): string[] {
  return compileSet({ ...base, ...set }, commands)
    .problems.filter(problem => problem.severity === 'error')
    .map(formatProblem);
}

/** A screen with one node; its only problem stands at `snippet` and reads `message`. */
function expectProblem(node: Json, snippet: string, message: string, rest: Json = {}): void {
  const set = { screens: [{ id: 'home', children: [node], ...rest }] };
  assert.deepEqual(problemsOf(set), [`${placeOf(set, home, snippet)}: error: ${message}`]);
}

const press = (...effects: Json[]): Json => ({ type: 'button', text: 't.go', on: { press: effects } });

test('a sound set has no problems', () => {
  assert.deepEqual(
    problemsOf({
      screens: [{ id: 'home', children: [press({ do: 'open-popup', popup: 'rename', with: { id: 'route.id' } })] }],
    }),
    [],
  );
});

test('a text that is not there', () => {
  expectProblem(
    { type: 'heading', text: 't.titel' },
    '"text": "t.titel"',
    'Text "t.titel" not found. Did you mean "t.title"?',
  );
});

test('an operation that is not there', () => {
  const data = { list: { operation: 'customer.list' } };
  const node = { type: 'text', path: 'data.list.Result.Name' };
  expectProblem(
    node,
    '"operation": "customer.list"',
    'Operation "customer.list" not found. Did you mean "customers.list"?',
    { data },
  );
  expectProblem(
    press({ do: 'call', operation: 'nothing' }),
    '"operation": "nothing"',
    'Operation "nothing" not found.',
  );
});

test('a command that is not there', () => {
  expectProblem(
    press({ do: 'command', command: 'product.ad' }),
    '"command": "product.ad"',
    'Command "product.ad" not found. Did you mean "product.add"?',
  );
});

test('a command whose operation is not there', () => {
  expectProblem(
    press({ do: 'command', command: 'product.drop' }),
    '{\n            "do": "command"',
    'The command "product.drop" asks the operation "products.drop", which is not found.',
  );
});

test('a popup that is not there', () => {
  expectProblem(
    press({ do: 'open-popup', popup: 'renam' }),
    '"popup": "renam"',
    'Popup "renam" not found. Did you mean "rename"?',
  );
});

test('a form that is not there', () => {
  const form = { type: 'form', id: 'f', form: 'names', submit: 't.go', on: { submit: [{ do: 'close-popup' }] } };
  expectProblem(form, '"form": "names"', 'Form "names" not found. Did you mean "name"?');
});

test('a catalogue that is not there', () => {
  expectProblem(
    { type: 'badge', path: 'route.a', catalogue: 'state' },
    '"catalogue": "state"',
    'Catalogue "state" not found. Did you mean "status"?',
  );
});

test('an address that no screen has', () => {
  expectProblem(
    { type: 'link', text: 't.go', to: '/hom' },
    '"to": "/hom"',
    'No screen has the address "/hom". Did you mean "/home"?',
  );
  expectProblem(
    press({ do: 'navigate', to: '/customers/{route.id}/x?tab=a' }),
    '"to": "/customers',
    'No screen has the address "/customers/{route.id}/x?tab=a".',
  );
});

test('an address leads to the pattern of its parts, with or without a query', () => {
  const screens = [
    { id: 'home', children: [{ type: 'link', text: 't.go', to: '/customers/{route.id}?tab={route.tab}#top' }] },
    {
      id: 'customer',
      route: '/customers/{id}',
      children: [
        { type: 'link', text: 't.go', to: '/home/' },
        { type: 'link', text: 't.go', to: '/' },
      ],
    },
  ];
  assert.deepEqual(problemsOf({ screens }), []);
});

test('a part of an address that reads what is not there', () => {
  expectProblem({ type: 'link', text: 't.go', to: '/home?x={row.Id}' }, '"to"', '"row.Id" stands outside a list.');
  expectProblem(
    { type: 'link', text: 't.go', to: '/?x={state.opne}' },
    '"to"',
    'State "opne" is not declared. Did you mean "open"?',
    { state: { open: true } },
  );
});

test('rights that access.json does not name, wherever they are asked for', () => {
  const text = (requires: Json): Json => ({ type: 'heading', text: 't.a', requires });
  expectProblem(
    text({ views: ['custommers'] }),
    '"custommers"',
    'The view "custommers" is not in access.json. Did you mean "customers"?',
  );
  expectProblem(
    text({ permissions: ['add', 'edits'] }),
    '"edits"',
    'The permission "edits" is not in access.json. Did you mean "edit"?',
  );
  expectProblem(
    text({ not: { features: ['Nw'] } }),
    '"Nw"',
    'The feature "Nw" is not in access.json. Did you mean "New"?',
  );
  expectProblem(
    text({ any: [{ prices: true }, { any: [{ views: ['x-ray'] }] }] }),
    '"x-ray"',
    'The view "x-ray" is not in access.json.',
  );
});

test('rights that access.json does not name in a variant of a text', () => {
  const set = { texts: { t: { note: [{ requires: { permissions: ['adds'] }, text: 'A' }, { text: 'B' }] } } };
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'text/en/t.json', '"adds"')}: error: The permission "adds" is not in access.json. Did you mean "add"?`,
  ]);
});

test('rights that access.json does not name in a form, a catalogue or an operation', () => {
  const requires = { views: ['hom'] };
  const message = 'error: The view "hom" is not in access.json. Did you mean "home"?';
  const field = { type: 'field', propertyName: 'A', kind: 'text', label: 't.a' };
  const form = { forms: [{ id: 'x', requires, fields: [field] }] };
  assert.deepEqual(problemsOf(form), [`${placeOf(form, 'forms/x.json', '"hom"')}: ${message}`]);
  const catalogue = { catalogues: [{ id: 'x', entries: [{ value: 1, text: 't.a', requires }] }] };
  assert.deepEqual(problemsOf(catalogue), [`${placeOf(catalogue, 'catalogue/x.json', '"hom"')}: ${message}`]);
  const operation = {
    operations: { 'a.b': { ...get, requires: { any: [requires] }, reply: { Name: { kind: 'text', requires } } } },
  };
  const text = 'operations.json';
  assert.deepEqual(problemsOf(operation), [
    `${placeOf(operation, text, '"hom"')}: ${message}`,
    `${text}:22:15: ${message}`,
  ]);
});

test('a data source that is not there', () => {
  const data = { list: { operation: 'customers.list' } };
  const used = { type: 'text', path: 'data.list.Result.Name' };
  const rest = { data, meta: [used] };
  expectProblem(
    { type: 'text', path: 'data.lst.Result.Name' },
    '"path": "data.lst',
    'Data source "lst" not found. Did you mean "list"?',
    rest,
  );
});

test('a state, a fact of the caller or a popup parameter that is not there', () => {
  expectProblem({ type: 'text', path: 'state.x' }, '"path"', 'State "x" is not declared.');
  expectProblem(
    { type: 'text', path: 'principal.mail' },
    '"path"',
    'The caller has no fact "mail". Did you mean "email"?',
  );
  expectProblem({ type: 'text', path: 'popup.id' }, '"path"', '"popup.id" stands outside a popup.');
  const popups = [{ id: 'rename', parameters: ['id'], children: [{ type: 'text', path: 'popup.ids' }] }];
  assert.deepEqual(problemsOf({ popups }), [
    `${placeOf({ popups }, 'popups/rename.json', '"path"')}: error: Parameter "ids" is not declared by this popup. Did you mean "id"?`,
  ]);
});

test('two documents of one id, two screens of one address, two operations of one name', () => {
  const heading = { type: 'heading', text: 't.a' };
  const screens = [
    { id: 'home', children: [heading] },
    { id: 'one', route: '/x/{id}', children: [heading] },
    { id: 'two', route: '/x/{other}', children: [heading] },
  ];
  assert.deepEqual(problemsOf({ screens }), [
    `${placeOf({ screens }, 'screens/two.json', '"route"')}: error: The route "/x/{other}" is already used by screens/one.json.`,
  ]);
});

test('an address that nobody could come to', () => {
  const route = (given: string) => {
    const set = { screens: [{ id: 'home', route: given, children: [{ type: 'heading', text: 't.a' }] }] };
    return problemsOf(set).map(line => line.replace(`${placeOf(set, home, '"route"')}: error: `, ''));
  };
  assert.deepEqual(route('/x/{id}-{name}.csv'), []);
  assert.deepEqual(route('/x/{id'), ['The route "/x/{id" has a brace that is no {parameter}.']);
  assert.deepEqual(route('/x/{1}'), ['The route "/x/{1}" has a brace that is no {parameter}.']);
  assert.deepEqual(route('/{id}/{id}'), ['The route "/{id}/{id}" names a parameter twice.']);
  assert.deepEqual(route('/{constructor}'), ['The name "constructor" is not allowed.']);
  for (const path of ['/x/', '//x', '/x//y'])
    assert.deepEqual(route(path), [`The route "${path}" has an empty part, so that no address matches it.`]);
});

test('another address of a screen has its parameters and is nobody else’s', () => {
  const found = (aliases: string[]) => {
    const children = [{ type: 'heading', text: 't.a' }];
    const set = {
      screens: [
        { id: 'home', route: '/home/{id}', aliases, children },
        { id: 'other', route: '/other/{id}', children },
      ],
    };
    return problemsOf(set).map(line => line.split(': error: ')[1]);
  };
  assert.deepEqual(found(['/old/{id}', '/{id}/at/{place}']), []);
  assert.deepEqual(found(['/old']), ['The address "/old" cannot lead to "/home/{id}": it has no parameter "id".']);
  assert.deepEqual(found(['/other/{id}']), ['The route "/other/{id}" is already used by screens/home.json.']);
});

test('an id that stands twice in one document, or is one of those the server makes', () => {
  const twice = {
    type: 'stack',
    children: [
      { type: 'heading', text: 't.a', id: 'a' },
      { type: 'heading', text: 't.b', id: 'a' },
    ],
  };
  const set = { screens: [{ id: 'home', children: [twice] }] };
  assert.deepEqual(problemsOf(set), ['screens/home.json:27:11: error: The id "a" is used twice in this document.']);
  expectProblem(
    { type: 'heading', text: 't.a', id: 'n12' },
    '"id": "n12"',
    'Ids such as "n12" are made by the server; choose a word.',
  );
});

test('two actions of one id in a document would be taken for each other', () => {
  const item = { id: 'open', text: 't.go', on: { press: [{ do: 'close-popup' }] } };
  const menus = [
    { type: 'menu', text: 't.a', items: [item] },
    { ...press({ do: 'close-popup' }), id: 'open' },
  ];
  const set = { screens: [{ id: 'home', children: menus }] };
  assert.deepEqual(problemsOf(set), ['screens/home.json:43:7: error: The id "open" is used twice in this document.']);
});

test('names that reach into objects are no names of parts', () => {
  expectProblem({ type: 'text', path: 'route.__proto__' }, '"path"', 'The name "__proto__" is not allowed.');
  expectProblem(
    { type: 'text', path: 'principal.constructor.name' },
    '"path"',
    'The name "constructor" is not allowed.',
  );
  expectProblem(
    { type: 'heading', text: 't.a', id: 'constructor' },
    '"id": "constructor"',
    'The name "constructor" is not allowed.',
  );
  const field = { type: 'field', propertyName: 'prototype', kind: 'text', label: 't.a' };
  const form = { type: 'form', id: 'f', submit: 't.go', on: { submit: [{ do: 'close-popup' }] }, children: [field] };
  expectProblem(form, '"propertyName"', 'The name "prototype" is not allowed.');
});

test('a broken document is still known by its name: one mistake is reported once', () => {
  const broken = [{ type: 'heading', text: 't.a', level: 9 }];
  const set = {
    screens: [
      {
        id: 'home',
        children: [
          { type: 'link', text: 't.go', to: '/other' },
          press({ do: 'open-popup', popup: 'rename', with: { id: 1 } }),
        ],
      },
      { id: 'other', children: broken },
    ],
    popups: [{ id: 'rename', parameters: ['id'], children: broken }],
    forms: [{ id: 'name', fields: broken }],
  };
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'screens/other.json', '"level"')}: error: "level" cannot be 9; it can be 2, 3.`,
    `${placeOf(set, 'popups/rename.json', '"level"')}: error: "level" cannot be 9; it can be 2, 3.`,
    `${placeOf(set, 'forms/name.json', '"level"')}: error: "level" cannot be 9; it can be 2, 3.`,
  ]);
});

test('documents whose very names are broken are reported and harm nobody', () => {
  const set = {
    screens: [
      { id: { a: 1 }, route: { b: 2 }, children: [] },
      { id: 'x', route: '/a{2,1}', children: [] },
      { id: 'home', children: [{ type: 'link', text: 't.go', to: '/nowhere' }] },
    ],
  };
  assert.deepEqual(
    problemsOf(set).map(line => line.replace(/:\d+:\d+: error/, '')),
    [
      'screens/[object Object].json: "route" must be string, not object.',
      'screens/[object Object].json: "id" must be string, not object.',
      'screens/x.json: "route" cannot be "/a{2,1}". Address with {parameter} parts.',
      'screens/home.json: No screen has the address "/nowhere".',
    ],
  );
});
