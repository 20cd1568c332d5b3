import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertEvery } from '../fixtures/rows.ts';

test('an invoice begins with its totals and tax, before its charges and lines', () => {
  const text = readFileSync(join(import.meta.dirname, '../../schemas/billing/invoice-detail.json'), 'utf8');
  const places = [
    'data.invoice.Taxes',
    'billing.totals',
    'invoice-payments',
    'data.groups.Items',
    'data.lines.Items',
  ].map(mark => text.lastIndexOf(`"${mark}"`));
  assertEvery(places, place => place > 0);
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
});
