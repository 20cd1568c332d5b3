import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { declareHostileEdits } from './hostile-edits.ts';

const { schemas, reseller, engineer, broken, served } = declareHostileEdits([
  ['of a megabyte', '{}'.padEnd(1024 ** 2)],
  ['with one name 40,000 times', `{${Array.from({ length: 40_000 }, () => '"a":1').join(',\n')}}`],
]);

test('while a contract contradicts itself, the last good one holds, for the prices too', async () => {
  const before = await served();
  const file = 'customers/operations.json';
  const price = '"MonthlySpend": "money",\n            "Currency"';
  const contradiction = '"MonthlySpend": { "kind": "number", "min": 1, "max": 0 },\n            "Currency"';
  await schemas.edit(file, text => text.replace(price, contradiction));
  await eventually(async () => (await broken()) > 0, 'the contract counts as broken');
  assert.equal(await served(), before);
  const read = async (caller: typeof engineer) => (await caller.get('/ui/data/customers.list')).text;
  assert.match(await read(reseller), /MonthlySpend/);
  assert.doesNotMatch(await read(engineer), /MonthlySpend/);
  await schemas.edit(file, text => text.replace(contradiction, price));
});
