import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMutations, describeMutation, drawMutations, printReport } from '../../scripts/schemas/mutations.ts';
import { referencesIn } from '../../scripts/schemas/references.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { createLoader } from '../../server/layouts/load/load.ts';

const { sources } = createLoader('schemas')();

test('whatever names something elsewhere is known as a reference', () => {
  const all = expandDocuments(sources, commandDeclarations).flatMap(referencesIn);
  assert.ok(all.length > 3500, `only ${all.length} references were found`);
  const kinds = new Set(all.map(({ what }) => what));
  for (const what of [
    'path',
    'parameter',
    'order',
    'filter value',
    'operation',
    'popup',
    'text',
    'permission',
    'requirement',
    'key',
    'constant',
    'event',
  ])
    assert.ok(kinds.has(what), what);
});

test('one letter wrong in a path, restriction, parameter, order, filter value or name is an error', () => {
  // mistakes.deep.test.ts draws many more, `npm run schemas mistakes` tries all.
  const report = checkMutations(sources, drawMutations(sources, 1, 40), commandDeclarations);
  assert.deepEqual(report.missed.map(describeMutation), []);
  assert.ok([...report.excluded.values()].flat().length <= 4, printReport(report));
});
