import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkShape } from '../../server/layouts/check/shape.ts';
import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { createLoader, parseSource } from '../../server/layouts/load/load.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { metaSchemas, writtenMetaSchemas } from '../../shared/language/meta.ts';
import { nodeSchemas } from '../../shared/language/nodes.ts';
import { notEmpty } from '../fixtures/rows.ts';

// The JSON Schemas of the long form are an independent statement of the language: both must agree on every document.

const { sources: written } = createLoader(join(import.meta.dirname, '../../schemas'))();
const sources = expandDocuments(written, commandDeclarations);
const ajv = new Ajv({ strict: false });
const validate = Object.fromEntries(Object.entries(metaSchemas()).map(([kind, schema]) => [kind, ajv.compile(schema)]));

function verdicts(source: Source): { ours: string[]; theirs: boolean } {
  return {
    ours: checkShape(source).map(formatProblem),
    theirs: validate[source.kind]?.(JSON.parse(JSON.stringify(source.json))) === true,
  };
}

type Container = Record<string, unknown> | unknown[];

/** Every object and list of a document, with the names or indexes of what it holds. */
function containersOf(value: unknown): Container[] {
  if (value === null || typeof value !== 'object') return [];
  return [value as Container, ...Object.values(value).flatMap(containersOf)];
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    7,
    4.5,
    -1,
    1e9,
    '',
    'x',
    'Text!',
    'data.a.Result.B',
    'row',
    'route.page',
    't.title',
    '/customers',
    'https://example.test',
    [],
    {},
    [null],
    ['x', 'x'],
    { value: 1 },
    { path: 'route.a', is: 1 },
  ),
  fc.constantFrom<unknown>(
    { views: ['home'] },
    { views: [] },
    { any: [{ prices: true }] },
    { any: [{}] },
    { do: 'back', to: '/' },
    { do: 'close-popup', x: 1 },
    { type: 'badge', path: 'route.a' },
    { type: 'badge', path: 'route.a', x: 1 },
    { part: 'x' },
    { part: 'x', with: { a: 1 }, requires: 'x' },
    { part: 7 },
    'part.a',
    '{part.a.b}',
    { type: 'nothing' },
    'x'.repeat(700),
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
const name = fc.constantFrom(
  'id',
  'type',
  'do',
  'requires',
  'when',
  'children',
  'text',
  'title',
  'path',
  'to',
  'on',
  'values',
  'label',
  'kind',
  'x-y',
  'X',
  'toString',
  'part',
  '',
);
const nodeType = fc.constantFrom(...Object.keys(nodeSchemas));

const mutation = fc.record({
  at: fc.nat(),
  part: fc.nat(),
  how: fc.constantFrom('replace', 'delete', 'add', 'rename', 'retype', 'repeat'),
  junk,
  name,
  nodeType,
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(
  document: Record<string, unknown>,
  { at, part, how, junk: shared, name: key, nodeType: type }: Mutation,
): void {
  const value = structuredClone(shared);
  const containers = containersOf(document);
  const container = containers[at % containers.length] as Container;
  const keys = Object.keys(container).filter(one => one !== '$schema');
  const chosen = keys[part % Math.max(1, keys.length)];
  if (Array.isArray(container)) {
    if (how === 'replace' && chosen !== undefined) container[Number(chosen)] = value;
    else if (how === 'delete' && chosen !== undefined) container.splice(Number(chosen), 1);
    else if (how === 'repeat' && chosen !== undefined) container.push(structuredClone(container[Number(chosen)]));
    else container.push(value);
    return;
  }
  if (how === 'add' || chosen === undefined) container[key] = value;
  else if (how === 'replace') container[chosen] = value;
  else if (how === 'retype') container['type'] = type;
  else {
    const old = container[chosen];
    delete container[chosen];
    if (how === 'rename') container[key] = old;
  }
}

test('both take every document of the product', () => {
  for (const source of sources) assert.deepEqual(verdicts(source), { ours: [], theirs: true }, source.file);
});

test('the JSON Schemas of editors take every document as it is written, and in its long form', () => {
  const schemas = Object.fromEntries(
    Object.entries(writtenMetaSchemas()).map(([kind, schema]) => [kind, ajv.compile(schema)]),
  );
  for (const { kind, file, json } of [...notEmpty(written), ...sources]) {
    const validateKind = schemas[kind];
    assert.ok(validateKind?.(JSON.parse(JSON.stringify(json))), `${file}: ${ajv.errorsText(validateKind?.errors)}`);
  }
});

test('both refuse the same broken documents', () => {
  const seen = { sound: 0, broken: 0 };
  const byFile = new Map(sources.map(source => [source.file, source]));
  fc.assert(
    fc.property(
      fc.constantFrom(...byFile.keys()),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      (file, mutations) => {
        const source = byFile.get(file) as Source;
        const json = JSON.parse(JSON.stringify(source.json)) as Record<string, unknown>;
        for (const one of mutations) mutate(json, one);
        const mutated = parseSource(source.file, JSON.stringify(json));
        fc.pre('file' in mutated);
        const { ours, theirs } = verdicts(mutated as Source);
        seen[theirs ? 'sound' : 'broken']++;
        // The JSON Schemas do not say that no two entries of a list are for the same, and that a press does something.
        const said = theirs
          ? ours.filter(message => !/ stands in .* twice\.$|"press" does nothing/.test(message))
          : ours;
        assert.equal(
          said.length === 0,
          theirs,
          `${source.file}: ${said[0] ?? 'no problem found'}\n${ajv.errorsText(validate[source.kind]?.errors)}`,
        );
      },
    ),
    { numRuns: 2500, includeErrorInReport: true },
  );
  assert.ok(seen.sound > 50 && seen.broken > 500, JSON.stringify(seen));
});
