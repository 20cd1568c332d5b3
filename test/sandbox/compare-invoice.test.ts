import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareInvoice } from '../../server/sandbox/psa/compare-invoice.ts';
import type { InvoiceInput, InvoiceLine, TheirLine } from '../../server/sandbox/psa/invoice-shapes.ts';
import { type HeldService, movementsOfService } from '../../server/sandbox/psa/movements.ts';
import { amountOf, sumOf, writeAmount } from '../../shared/billing/amounts.ts';

const lastDay = '2026-06-30';
const sum = (amounts: readonly string[]): string => writeAmount(sumOf(amounts.map(amountOf)));
const matched = (psaId: string | null, ignored = false) => ({ psaId, ignored });

const line = (some: Partial<InvoiceLine>): InvoiceLine => ({
  ...{ customer: '10001', customerName: 'Contoso', service: 'Mail', product: '1-1', kind: 'Month', instance: '5' },
  ...{ order: null, starts: '2026-06-01', ends: lastDay, quantity: '10', unitPrice: '4.00', days: 30, monthDays: 30 },
  ...{ amount: '40.00', ...some },
});
const their = (some: Partial<TheirLine>): TheirLine => ({
  ...{ customer: '71', customerName: 'Contoso Ltd.', service: '81', serviceName: 'MAIL', contract: '1', line: '2' },
  ...{ quantity: '10', cost: '4.00', since: '2026-01-15T00:00:00.000Z', ...some },
});
const held = (some: Partial<HeldService>): HeldService => ({
  ...{ instance: '5', starts: '2025-12-01', ends: null, quantity: 10, isPaidAhead: false, order: null, by: null },
  ...{ changes: [], ...some },
});
const input = (some: Partial<InvoiceInput>, services: readonly HeldService[] = [held({})]): InvoiceInput => ({
  ...{ lastDay, lines: [line({})], theirs: [their({})] },
  customers: new Map([['10001', matched('71')]]),
  services: new Map([['1-1', matched('81')]]),
  ownCustomers: new Map([['71', '10001']]),
  movements: new Map([['71 81', services.flatMap(movementsOfService)]]),
  ...some,
});
/** The only row, with the reasons of what explains it. */
const only = (given: InvoiceInput) => {
  const { rows } = compareInvoice(given);
  assert.equal(rows.length, 1);
  const [row] = rows;
  assert.ok(row);
  return [row.Class, row.Difference, row.Rest, row.Explanations.map(({ Reason, Amount }) => [Reason, Amount])];
};
const ordered = { day: '2026-06-10', before: 8, order: 'ORD-0000007', by: 'Ruth' };

test('what agrees is matched, and needs no reason', () => {
  assert.deepEqual(only(input({})), ['Matched', '0.00', '0.00', []]);
});

test('an order behind what the business system bills explains the quantity, and its days the part of the month', () => {
  const lines = [
    line({ kind: 'Part', ends: '2026-06-09', quantity: '8', days: 9, amount: '9.60' }),
    line({ kind: 'Part', starts: '2026-06-10', days: 21, amount: '28.00', order: 'ORD-0000007' }),
  ];
  const given = input({ lines, theirs: [their({ quantity: '8' })] }, [held({ changes: [ordered] })]);
  assert.deepEqual(only(given), [
    'Quantity',
    '5.60',
    '0.00',
    [
      ['PartOfMonth', '9.60'],
      ['PartOfMonth', '-12.00'],
      ['Changed', '8.00'],
    ],
  ]);
});

test('what was entered there otherwise is explained by its line there, and by nothing where that says no day', () => {
  const theirs = [their({ quantity: '11' })];
  assert.deepEqual(only(input({ theirs })), ['Quantity', '-4.00', '0.00', [['EnteredThere', '-4.00']]]);
  const unknown = [their({ quantity: '11', since: null })];
  assert.deepEqual(only(input({ theirs: unknown })), ['Quantity', '-4.00', '-4.00', []]);
});

test('another price is a class of its own', () => {
  const given = input({ theirs: [their({ cost: '3.80' })] });
  assert.deepEqual(only(given), ['Price', '2.00', '0.00', [['Price', '2.00']]]);
});

