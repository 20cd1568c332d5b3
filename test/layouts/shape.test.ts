import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkShape } from '../../server/layouts/check/shape.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import type { Json } from '../fixtures/schemas.ts';

function check(text: string): string[] {
  const source = parseSource('a.json', text);
  if (!('file' in source)) throw new Error(source.map(formatProblem).join('\n'));
  return checkShape(source).map(formatProblem);
}

/** Problems of a screen with the given parts, without their place. */
function messages(parts: Json): string[] {
  const whole = {
    $schema: 'meta/screen.schema.json',
    id: 'home',
    route: '/',
    title: 't.title',
    requires: { views: ['home'] },
    children: [],
  };
  return check(JSON.stringify({ ...whole, ...parts })).map(line => line.replace(/^a\.json:\d+:\d+: error: /, ''));
}

const messagesOf = (node: Json): string[] => messages({ children: [node] });

test('a sound document has no problem', () => {
  assert.deepEqual(messagesOf({ type: 'heading', text: 't.a', level: 2 }), []);
});

test('a problem stands at its file, line and column and says what was meant', () => {
  const text = `{
  "$schema": "meta/screen.schema.json",
  "id": "home",
  "rout": "/home",
  "route": "/home",
  "title": "t.title",
  "requires": { "views": ["home"] },
  "children": [
    { "type": "buton", "text": "t.go" },
    { "type": "heading", "text": "t.a", "level": 7 }
  ]
}`;
  assert.deepEqual(check(text), [
    'a.json:4:3: error: "rout" is not known here. Did you mean "route"?',
    'a.json:9:7: error: Node type "buton" not found. Did you mean "button"?',
    'a.json:10:41: error: "level" cannot be 7; it can be 2, 3.',
  ]);
});

test('a node needs a type, and one that there is', () => {
  assert.deepEqual(messagesOf({ text: 't.a' }), ['A node needs "type".']);
  assert.deepEqual(messagesOf({ type: 1 }), ['"type" must be string, not integer.']);
  assert.deepEqual(messages({ children: ['heading'] }), ['An entry of "children" must be a node, not string.']);
  assert.deepEqual(messages({ children: [null] }), ['An entry of "children" must be a node, not null.']);
  assert.deepEqual(messagesOf({ type: 'hologram' }), ['Node type "hologram" not found.']);
  assert.deepEqual(messagesOf({ type: 'toString' }), ['Node type "toString" not found.']);
  assert.deepEqual(messagesOf({ type: 'Button' }), ['Node type "Button" not found. Did you mean "button"?']);
});

test('an effect needs a name that there is', () => {
  const press = (effect: unknown) => messagesOf({ type: 'button', text: 't.go', on: { press: [effect] } });
  assert.deepEqual(press({ do: 'sign-out' }), []);
  assert.deepEqual(press({ do: 'navigat', to: '/' }), ['Effect "navigat" not found. Did you mean "navigate"?']);
  assert.deepEqual(press({ to: '/' }), ['An effect needs "do".']);
  assert.deepEqual(press({ do: 'navigate' }), ['An entry of "press" needs "to".']);
  assert.deepEqual(press({ do: 'navigate', to: 'https://example.test/' }), [
    '"to" cannot be "https://example.test/". Address of a screen, with {path} parts. The node is trimmed when the caller cannot reach that screen.',
  ]);
});

test('what is missing is named', () => {
  assert.deepEqual(check('{ "$schema": "meta/screen.schema.json", "id": "home" }'), [
    'a.json:1:1: error: The document needs "route".',
    'a.json:1:1: error: The document needs "title".',
    'a.json:1:1: error: The document needs "requires".',
    'a.json:1:1: error: The document needs "children".',
  ]);
  assert.deepEqual(messagesOf({ type: 'button', text: 't.go', on: {} }), ['"on" needs "press".']);
});

test('a screen without a requirement does not load', () => {
  assert.deepEqual(
    check('{ "$schema": "meta/screen.schema.json", "id": "home", "route": "/", "title": "t.title", "children": [] }'),
    ['a.json:1:1: error: The document needs "requires".'],
  );
});

