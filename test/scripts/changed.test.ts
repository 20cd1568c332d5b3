import assert from 'node:assert/strict';
import { test } from 'node:test';
import { touchedBy } from '../../scripts/testing/changed.ts';

const files = [
  'test/e2e/orders.test.ts',
  'test/e2e/smoke.test.ts',
  'test/routes/order-lists.test.ts',
  'test/routes/orders.test.ts',
  'test/sandbox/kill.deep.test.ts',
  'test/schemas/lists.test.ts',
  'test/shared/money.test.ts',
];
const imports = new Map([
  ['test/routes/orders.test.ts', ['server/routes/calls.ts']],
  ['test/routes/order-lists.test.ts', ['test/fixtures/portal.ts']],
  ['test/fixtures/portal.ts', ['server/routes/calls.ts']],
  ['test/sandbox/kill.deep.test.ts', ['server/routes/calls.ts']],
  ['test/shared/money.test.ts', ['shared/money.ts']],
  ['test/e2e/orders.test.ts', ['shared/money.ts']],
]);
const touched = (...changes: string[]): string[] => touchedBy(changes, files, imports);

test('a source touches the tests that import it, the nearest first, and one story of the browser', () => {
  assert.deepEqual(touched('server/routes/calls.ts'), [
    'test/e2e/smoke.test.ts',
    'test/routes/orders.test.ts',
    'test/routes/order-lists.test.ts',
  ]);
  assert.deepEqual(touched('shared/money.ts'), ['test/shared/money.test.ts']);
});

test('a test touches itself, though it is deep or a story', () => {
  for (const file of files) assert.deepEqual(touched(file), [file]);
});

test('a document and a text touch what has the name of their area, and what reads all documents', () => {
  const expected = ['test/e2e/smoke.test.ts', 'test/routes/orders.test.ts', 'test/schemas/lists.test.ts'];
  assert.deepEqual(touched('schemas/orders/orders.json'), expected);
  assert.deepEqual(touched('schemas/text/en/orders.json'), expected);
});

test('what no test reads touches none', () => {
  assert.deepEqual(touched('LICENSE', '.github/CHANGELOG.md'), []);
});