test('what is cancelled here is missing here, what nobody entered there is missing there', () => {
  const gone = input({ lines: [] }, [held({ ends: '2026-05-20' })]);
  assert.deepEqual(only(gone), ['MissingHere', '-40.00', '0.00', [['Cancelled', '-40.00']]]);
  const unknown = input({ theirs: [] }, [held({ starts: '2026-05-02', order: 'ORD-0000001' })]);
  assert.deepEqual(only(unknown), ['MissingThere', '40.00', '0.00', [['Added', '40.00']]]);
});

test('what is not matched, or ignored, is left out with that reason', () => {
  for (const [some, reason] of [
    [{ customers: new Map() }, 'CustomerNotMatched'],
    [{ customers: new Map([['10001', matched(null, true)]]) }, 'CustomerIgnored'],
    [{ services: new Map() }, 'ServiceNotMatched'],
    [{ services: new Map([['1-1', matched('81', true)]]) }, 'ServiceIgnored'],
  ] as const)
    assert.deepEqual(only(input({ ...some, theirs: [] })), ['Ignored', '40.00', '0.00', [[reason, '40.00']]]);
});

test('an amount that quantity, price and days do not make has a rest', () => {
  assert.deepEqual(only(input({ lines: [line({ amount: '47.00' })] })), ['Price', '7.00', '7.00', []]);
});

const quantity = fc.integer({ min: 0, max: 5000 });
const price = fc.integer({ min: 0, max: 9_999_999 }).map(cents => writeAmount({ units: BigInt(cents), scale: 2 }));
const amount = fc
  .integer({ min: -99_999_999, max: 99_999_999 })
  .map(cents => writeAmount({ units: BigInt(cents), scale: 2 }));
const day = fc.integer({ min: 1, max: 30 }).map(number => `2026-06-${String(number).padStart(2, '0')}`);
const aLine = fc
  .record({
    customer: fc.constantFrom('10001', '10002', '10003'),
    product: fc.constantFrom('1-1', '1-2', '6-1', null),
    kind: fc.constantFrom('Month' as const, 'Part' as const, 'Usage' as const, 'Once' as const, 'Term' as const),
    ...{ quantity: quantity.map(String), unitPrice: price, amount, starts: day, ends: day },
    days: fc.integer({ min: 1, max: 30 }),
    instance: fc.constantFrom('5', '6', null),
  })
  .map(line);
const aTheir = fc
  .record({
    customer: fc.constantFrom('71', '72', '79'),
    service: fc.constantFrom('81', '82', '89'),
    quantity: fc.integer({ min: 0, max: 500_000 }).map(units => writeAmount({ units: BigInt(units), scale: 2 })),
    cost: fc.option(price),
    since: fc.option(day.map(date => `${date}T00:00:00.000Z`)),
  })
  .map(their);
const aService = fc
  .record({
    instance: fc.constantFrom('5', '6'),
    starts: day,
    ends: fc.option(day),
    quantity,
    isPaidAhead: fc.boolean(),
  })
  .map(held);

test('whatever is on both sides, the invoice is the sum of its classes and the rest, and so is every row', () => {
  fc.assert(
    fc.property(fc.array(aLine), fc.array(aTheir), fc.array(aService), (lines, theirs, services) => {
      const customers = new Map([
        ['10001', matched('71')],
        ['10002', matched('72')],
      ]);
      const own = new Map([
        ['1-1', matched('81')],
        ['1-2', matched('82')],
        ['6-1', matched('82')],
      ]);
      const { rows, classes, rest } = compareInvoice(input({ lines, theirs, customers, services: own }, services));
      const net = sum(['0.00', ...lines.map(one => one.amount)]);
      assert.equal(sum([rest, ...classes.map(({ Amount }) => Amount)]), net);
      assert.equal(
        classes.reduce((count, { Rows }) => count + Rows, 0),
        rows.length,
      );
      for (const { Here, There, Rest, Explanations } of rows)
        assert.equal(sum([There, Rest, ...Explanations.map(({ Amount }) => Amount)]), Here);
    }),
  );
});
