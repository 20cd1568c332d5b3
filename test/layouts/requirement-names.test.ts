import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { explain } from '../../server/layouts/trim/explain.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import type { WrittenRequirement } from '../../shared/language/types.ts';
import { compile } from '../fixtures/compiler.ts';
import { compileSet, type Json, placeOf, type SchemaSet, schemaSet, someone, trimFor } from '../fixtures/schemas.ts';
import { drawPrincipal } from './drawn-principal.ts';
import { drawSet } from './drawn-set.ts';

const requirements = {
  'reseller-side': { userTypes: ['reseller', 'engineer'] },
  seller: { all: ['reseller-side', { permissions: ['add'] }] },
  'new-seller': { all: ['seller', { features: ['New'] }] },
};
const heading = (testId: string, requires: unknown): Json => ({ type: 'text', text: 't.a', testId, requires });
const setOf = (children: readonly Json[], access: Json = { requirements }): SchemaSet => ({
  access,
  screens: [{ id: 'home', children: [{ type: 'text', text: 't.a', testId: 'always' }, ...children] }],
});
const idsFor = (set: SchemaSet, rights: Parameters<typeof someone>[0]): string[] => {
  const layout = trimFor(set, someone(rights)).screens.get('/home')?.layout;
  return [...JSON.stringify(layout).matchAll(/"testId":"([^"]+)"/g)].map(([, id]) => id as string);
};
const errorsOf = (set: SchemaSet, commands: readonly CommandDeclaration[] = []): string[] =>
  compileSet(set, commands).problems.map(formatProblem);

test('a name stands for what access.json says, alone, in "all" and in "any", and names may use each other', () => {
  const set = setOf([
    heading('named', 'seller'),
    heading('all', { all: ['new-seller', { views: ['home'] }] }),
    heading('any', { any: [{ userTypes: ['endUser'] }, 'new-seller'] }),
  ]);
  assert.deepEqual(idsFor(set, { permissions: ['add'] }), ['always', 'named']);
  assert.deepEqual(idsFor(set, { permissions: ['add'], features: ['New'] }), ['always', 'named', 'any']);
  assert.deepEqual(idsFor(set, { permissions: ['add'], features: ['New'], views: ['home'] }), [
    'always',
    'named',
    'all',
    'any',
  ]);
  assert.deepEqual(idsFor(set, { type: 'endUser', permissions: ['add'] }), ['always', 'any']);
});

test('texts, operations, fields of replies, moved calls and commands take names as well', () => {
  const get = { service: 'cloud', method: 'GET', path: '/a' };
  const set: SchemaSet = {
    access: { requirements },
    texts: { t: { b: [{ requires: 'seller', text: 'For sellers' }, { text: 'For others' }] } },
    operations: {
      'a.closed': { ...get, requires: 'seller' },
      'a.open': {
        ...get,
        elsewhere: [{ requires: 'seller', path: '/b' }],
        reply: { Name: 'text', Cost: { kind: 'number?', requires: 'seller' } },
      },
    },
    screens: [
      {
        id: 'home',
        data: { closed: { operation: 'a.closed' }, open: { operation: 'a.open' } },
        children: [
          { type: 'text', text: 't.b' },
          { type: 'text', testId: 'closed', path: 'data.closed.Result.Name' },
          { type: 'text', testId: 'cost', path: 'data.open.Result.Cost' },
          { type: 'text', testId: 'name', path: 'data.open.Result.Name' },
          { type: 'button', text: 't.go', testId: 'do', on: { press: [{ do: 'command', command: 'do.it' }] } },
        ],
      },
    ],
  };
  const commands = [{ name: 'do.it', requires: 'seller' }];
  const access = (rights: Parameters<typeof someone>[0]) => trimFor(set, someone(rights), commands);
  const seen = (rights: Parameters<typeof someone>[0]) => JSON.stringify(access(rights).screens.get('/home')?.layout);
  assert.match(seen({ permissions: ['add'] }), /For sellers.*closed.*cost.*name.*do/);
  assert.deepEqual(
    [...seen({}).matchAll(/testId":"(\w+)/g)].map(([, id]) => id),
    ['name'],
  );
  assert.match(seen({}), /For others/);
  assert.deepEqual(access({}).project('a.open', { Succeed: true, Result: { Name: 'A', Cost: 1 } }), {
    Succeed: true,
    Result: { Name: 'A' },
  });
  assert.deepEqual([...access({}).reads.keys()], ['a.open']);
});

test('a name that access.json does not have is told with the one that was meant, wherever it stands', () => {
  const message =
    'The requirement "selle" is not in access.json, where requirements get their names. Did you mean "seller"?';
  for (const requires of ['selle', { all: ['reseller-side', 'selle'] }, { any: [{ all: ['selle'] }] }]) {
    const set = setOf([heading('a', requires)]);
    const [error = '', ...others] = errorsOf(set);
    assert.equal(
      error,
      `${placeOf(set, 'screens/home.json', requires === 'selle' ? '"requires": "selle"' : '"selle"')}: error: ${message}`,
    );
    assert.deepEqual(others, []);
  }
});

