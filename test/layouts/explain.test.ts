import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { explain, type Verdict } from '../../server/layouts/trim/explain.ts';
import { emitDocument, emitUntilStable } from '../../server/layouts/trim/trim.ts';
import { compile } from '../fixtures/compiler.ts';
import { type Json, type SchemaSet, schemaSet, someone } from '../fixtures/schemas.ts';
import { permissions } from './drawn-requirements.ts';
import { drawSet } from './drawn-set.ts';

const text: Json = { type: 'text', text: 't.a' };
const seller = { permissions: ['add'] };
const set: SchemaSet = {
  operations: {
    'a.list': { service: 'cloud', method: 'GET', path: '/a', reply: { Price: 'money' } },
    'a.drop': { service: 'cloud', method: 'POST', path: '/a', audit: 'a.dropped', requires: seller },
  },
  screens: [
    {
      id: 'home',
      data: { a: { operation: 'a.list' } },
      children: [
        text,
        { ...text, id: 'own', requires: { userTypes: ['endUser'] } },
        { type: 'text', id: 'price', path: 'data.a.Result.Price' },
        { type: 'button', id: 'drop', text: 't.go', on: { press: [{ do: 'call', operation: 'a.drop' }] } },
        { type: 'button', id: 'ask', text: 't.go', on: { press: [{ do: 'open-popup', popup: 'ask' }] } },
        { type: 'card', id: 'empty', children: [{ ...text, id: 'inner', requires: seller }] },
      ],
    },
  ],
  popups: [{ id: 'ask', requires: { views: ['v'] }, children: [text] }],
};

/** Verdicts by name: true, or why not. */
function explained(rights: Parameters<typeof someone>[0]) {
  const { compiled } = compile(schemaSet(set), []);
  const { verdicts } = explain(compiled, someone(rights), 'screen:home');
  return Object.fromEntries(verdicts.map(({ name, kept, because }) => [name, kept || because[0]]));
}

test('of each part that is trimmed the requirement that decided is named, and where it is declared', () => {
  const said = explained({ type: 'engineer', permissions: [], views: [], prices: false });
  assert.equal(said['text t.a'], true);
  assert.equal(said['text own'], 'userTypes endUser (user type engineer)');
  assert.equal(said['text price'], 'field Result.Price of a.list: prices (prices)');
  assert.equal(said['button drop'], 'operation a.drop: permissions add (no permission of add)');
  assert.equal(said['button ask'], 'the popup ask is not there: views v (no view of v)');
  assert.equal(said['card empty'], 'nothing is left of it (permissions add (no permission of add))');
});

test('of each part that is kept the requirements that it met are named', () => {
  const { compiled } = compile(schemaSet(set), []);
  const { verdicts, result } = explain(compiled, someone({ type: 'endUser', permissions: ['add'] }), 'screen:home');
  const met = Object.fromEntries(verdicts.map(({ name, because }) => [name, because]));
  assert.deepEqual(met['button drop'], ['operation a.drop: permissions add']);
  assert.deepEqual(met['text own'], ['userTypes endUser']);
  assert.deepEqual(met['text t.a'], []);
  assert.ok(result?.uses.some(use => use.kind === 'write' && use.operation === 'a.drop'));
});

/** Test ids of the nodes of a layout. */
function nodesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const { testId } = value as { testId?: string };
  return [...(testId ? [testId] : []), ...Object.values(value).flatMap(nodesIn)];
}

/** Names of the parts that are kept, and stand in nothing that is not. */
function keptIn(verdicts: readonly Verdict[]): string[] {
  let gone = Number.POSITIVE_INFINITY;
  return verdicts.flatMap(({ depth, kept, name }) => {
    if (depth > gone) return [];
    gone = kept ? Number.POSITIVE_INFINITY : depth;
    return kept ? (name.match(/c\d+z/) ?? []) : [];
  });
}

test('what is explained is what is trimmed: the same layout, and the same parts kept', () => {
  const source = fc.infiniteStream(fc.nat({ max: 999 }));
  fc.assert(
    fc.property(fc.subarray(permissions), fc.boolean(), source, (names, prices, numbers) => {
      const drawn = drawSet(count => (numbers.next().value as number) % count, false);
      const { compiled } = compile(schemaSet(drawn.set), drawn.commands);
      const principal = someone({ type: 'engineer', views: [], permissions: names, prices });
      const settled = emitUntilStable(compiled, principal, emitDocument);
      for (const key of compiled.documents.keys()) {
        const { verdicts, result } = explain(compiled, principal, key);
        assert.deepEqual(result?.layout, settled.get(key)?.layout, key);
        if (!result) assert.ok(verdicts.some(({ depth, kept }) => depth === 0 && !kept));
        else assert.deepEqual(new Set(keptIn(verdicts)), new Set(nodesIn(result.layout)), key);
      }
    }),
    { numRuns: 100 },
  );
});
