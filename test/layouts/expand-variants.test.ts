import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import type { ScreenLayout } from '../../shared/language/types.ts';
import { compileSet, placeOf, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';

const home = (...also: object[]): SchemaSet => ({
  screens: [
    {
      id: 'home',
      route: '/home',
      also,
      state: { kind: 'one', rest: 1 },
      children: [{ type: 'text', path: 'state.kind' }],
    },
  ],
});
const problemsOf = (set: SchemaSet): string[] => compileSet(set).problems.map(formatProblem);

test('documents that differ in a few things are one document, and each of them is one for who opens it', () => {
  const { screens } = trimFor(home({ id: 'hut', route: '/hut/{id}', title: 't.b', state: { kind: 'two' } }), someone());
  const shown = [...screens.values()].map(({ layout }) => layout as ScreenLayout);
  assert.deepEqual(
    shown.map(({ id, route, title, state, also }) => [id, route, title, state, also]),
    [
      ['home', '/home', 'Title', { kind: 'one' }, undefined],
      ['hut', '/hut/{id}', 'B', { kind: 'two' }, undefined],
    ],
  );
});

test('what is wrong with one of them is told where it differs', () => {
  const set = home({ id: 'home', route: '/hut' }, { id: 'hut', route: '/hut', title: 't.nothing' });
  const at = (snippet: string) => placeOf(set, 'screens/home.json', snippet);
  assert.deepEqual(problemsOf(set), [
    `${at('"id": "home",\n      "route": "/hut"')}: error: The id "home" is already used by screens/home.json.`,
    `${at('"route": "/hut",\n      "title"')}: error: The route "/hut" is already used by screens/home.json.`,
    `${at('"title": "t.nothing"')}: error: Text "t.nothing" not found.`,
  ]);
});

test('a screen beside another has an address, and says nothing else that is not known', () => {
  assert.match(String(problemsOf(home({ id: 'hut' }))), /"route"/);
  assert.match(String(problemsOf(home({ id: 'hut', route: '/hut', requires: {} }))), /"requires"/);
});
