import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMutations, describeMutation, drawMutations, printReport } from '../../scripts/schemas/mutations.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { createLoader } from '../../server/layouts/load/load.ts';

/** So many of all, the same in each run; `npm run schemas mistakes` tries them all. */
const tried = 150;

test('one letter wrong in a path, restriction, parameter, order, filter value or name is an error', async context => {
  const { sources } = createLoader('schemas')();
  const all = drawMutations(sources, 1);
  assert.ok(all.length > 3500, `only ${all.length} references were found`);
  const kinds = new Set(all.map(({ reference }) => reference.what));
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
  const seed = 1;
  const report = checkMutations(sources, drawMutations(sources, seed, tried), commandDeclarations);
  context.diagnostic(`seed ${seed}: ${printReport(report)}`);
  assert.deepEqual(report.missed.map(describeMutation), [], `seed ${seed}`);
  assert.ok([...report.excluded.values()].flat().length <= tried * 0.02 + 3, printReport(report));
});
