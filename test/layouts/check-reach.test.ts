import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder } from '../../server/layouts/index.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { checkReach } from '../../server/layouts/trim/check-reach.ts';
import { compile, compiler } from '../fixtures/compiler.ts';
import { type Json, placeOf, type SchemaSet, schemaSet } from '../fixtures/schemas.ts';

const text: Json = { type: 'text', text: 't.a' };
const press = (effect: Json): Json => ({ type: 'button', text: 't.go', on: { press: [effect] } });

/** What is found, apart from texts of the fixture that a test does not use. */
function found(set: SchemaSet): string[] {
  const sources = schemaSet(set);
  return checkReach(compile(sources, []).compiled)
    .map(formatProblem)
    .filter(line => !line.includes('Nothing uses the text "t.'));
}

test('a set in which everything is reached has no problem', () => {
  assert.deepEqual(found({ screens: [{ id: 'home', children: [text, press({ do: 'navigate', to: '/home' })] }] }), []);
});

test('a popup that nothing opens is a warning', () => {
  const set = { screens: [{ id: 'home', children: [text] }], popups: [{ id: 'spare', children: [text] }] };
  assert.deepEqual(found(set), [
    `${placeOf(set, 'popups/spare.json', '"id"')}: warning: Nothing opens the popup "spare".`,
  ]);
});

test('a popup that only unreachable parts open is an error', () => {
  const never = { requires: { userTypes: ['public'], permissions: ['add'] } };
  const set = {
    screens: [{ id: 'home', children: [text, { ...press({ do: 'open-popup', popup: 'spare' }), ...never }] }],
    popups: [{ id: 'spare', children: [text] }],
  };
  assert.deepEqual(found(set), [
    `${placeOf(set, 'popups/spare.json', '"id"')}: error: Nobody can reach the popup "spare".`,
  ]);
});

test('a field that nobody who sees its part may have is an error', () => {
  const reply = { Name: 'text', Note: { kind: 'text', requires: { userTypes: ['endUser'] } }, Price: 'money' };
  const set = (requires: Json): SchemaSet => ({
    operations: { 'a.get': { service: 'cloud', method: 'GET', path: '/a', reply } },
    screens: [
      {
        id: 'home',
        requires,
        data: { a: { operation: 'a.get' } },
        children: ['Name', 'Note', 'Price'].map(name => ({ type: 'text', path: `data.a.Result.${name}` })),
      },
    ],
  });
  assert.deepEqual(found(set({ userTypes: ['endUser', 'reseller'] })), []);
  const closed = set({ userTypes: ['reseller'] });
  assert.deepEqual(found(closed), [
    `${placeOf(closed, 'screens/home.json', '"path": "data.a.Result.Note"')}: error: Nobody who may see this can reach the field "Result.Note" of "a.get".`,
  ]);
});

test('a form, catalogue, operation or text that nothing uses is a warning', () => {
  const set: SchemaSet = {
    screens: [{ id: 'home', children: [text] }],
    forms: [{ id: 'spare', fields: [{ type: 'field', propertyName: 'A', kind: 'text', label: 't.a' }] }],
    catalogues: [{ id: 'spare', entries: [{ value: 1, text: 't.a' }] }],
    operations: { 'a.b': { service: 'cloud', method: 'GET', path: '/a' } },
    texts: { spare: { one: 'One', two_one: 'One', two_other: 'Two' } },
  };
  assert.deepEqual(found(set), [
    `${placeOf(set, 'forms/spare.json', '"id"')}: warning: Nothing uses the form "spare".`,
    `${placeOf(set, 'catalogue/spare.json', '"id"')}: warning: Nothing uses the catalogue "spare".`,
    `${placeOf(set, 'operations.json', '"a.b"')}: warning: Nothing calls the operation "a.b".`,
    `${placeOf(set, 'text/en/spare.json', '"one"')}: warning: Nothing uses the text "spare.one".`,
    `${placeOf(set, 'text/en/spare.json', '"two_one"')}: warning: Nothing uses the text "spare.two".`,
    `${placeOf(set, 'text/en/spare.json', '"two_other"')}: warning: Nothing uses the text "spare.two".`,
  ]);
});

test('a screen that nobody can open is an error', () => {
  const set = { screens: [{ id: 'home', children: [text], requires: { userTypes: ['public'], views: ['home'] } }] };
  assert.deepEqual(found(set), [
    `${placeOf(set, 'screens/home.json', '"requires"')}: error: Nobody can reach this screen.`,
  ]);
});

test('an action that leads nowhere for everyone who may see it is an error', () => {
  const engineers = { requires: { userTypes: ['engineer'] } };
  const resellers = { requires: { userTypes: ['reseller'] } };
  const set: SchemaSet = {
    screens: [
      {
        id: 'home',
        children: [
          text,
          { ...press({ do: 'navigate', to: '/other' }), ...engineers },
          { ...press({ do: 'open-popup', popup: 'ask' }), ...engineers },
          press({ do: 'navigate', to: '/other' }),
        ],
      },
      { id: 'other', children: [text, press({ do: 'open-popup', popup: 'ask' })], ...resellers },
    ],
    popups: [{ id: 'ask', children: [text], ...resellers }],
  };
  assert.deepEqual(found(set), [
    'screens/home.json:27:13: error: Nobody who may see this can reach /other.',
    'screens/home.json:44:13: error: Nobody who may see this can reach the popup "ask".',
  ]);
});

test('a part for one currency, for who is switched, or for one flag on and another off is reached', () => {
  for (const requires of [
    { currencies: ['EUR'] },
    { currencies: ['EUR'], switched: true, features: ['New'] },
    { switched: false, not: { features: ['New'] } },
    { features: ['New'], not: { features: ['Old'] } },
    { any: [{ all: [{ features: ['Old'] }, { not: { features: ['New'] } }], prices: true }] },
  ]) {
    assert.deepEqual(found({ screens: [{ id: 'home', children: [text], requires }] }), [], JSON.stringify(requires));
  }
});

test('the schemas of the product have no problem', async () => {
  assert.deepEqual(
    (await checkFolder(join(import.meta.dirname, '../../schemas'), commandDeclarations, compiler)).map(formatProblem),
    [],
  );
});

test('a screen that a type of users may open though none of its data is theirs is a warning', () => {
  const operations = {
    'a.list': { service: 'cloud', method: 'GET', path: '/api/a', requires: { userTypes: ['reseller', 'engineer'] } },
  };
  const said = (userTypes: readonly string[], rest: Json = {}): string[] =>
    found({
      operations,
      screens: [
        {
          ...{ id: 'home', route: '/', requires: { userTypes }, data: { a: { operation: 'a.list' } } },
          children: [text, { type: 'text', path: 'data.a.Result.Name' }],
          ...rest,
        },
      ],
    })
      .filter(line => line.includes('theirs'))
      .map(line => line.replace(/^.*?: warning: /, ''));
  assert.deepEqual(said(['reseller', 'engineer']), []);
  assert.deepEqual(said(['reseller', 'endUser']), [
    'Who is of type "endUser" may open this, and none of its data is theirs.',
  ]);
  assert.deepEqual(said(['endUser'], { data: undefined, children: [text] }), []);
});
