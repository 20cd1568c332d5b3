import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMutations, describeMutation, drawMutations, printReport } from '../../scripts/schemas/mutations.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { createLoader } from '../../server/layouts/load/load.ts';

const { sources } = createLoader('schemas')();
const tried = 200;

for (const seed of [1, 2, 3])
  test(`one letter wrong in what names something else is an error: seed ${seed}`, () => {
    const report = checkMutations(sources, drawMutations(sources, seed, tried), commandDeclarations);
    assert.deepEqual(report.missed.map(describeMutation), []);
    assert.ok([...report.excluded.values()].flat().length <= tried * 0.02 + 3, printReport(report));
  });