test('a value is of the type that its place asks for', () => {
  assert.deepEqual(messages({ children: {} }), ['"children" must be array, not object.']);
  assert.deepEqual(messages({ title: 7 }), ['"title" must be string, not integer.']);
  assert.deepEqual(messages({ title: null }), ['"title" must be string, not null.']);
  assert.deepEqual(messagesOf({ type: 'stack', tight: 'yes', children: [] }), ['"tight" must be boolean, not string.']);
  assert.deepEqual(messages({ state: { open: [] } }), [
    '"open" must be string or number or boolean or null, not array.',
  ]);
  assert.deepEqual(messages({ data: { a: { operation: 'a.b', every: 5000.5 } } }), [
    '"every" must be integer, not number.',
  ]);
});

test('numbers, texts and lists keep within their bounds', () => {
  assert.deepEqual(messages({ data: { a: { operation: 'a.b', every: 10 } } }), ['"every" must be at least 5000.']);
  const field = (rest: Json) => messagesOf({ type: 'field', propertyName: 'A', kind: 'text', label: 't.a', ...rest });
  assert.deepEqual(field({ maxLength: 1_000_001 }), ['"maxLength" must be at most 1000000.']);
  assert.deepEqual(field({ regex: 'a'.repeat(501) }), ['"regex" is longer than 500 characters.']);
  assert.deepEqual(field({ regex: '\u{1f600}'.repeat(500) }), []);
  assert.deepEqual(messagesOf({ type: 'menu', text: 't.a', items: [] }), ['"items" needs at least 1 entries.']);
  const effects = Array.from({ length: 21 }, () => ({ do: 'close-popup' }));
  assert.deepEqual(messagesOf({ type: 'button', text: 't.go', on: { press: effects } }), [
    '"press" has more than 20 entries.',
  ]);
  const access = { $schema: 'meta/access.schema.json', views: ['home', 'home'], permissions: [], features: [] };
  assert.deepEqual(check(JSON.stringify(access)), ['a.json:1:54: error: "home" stands in "views" twice.']);
});

test('a text is a key, a path is a path, and the message says how one looks', () => {
  assert.deepEqual(messages({ title: 'Customers' }), [
    '"title" cannot be "Customers". Key of a text: <area>.<name> in schemas/text/<language>/<area>.json.',
  ]);
  assert.deepEqual(messagesOf({ type: 'text', path: 'customer.Name' }), [
    '"path" cannot be "customer.Name". Where a value is read: data.…, row.…, form.…, route.…, principal.…, state.…, reply.… or popup.…',
  ]);
  assert.deepEqual(messagesOf({ type: 'search', path: 'data.a.b', label: 't.a' }), [
    '"path" cannot be "data.a.b". Where the value is kept: route.<name> (in the address) or state.<name> (on the page).',
  ]);
});

test('a binding is a path or a constant, never an expression', () => {
  const bound = (value: unknown) => messages({ data: { a: { operation: 'a.b', with: { id: value } } } });
  for (const good of [
    'route.id',
    'row',
    7,
    true,
    { value: null },
    { value: 'x' },
    { path: 'route.id', format: 'date' },
  ])
    assert.deepEqual(bound(good), []);
  const meant = 'a path such as "route.page", a number, true, false, or { "value": … }.';
  for (const bad of [
    'x',
    'route.id + 1',
    '',
    null,
    [],
    {},
    { value: {} },
    { value: 1, path: 'route.id' },
    { path: 'route.id' },
    { path: 'secret', format: 'date' },
  ]) {
    const message =
      typeof bad === 'string' ? `"id" cannot be ${JSON.stringify(bad)}: it is ${meant}` : `"id" must be ${meant}`;
    assert.deepEqual(bound(bad), [message], JSON.stringify(bad));
  }
});