test('a right that no requirement knows is told once, where access.json names it', () => {
  const set = setOf([heading('a', 'editor'), heading('b', 'editor')], {
    requirements: { editor: { permissions: ['edti'] } },
  });
  assert.deepEqual(errorsOf(set), [
    `${placeOf(set, 'access.json', '"edti"')}: error: The permission "edti" is not in access.json. Did you mean "edit"?`,
  ]);
});

test('names that ask for each other in a ring are refused, and nobody meets them', () => {
  const set = setOf([heading('a', 'one')], { requirements: { one: { any: ['two'] }, two: { all: ['one'] } } });
  const { compiled, problems } = compileSet(set);
  assert.deepEqual(problems.map(formatProblem), [
    `${placeOf(set, 'access.json', '"one"\n')}: error: The requirement "one" asks for itself.`,
  ]);
  const layout = trim(compiled, someone({ permissions: ['add'] })).screens.get('/home')?.layout;
  assert.doesNotMatch(JSON.stringify(layout), /"testId":"a"/);
});

test('a command that requires a name which does not exist is an error', () => {
  const set = setOf([]);
  const commands = [
    { name: 'order.place', requires: 'seler' },
    { name: 'order.drop', requires: { any: ['seler'] } },
  ];
  assert.deepEqual(errorsOf(set, commands), [
    `${placeOf(set, 'access.json', '"requirements"')}: error: The requirement "seler" is not in access.json, where requirements get their names. Did you mean "seller"? It is what the commands require: order.place, order.drop.`,
  ]);
});

test('"not" is refused around a right, with the reason', () => {
  const set = setOf([heading('a', { not: { permissions: ['add'] } })]);
  assert.deepEqual(errorsOf(set), [
    `${placeOf(set, 'screens/home.json', '"permissions"')}: error: "permissions" is not known here. "not" holds features, userTypes, systems, switched and jumped only: around a permission, view or price it would let a right take something away.`,
  ]);
});

test('a feature that is off is written with "not", and who writes "!" is told so', () => {
  const set = setOf([heading('a', { features: ['!New'] })]);
  assert.deepEqual(errorsOf(set), [
    `${placeOf(set, 'screens/home.json', '"!New"')}: error: A feature that is off is written { "not": { "features": ["New"] } }, not "!New".`,
  ]);
});

test('what is explained says the name and what it means', () => {
  const { compiled } = compileSet(setOf([heading('a', 'seller'), heading('b', { not: { features: ['New'] } })]));
  const because = (rights: Parameters<typeof someone>[0]) =>
    Object.fromEntries(
      explain(compiled, someone(rights), 'screen:home').verdicts.map(verdict => [verdict.name, verdict.because[0]]),
    );
  const meaning = 'seller (reseller-side (userTypes reseller or engineer) and (permissions add))';
  assert.equal(because({ permissions: ['add'] })['text a'], meaning);
  assert.equal(because({})['text a'], `${meaning} (no permission of add)`);
  assert.equal(because({ features: ['New'] })['text b'], 'not (features New) (excluded by features)');
});

/** The same documents with every name written out. */
function writtenOut(value: unknown, named: Readonly<Record<string, WrittenRequirement>>): unknown {
  if (Array.isArray(value)) return value.map(item => writtenOut(item, named));
  if (typeof value === 'string' && Object.hasOwn(named, value)) return writtenOut(named[value], named);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, writtenOut(item, named)]));
}

test('documents with names are trimmed as the same documents with what the names mean', () => {
  let used = 0;
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat({ max: 9999 })), numbers => {
      const draw = (count: number) => (numbers.next().value as number) % count;
      const { set, commands } = drawSet(draw, false);
      const named = set.access?.['requirements'] as Readonly<Record<string, WrittenRequirement>>;
      const access = { ...set.access, requirements: {} };
      const out = writtenOut({ set: { ...set, access }, commands }, named) as ReturnType<typeof drawSet>;
      used += JSON.stringify(set.screens).match(/"(viewer-|priced-)/g)?.length ?? 0;
      const [byName, expanded] = [compile(schemaSet(set), commands), compile(schemaSet(out.set), out.commands)];
      for (const principal of [drawPrincipal(draw), drawPrincipal(draw)]) {
        const [a, b] = [trim(byName.compiled, principal), trim(expanded.compiled, principal)];
        assert.deepEqual([...a.byHash.keys()], [...b.byHash.keys()]);
        for (const kind of ['reads', 'files', 'writes', 'commands'] as const) assert.deepEqual(a[kind], b[kind]);
      }
    }),
    { numRuns: 60 },
  );
  assert.ok(used > 50, String(used));
});
