import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkMutations,
  drawMutations,
  mistakeKinds,
  printReport,
} from '../../scripts/schemas/mistakes/check-mutations.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { referencesIn } from '../../server/editing/references.ts';
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

test('a mistake of any kind is told by its cause: a message names the wrong word at its line', async () => {
  // mistakes.deep.test.ts draws many more, `npm run schemas mistakes` tries all.
  const mutations = drawMutations(sources, 1, 8);
  assert.deepEqual([...new Set(mutations.map(({ kind }) => kind))], mistakeKinds);
  const report = await checkMutations(sources, mutations, commandDeclarations);
  assert.ok(report.missed.length <= 2, printReport(report));
  for (const [kind, { told, underlined }] of report.shares) assert.equal(underlined, told, `underlined of ${kind}`);
});
