import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { check, formatProblem } from '../../server/layouts/index.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { compile } from '../fixtures/compiler.ts';
import { type Json, type SchemaSet, schemaFiles, schemaSet } from '../fixtures/schemas.ts';

const note = { id: 'note', parameters: { text: 'text' }, children: [{ type: 'text', text: 'part.text' }] };
const use = (given: Json) => ({ part: 'note', with: given });
const plain = { type: 'text', text: 't.a' };
const errorsOf = (sources: readonly Source[]): string[] =>
  compile(sources, []).problems.flatMap(problem => (problem.severity === 'error' ? [formatProblem(problem)] : []));

test('a wrong use of a part is told at its place, and of no other document that uses the part', () => {
  const sources = schemaSet({
    screens: [
      { id: 'wrong', children: [use({ txt: 't.a' })] },
      { id: 'right', children: [use({ text: 't.a' })] },
      { id: 'linked', children: [{ type: 'link', to: '/wrong', text: 't.go' }] },
    ],
    navigation: { main: [{ text: 't.go', under: '/right', items: [{ part: 'menu' }] }] },
    parts: [note, { id: 'menu', entries: [{ text: 't.go', to: '/right' }] }],
  });
  const errors = errorsOf(sources);
  assert.notEqual(errors.length, 0);
  for (const error of errors) assert.match(error, /^screens\/wrong\.json:.*(needs "text"|no parameter "txt")/);
});

test('what is wrong in a part holds back who uses it, also through another part, and nobody else', async () => {
  const set: SchemaSet = {
    screens: [
      { id: 'outer', children: [{ part: 'outer' }] },
      { id: 'other', children: [plain] },
    ],
    parts: [note, { id: 'outer', children: [use({ text: 't.a' })] }],
  };
  const good = schemaSet(set);
  const broken = schemaSet({
    ...set,
    screens: [set.screens?.[0] as Json, { id: 'other', children: [plain, plain] }],
    parts: [{ ...note, children: [{ type: 'text', text: 'part.txt' }] }, set.parts?.[1] as Json],
  });
  const { sources, problems } = await check({ sources: broken, problems: [] }, [], good);
  assert.deepEqual(
    [...new Set(problems.flatMap(({ file, severity }) => (severity === 'error' ? [file] : [])))],
    ['parts/note.json'],
  );
  const used = new Map(sources?.map(source => [source.file, source.hash]));
  const hashOf = (all: readonly Source[], file: string) => all.find(source => source.file === file)?.hash;
  assert.equal(used.get('parts/note.json'), hashOf(good, 'parts/note.json'));
  assert.equal(used.get('screens/other.json'), hashOf(broken, 'screens/other.json'));
});

/** What an operator may leave where anything else is meant, with names that JavaScript gives a meaning. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>({}, [], [[]], [{}], null, 7, true, '', 'x.y.z', '?', 'data.', 'row', { part: {} }),
  fc.constantFrom<unknown>({ toString: 1 }, { valueOf: {} }, { length: -1 }, { rows: 'x' }, { a: { b: {} } }),
);
const documents = Object.entries(
  schemaFiles({
    screens: [
      {
        id: 'list',
        data: { items: { operation: 'a.list' } },
        children: [
          { table: 'data.items.Items', columns: ['Name', { path: 'Users', title: 't.label' }], texts: 't' },
          { button: 't.go', press: [{ do: 'open-popup', popup: 'ask', with: { Id: 'data.items.Items' } }] },
          { type: 'text', text: 't.a', when: { 'data.items.Total': 1 }, requires: { userTypes: ['reseller'] } },
          use({ text: 't.a' }),
        ],
      },
    ],
    popups: [{ id: 'ask', parameters: ['Id'], children: [plain] }],
    parts: [note],
    operations: { 'a.list': { service: 'cloud', method: 'GET', path: '/a' } },
  }),
);

test('whatever stands in a document is told of this document, and never ends the check', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      hostile,
      fc.option(fc.constantFrom('when', 'table', 'press', 'type', 'do', 'text')),
      async (draw, value, added) => {
        const edited = documents.map(([file, text]) => ({ file, json: JSON.parse(text) }));
        const places = edited.flatMap(({ file, json }) => placesIn(json).map(place => ({ file, ...place })));
        const { file, inside, name } = places[draw % places.length] as (typeof places)[number];
        inside[added !== null && !Array.isArray(inside) ? added : name] = value;
        const sources = edited.map(one => parseSource(one.file, JSON.stringify(one.json, null, 1)));
        if (!sources.every(isSource)) return;
        const { problems } = await check({ sources, problems: [] }, []);
        const told = problems.filter(
          problem => problem.file === '.' || /cannot be (read|checked|compiled)/.test(problem.message),
        );
        assert.deepEqual(told.map(formatProblem), [], `${JSON.stringify(value)} in ${file}`);
      },
    ),
    { numRuns: 150 },
  );
});

const isSource = (parsed: ReturnType<typeof parseSource>): parsed is Source => 'file' in parsed;

type Container = Record<string | number, unknown>;

/** Every place of a document, as what it stands in and the name there. */
function placesIn(value: unknown): { inside: Container; name: string }[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]) =>
    name === '$schema' ? [] : [{ inside: value as Container, name }, ...placesIn(item)],
  );
}