test('a requirement has only the keys that there are', () => {
  assert.deepEqual(messages({ requires: { role: ['admin'] } }), ['"role" is not known here.']);
  assert.deepEqual(messages({ requires: {} }), ['"requires" is empty.']);
  assert.deepEqual(messages({ requires: { permission: ['add'] } }), [
    '"permission" is not known here. Did you mean "permissions"?',
  ]);
  assert.deepEqual(messages({ requires: { views: [] } }), ['"views" needs at least 1 entries.']);
  assert.deepEqual(messages({ requires: { prices: false } }), ['"prices" must be true.']);
  assert.deepEqual(messages({ requires: { any: [{ views: ['home'] }, { userTypes: ['enduser'] }] } }), [
    'An entry of "userTypes" cannot be "enduser"; it can be "public", "reseller", "engineer", "endUserAdmin", "endUser", "mustSign". Did you mean "endUser"?',
  ]);
});

test('an unknown condition is an error, never true', () => {
  const when = (condition: unknown) => messagesOf({ type: 'text', path: 'route.a', when: condition });
  assert.deepEqual(when({ path: 'route.a', is: 'x' }), []);
  assert.deepEqual(when({ path: 'route.a', equals: 'x' }), ['"equals" is not known here.']);
  assert.deepEqual(when({ not: { all: [{ path: 'route.a', empty: 'yes' }] } }), [
    '"empty" must be boolean, not string.',
  ]);
  assert.deepEqual(when('route.a'), [
    '"when" must be object, not string. Write { "given": "route.a" } where there must be a value.',
  ]);
  assert.deepEqual(when({}), ['"when" is empty.']);
});

test('names of data sources, states and parameters are plain words', () => {
  assert.deepEqual(messages({ data: { 'a b': { operation: 'a.b' } } }), ['The name "a b" cannot be used here.']);
  assert.deepEqual(messages({ state: { Open: true } }), ['The name "Open" cannot be used here.']);
  assert.deepEqual(messages({ data: { a: { operation: 'a.b', with: { 'x-y': 1 } } } }), [
    'The name "x-y" cannot be used here.',
  ]);
});

test('a text document holds texts and lists of variants', () => {
  const texts = (value: unknown) => check(JSON.stringify({ $schema: 'meta/texts.schema.json', a: value }));
  assert.deepEqual(texts('A'), []);
  assert.deepEqual(texts([{ requires: { views: ['home'] }, text: 'A' }, { text: 'B' }]), []);
  for (const bad of [7, { text: 'A' }])
    assert.deepEqual(texts(bad), ['a.json:1:37: error: "a" has none of the allowed forms.']);
  assert.deepEqual(texts([]), ['a.json:1:37: error: "a" needs at least 1 entries.']);
  assert.deepEqual(texts([{ requires: { views: ['home'] } }]), ['a.json:1:42: error: An entry of "a" needs "text".']);
  assert.deepEqual(texts([{ text: 'A', when: true }]), ['a.json:1:54: error: "when" is not known here.']);
});

test('where a list is one of several forms, what is wrong in the list is said', () => {
  const link = (keep: unknown) => messagesOf({ type: 'link', text: 't.a', to: '/a', keep });
  assert.deepEqual(link(['a', 'b']), []);
  assert.deepEqual(link(['a', 'a']), ['"a" stands in "keep" twice.']);
  assert.deepEqual(link([1]), ['An entry of "keep" must be string, not integer.']);
  assert.deepEqual(link('a'), ['"keep" has none of the allowed forms.']);
});

test('a part is given what it takes inside of a binding too', () => {
  const part = (day: Json) => {
    const text = JSON.stringify({
      $schema: 'meta/part.schema.json',
      id: 'day',
      parameters: { day: 'path', as: 'value' },
      children: [{ type: 'text', text: 't.a', values: { day } }],
    });
    return check(text).map(line => line.replace(/^a\.json:\d+:\d+: error: /, ''));
  };
  assert.deepEqual(part({ path: 'part.day', format: 'date' }), []);
  assert.deepEqual(part({ path: 'route.day', format: '{part.as}' }), []);
  const said = ['"day" must be a path such as "route.page", a number, true, false, or { "value": … }.'];
  assert.deepEqual(part({ path: 'Part of a day', format: 'date' }), said);
});
