import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, placeOf, type SchemaSet } from '../fixtures/schemas.ts';

const requirements = {
  'reseller-side': { userTypes: ['reseller', 'engineer'] },
  'customer-side': { userTypes: ['endUserAdmin', 'endUser'] },
  modern: { features: ['New'] },
};
const text = (requires: unknown): Json => ({ type: 'text', text: 't.a', requires });
const reseller = { id: 'home', requires: 'reseller-side' };
const problemsOf = (set: SchemaSet): string[] =>
  compileSet({ access: { requirements }, ...set }, [{ name: 'own.flow', requires: 'customer-side' }]).problems.map(
    formatProblem,
  );
const at = (set: SchemaSet, snippet: string): string => placeOf(set, 'screens/home.json', snippet);
const [resellers, customers] = [
  'reseller-side (userTypes reseller or engineer)',
  'customer-side (userTypes endUserAdmin or endUser)',
];

test('a node for whom its screen is not is reported, with the requirement above it', () => {
  const set = { screens: [{ ...reseller, children: [text('reseller-side'), text('customer-side')] }] };
  assert.deepEqual(problemsOf(set), [
    `${at(set, '"requires": "customer-side"')}: warning: Nobody gets this: ${customers}; but above it stands ${resellers}.`,
  ]);
});

test('so is one that a card above it rules out, at any depth', () => {
  const inner = { type: 'section', children: [text({ not: { features: ['New'] } })] };
  const set = { screens: [{ ...reseller, children: [{ type: 'card', requires: 'modern', children: [inner] }] }] };
  assert.deepEqual(problemsOf(set), [
    `${at(set, '"requires": {')}: warning: Nobody gets this: not (features New); but above it stands modern (features New).`,
  ]);
});

test('and an action that calls what only others may call', () => {
  const press = (effect: Json): Json => ({ type: 'button', text: 't.go', on: { press: [effect] } });
  const set: SchemaSet = {
    operations: {
      'a.read': { service: 'cloud', method: 'GET', path: '/a', requires: 'customer-side' },
    },
    screens: [
      {
        ...reseller,
        data: { a: { operation: 'a.read' } },
        children: [{ type: 'text', path: 'data.a.Result.Name' }, press({ do: 'command', command: 'own.flow' })],
      },
    ],
  };
  assert.deepEqual(problemsOf(set), [
    `${at(set, '"operation"')}: warning: Nobody gets this: the operation "a.read" needs ${customers}; but above it stands ${resellers}.`,
    `${at(set, '"command": "own')}: warning: Nobody gets this: the command "own.flow" needs ${customers}; but above it stands ${resellers}.`,
  ]);
});

test('what nobody can meet by itself is an error, told once', () => {
  for (const requires of [
    { all: ['reseller-side', 'customer-side'] },
    { all: [{ userTypes: ['reseller'] }, { userTypes: ['engineer'] }] },
    { features: ['New'], not: { features: ['New'] } },
    { switched: true, not: { userTypes: ['endUser'] } },
    { userTypes: ['public'], views: ['home'] },
    { any: [{ userTypes: ['public'], prices: true }] },
  ]) {
    const [error = '', ...others] = problemsOf({ screens: [{ id: 'home', children: [text(requires)] }] });
    assert.match(error, /^screens\/home\.json:\d+:\d+: error: Nobody can meet this: /);
    assert.deepEqual(others, []);
  }
});

test('what somebody can meet is not reported', () => {
  for (const requires of [
    { all: ['reseller-side', { userTypes: ['engineer', 'endUser'] }] },
    { features: ['New', 'Old'], not: { features: ['Old'] } },
    { switched: true, previousTypes: ['reseller'] },
    { any: [{ userTypes: ['public'], views: ['home'] }, { jumped: true }] },
    { not: { userTypes: ['reseller'], switched: true } },
    { currencies: ['EUR'], not: { jumped: true } },
  ])
    assert.deepEqual(
      problemsOf({ screens: [{ id: 'home', children: [text(requires)] }] }),
      [],
      JSON.stringify(requires),
    );
});

test('a part that stands in two documents is right when it is for somebody in one of them', () => {
  const children = [text('customer-side'), text('reseller-side'), { type: 'text', text: 't.b' }];
  const also = [{ id: 'second', route: '/second', requires: 'customer-side' }];
  assert.deepEqual(problemsOf({ screens: [{ ...reseller, also, children }] }), []);
});
