import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('an invoice begins with its totals and tax, before its charges and lines', () => {
  const text = readFileSync(join(import.meta.dirname, '../../schemas/billing/invoice-detail.json'), 'utf8');
  const places = [
    'data.invoice.Taxes',
    'billing.totals',
    'invoice-payments',
    'data.groups.Items',
    'data.lines.Items',
  ].map(mark => text.lastIndexOf(`"${mark}"`));
  assert.ok(
    places.every(place => place > 0),
    String(places),
  );
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  );
});
