import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMutations, drawMutations, printReport } from '../../scripts/schemas/mistakes/check-mutations.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { createLoader } from '../../server/layouts/load/load.ts';

const { sources } = createLoader('schemas')();
const ofEachKind = 60;

for (const seed of [1, 2, 3])
  test(`at least 97 % of all mistakes are told by their cause, and at most 1 % are left out: seed ${seed}`, async () => {
    const mutations = drawMutations(sources, seed, ofEachKind);
    const report = await checkMutations(sources, mutations, commandDeclarations);
    assert.ok(report.missed.length <= mutations.length * 0.03, printReport(report));
    assert.ok([...report.excluded.values()].flat().length <= mutations.length * 0.01, printReport(report));
  });
