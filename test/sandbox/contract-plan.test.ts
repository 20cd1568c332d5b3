import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareInvoice } from '../../server/sandbox/psa/compare-invoice.ts';
import { type Contract, monthlyChange, planContractUpdates } from '../../server/sandbox/psa/contract-plan.ts';
import type { InvoiceInput, InvoiceLine, TheirLine } from '../../server/sandbox/psa/invoice-shapes.ts';
import { type HeldService, movementsOfService } from '../../server/sandbox/psa/movements.ts';

const lastDay = '2026-06-30';
const line = (some: Partial<InvoiceLine> = {}): InvoiceLine => ({
  ...{ customer: '10001', customerName: 'Contoso', service: 'Mail', product: '1-1', kind: 'Month', instance: '5' },
  ...{ order: null, starts: '2026-06-01', ends: lastDay, quantity: '10', unitPrice: '4.00', days: 30, monthDays: 30 },
  ...{ amount: '40.00', ...some },
});
const their = (some: Partial<TheirLine> = {}): TheirLine => ({
  ...{ customer: '71', customerName: 'Contoso Ltd.', service: '81', serviceName: 'MAIL', contract: '1', line: '2' },
  ...{ quantity: '10', cost: '4.00', since: '2026-01-15T00:00:00.000Z', ...some },
});
const held = (some: Partial<HeldService> = {}): HeldService => ({
  ...{ instance: '5', starts: '2025-12-01', ends: null, quantity: 10, isPaidAhead: false, order: null, by: null },
  ...{ changes: [], ...some },
});
const contract: Contract = { id: '1', name: 'Managed services', customer: '71' };

type Given = {
  readonly lines?: readonly InvoiceLine[];
  readonly theirs?: readonly TheirLine[];
  readonly services?: readonly HeldService[];
  readonly contracts?: readonly Contract[];
};
function plan({ lines = [line()], theirs = [their()], services = [held()], contracts = [contract] }: Given) {
  const input: InvoiceInput = {
    ...{ lastDay, lines, theirs },
    customers: new Map([['10001', { psaId: '71', ignored: false }]]),
    services: new Map([['1-1', { psaId: '81', ignored: false }]]),
    ownCustomers: new Map([['71', '10001']]),
    movements: new Map([['71 81', services.flatMap(movementsOfService)]]),
  };
  return planContractUpdates(input, compareInvoice(input).rows, contracts);
}
const changes = (given: Given) =>
  plan(given).changes.map(({ kind, before, after, from }) => [kind, before, after, from]);
const obstacles = (given: Given) => {
  const { changes: written, leftOut } = plan(given);
  assert.deepEqual(written, []);
  return leftOut.map(({ obstacle }) => obstacle);
};
const billed = (quantity: number, cost: string | null) => ({ quantity, cost });

test('what agrees is not written', () => {
  assert.deepEqual(plan({}).changes, []);
  assert.deepEqual(plan({}).leftOut, []);
});

test('a line gets the quantity at the end of the month and its price, an absent one is added, one without a service ends', () => {
  const next = '2026-07-01';
  assert.deepEqual(changes({ theirs: [their({ quantity: '11' })] }), [
    ['Quantity', billed(11, '4.00'), billed(10, '4.00'), next],
  ]);
  assert.deepEqual(changes({ theirs: [their({ cost: '3.80' })] }), [
    ['Price', billed(10, '3.80'), billed(10, '4.00'), next],
  ]);
  assert.deepEqual(changes({ theirs: [their({ quantity: '9', cost: null })] }), [
    ['QuantityAndPrice', billed(9, null), billed(10, '4.00'), next],
  ]);
  assert.deepEqual(changes({ theirs: [] }), [['Added', null, billed(10, '4.00'), next]]);
  const ended = [held({ ends: '2026-05-20' })];
  assert.deepEqual(changes({ lines: [], services: ended }), [['Removed', billed(10, '4.00'), null, next]]);
});

test('a line that began after the month is changed from the day on which it began', () => {
  const theirs = [their({ quantity: '11', since: '2026-07-09T10:00:00.000Z' })];
  assert.deepEqual(changes({ theirs })[0]?.[3], '2026-07-09');
});

test('what is not certain is not written, and says why', () => {
  assert.deepEqual(obstacles({ theirs: [their({ quantity: '4' }), their({ quantity: '5', contract: '3' })] }), [
    'SeveralLines',
  ]);
  assert.deepEqual(obstacles({ theirs: [their({ quantity: '9', line: null })] }), ['SeveralLines']);
  const prices = [
    line({ quantity: '4', amount: '16.00' }),
    line({ quantity: '6', unitPrice: '5.00', amount: '30.00' }),
  ];
  assert.deepEqual(obstacles({ lines: prices }), ['SeveralPrices']);
  assert.deepEqual(obstacles({ theirs: [], contracts: [] }), ['NoContract']);
  const another = { ...contract, id: '3' };
  assert.deepEqual(obstacles({ theirs: [], contracts: [contract, another] }), ['SeveralContracts']);
  const usage = [line({ kind: 'Usage', amount: '12.34', days: null, monthDays: null })];
  assert.deepEqual(obstacles({ lines: usage, theirs: [] }), ['NotMonthly']);
  assert.deepEqual(obstacles({ lines: usage, theirs: [their({ quantity: '3' })] }), ['NotMonthly']);
  const ahead = [held({ isPaidAhead: true })];
  assert.deepEqual(obstacles({ lines: [], services: ahead }), ['PaidAhead']);
  const odd = [line({ amount: '47.00' })];
  assert.deepEqual(obstacles({ lines: odd, theirs: [their({ quantity: '11' })] }), ['NotExplained']);
});

test('the version is the same for the same changes alone', () => {
  const one = plan({ theirs: [their({ quantity: '11' })] }).version;
  assert.equal(plan({ theirs: [their({ quantity: '11' })] }).version, one);
  for (const other of [{ quantity: '12' }, { quantity: '11', cost: '3.00' }, { quantity: '11', line: '8' }])
    assert.notEqual(plan({ theirs: [their(other)] }).version, one);
});

test('what contracts cost more a month is exact', () => {
  const change = (before: ReturnType<typeof billed> | null, after: ReturnType<typeof billed> | null) =>
    monthlyChange([{ before, after }]);
  assert.equal(change(billed(3, '0.10'), billed(3, '0.20')), '0.30');
  assert.equal(change(null, billed(3, '1.15')), '3.45');
  assert.equal(change(billed(3, '1.15'), null), '-3.45');
  assert.equal(change(billed(2, null), billed(3, '1.50')), '1.50');
  assert.equal(monthlyChange([]), '0.00');
});
