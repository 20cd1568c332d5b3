import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { createBilling } from '../../server/sandbox/billing/run.ts';
import { taxesOf, withPrintedAmounts } from '../../server/sandbox/billing/tax.ts';
import { writeAmount } from '../../shared/billing/amounts.ts';
import { type ExactLine, printLines } from '../../shared/billing/printed-lines.ts';
import { totalsOf } from '../../shared/billing/totals.ts';
import { contained } from '../fixtures/contained.ts';
import { addManyCustomers } from '../fixtures/many-customers.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const seeded = new Date('2026-01-22T15:20:00Z');
const sandbox = withSandbox({ seededAt: seeded });

type Row = { readonly id: string; readonly amount: string };
type Tax = { readonly rate: string; readonly taxable: string; readonly tax: string };

/** What the database prints of lines. */
async function printed(lines: readonly ExactLine[]): Promise<{ amounts: Map<string, string>; taxes: Tax[] }> {
  const exact = sql`
    select * from unnest(${lines.map(({ id }) => id)}::text[], ${lines.map(({ rate }) => rate)}::numeric[],
      ${lines.map(({ amount }) => amount)}::numeric[]) as l (key, rate, exact)`;
  const { rows } = await sql<Row>`
    select key as id, amount::text from (${withPrintedAmounts(exact)}) l`.execute(sandbox.db);
  const { rows: taxes } = await sql<Tax>`
    select rate::numeric(5, 2)::text as rate, taxable::text as taxable, tax::text as tax
    from (${taxesOf(withPrintedAmounts(exact))}) t order by t.rate desc`.execute(sandbox.db);
  return { amounts: new Map(rows.map(({ id, amount }) => [id, amount])), taxes };
}

/** Decimals with up to twelve digits behind the point, many of them ties. */
const amount = fc.oneof(
  fc
    .tuple(fc.bigInt({ min: 1n - 10n ** 13n, max: 10n ** 13n - 1n }), fc.integer({ min: 2, max: 12 }))
    .map(([units, scale]) => writeAmount({ units, scale })),
  fc.constantFrom('0.005', '-0.005', '0.015', '0.1', '-0.3333', '0', '2.675', '3.333333333333'),
);
const anyLines = fc
  .array(fc.record({ rate: fc.constantFrom('20', '0', '23'), amount }), { minLength: 1, maxLength: 60 })
  .map(rows => rows.map((row, index): ExactLine => ({ id: `service ${index % 7} ${index}`, currency: 'GBP', ...row })));

test('the database prints the cents of lines and the tax on them as shared/billing does', async () => {
  await fc.assert(
    fc.asyncProperty(anyLines, async lines => {
      const { amounts, taxes } = await printed(lines);
      const expected = printLines(lines);
      assert.deepEqual(new Map([...amounts].sort()), new Map([...expected].sort()));
      const totals = totalsOf({ lines: lines.map(({ id, rate }) => ({ rate, amount: expected.get(id)! })) });
      assert.deepEqual(taxes, totals.taxes);
    }),
    { numRuns: 60 },
  );
});

test('a reseller with more than 5,000 customers is billed to the cent, in pages that each may be the last of a process', async t => {
  const { db } = sandbox;
  const now = () => seeded;
  const customers = 5150;
  const reseller = await addManyCustomers(db, seeded, customers);
  const transaction = db.transaction.bind(db);
  let run = createBilling(db, now, contained(now), 'http://portal.test');
  let pages = 0;
  t.mock.method(db, 'transaction', () => {
    pages += 1;
    if (pages % 7 === 0) run.stop();
    return transaction();
  });
  const countBilled = async () =>
    (await db.selectFrom('billing_runs').select('period').where('reseller_id', '=', reseller).execute()).length;
  // Six pages of the pre-bill of a month and six of its invoice. One that is empty is made once.
  const billedAfter: number[] = [];
  while (billedAfter.at(-1) !== 2 && billedAfter.length < 8) {
    run = createBilling(db, now, contained(now), 'http://portal.test');
    await run.runDue();
    billedAfter.push(await countBilled());
  }
  assert.deepEqual(billedAfter, [0, 1, 1, 2], `after ${pages} pages`);
  const made = pages;
  await createBilling(db, now, contained(now), 'http://portal.test').runDue();
  assert.equal(pages, made, 'nothing is made anew, not even what is empty');
  const { rows } = await sql<Record<string, unknown>>`
    select i.period::text as period, i.lines, i.customers, (
        select count(*)::int from invoice_lines l where l.invoice_id = i.id) as written, (
        select count(distinct customer_id)::int from invoice_lines l where l.invoice_id = i.id) as of_customers,
      i.net = (select sum(taxable) from invoice_taxes t where t.invoice_id = i.id) and i.gross = i.net + i.tax
        and i.net = (select sum(amount) from invoice_groups g where g.invoice_id = i.id and g.kind = 'customer')
        and not exists (select from invoice_lines l where l.invoice_id = i.id and abs(l.amount - l.exact) >= 0.01)
        and not exists (select from invoice_lines l where l.invoice_id = i.id group by rate
          having sum(amount) <> round(sum(exact), 2)) as agrees
    from invoices i where reseller_id = ${reseller} order by period`.execute(db);
  const newest = rows.at(-1);
  assert.deepEqual(newest, {
    ...{ period: '2025-12-01', lines: customers, customers, written: customers, of_customers: customers, agrees: true },
  });
  assertEvery(rows, ({ agrees }) => agrees === true);
  const { rows: cents } = await sql<Row>`
    select l.key as id, l.amount::text as amount from invoice_lines l join invoices i on i.id = l.invoice_id
    where i.reseller_id = ${reseller} and i.period = '2025-12-01'`.execute(db);
  const { rows: exact } = await sql<ExactLine>`
    select l.key as id, i.currency, l.rate::text as rate, l.exact::text as amount
    from invoice_lines l join invoices i on i.id = l.invoice_id
    where i.reseller_id = ${reseller} and i.period = '2025-12-01'`.execute(db);
  const expected = printLines(exact);
  assert.deepEqual(
    cents.filter(line => expected.get(line.id) !== line.amount),
    [],
    'all lines of the document share its cents, not those of a page',
  );
  const { rows: pre } = await sql<{ lines: number }>`
    select lines from pre_bills where reseller_id = ${reseller} and period = '2025-12-01'`.execute(db);
  assert.deepEqual(pre, [{ lines: customers }]);
  const { rows: drafts } = await sql`select from billing_drafts`.execute(db);
  assert.deepEqual(drafts, [], 'no draft is left');
});
