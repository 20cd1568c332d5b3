import { sql } from 'kysely';
import { keepChanges } from '../../server/sandbox/billing/changes.ts';
import { keepDifference } from '../../server/sandbox/billing/pre-bills.ts';
import type { StartedSandbox } from '../../test/fixtures/sandbox.ts';
import type { Measure } from './report.ts';
import { benchSandbox } from './sandbox.ts';

/** The reseller of the large seed, its months with an invoice, and the numbers that these have. */
const reseller = 1003;
const months = 24;
const firstNumber = 500_001;
const newest = `FH-${firstNumber + months - 1}`;

const questions: Readonly<Record<string, string>> = {
  'the list': '/billing/invoices?pageSize=25',
  'the list of a state': '/billing/invoices?pageSize=25&status=Paid',
  'the list between two days': '/billing/invoices?pageSize=25&from=2025-01-01&to=2026-12-31',
  'the list of a customer': '/billing/invoices?pageSize=25&customer=1050000',
  'the list, a search that finds few': '/billing/invoices?pageSize=25&search=castlebridge%20care',
  'the list, a search that finds a tenth': '/billing/invoices?pageSize=25&search=partners',
  'the list, a search that finds none': '/billing/invoices?pageSize=25&search=zebra',
  'what is owed': '/billing/invoices/latest/summary',
  'totals by month': '/billing/account-totals',
  history: '/billing/history?pageSize=25',
  'an invoice': `/billing/invoices/${newest}`,
  'lines, page 1': `/billing/invoices/${newest}/lines?pageSize=100`,
  'lines, page 1,000': `/billing/invoices/${newest}/lines?pageSize=100&page=1000`,
  'lines of a customer': `/billing/invoices/${newest}/lines?customer=1050000`,
  'lines, a search for one customer': `/billing/invoices/${newest}/lines?search=castle%20bridge`,
  'lines, a search that finds a tenth': `/billing/invoices/${newest}/lines?search=partners`,
  'lines, a search that finds all': `/billing/invoices/${newest}/lines?search=office`,
  'sums by customer, a search': `/billing/invoices/${newest}/groups?by=customer&search=partners`,
  'why it changed': `/billing/invoices/${newest}/changes`,
  'changes by customer, page 1': `/billing/invoices/${newest}/changes/customers?pageSize=10`,
  'changes by customer, page 8,000': `/billing/invoices/${newest}/changes/customers?pageSize=10&page=8000`,
  'sums by customer, page 1': `/billing/invoices/${newest}/groups?by=customer&pageSize=25`,
  'sums by customer, page 4,000': `/billing/invoices/${newest}/groups?by=customer&pageSize=25&page=4000`,
  'sums by customer, smallest first': `/billing/invoices/${newest}/groups?by=customer&pageSize=25&sort=Amount`,
  'sums by change, page 1': `/billing/invoices/${newest}/groups?by=customer&pageSize=25&sort=-Change`,
  'sums by change, page 4,000': `/billing/invoices/${newest}/groups?by=customer&pageSize=25&sort=Change&page=4000`,
  'sums by change, a search': `/billing/invoices/${newest}/groups?by=customer&search=partners&sort=-Change`,
  'export, page 1,000': `/billing/invoices/${newest}/exports/v3?pageSize=100&page=1000`,
  'invoices of a customer': '/billing/customers/1050000',
  'pre-bill, page 1,000': '/billing/invoices/pre-bill?pageSize=100&page=1000',
  'pre-bill, a search that finds a tenth': '/billing/invoices/pre-bill?pageSize=100&search=partners',
  'post-bill, page 1,000': '/billing/invoices/post-bill?pageSize=100&page=1000',
  'post-bill, a search that finds a tenth': '/billing/invoices/post-bill?pageSize=100&search=partners',
  'difference to the pre-bill, page 1': '/billing/invoices/bill-difference?pageSize=25',
  'difference to the pre-bill, page 2,000': '/billing/invoices/bill-difference?pageSize=25&page=2000',
  'difference to the pre-bill, a search': '/billing/invoices/bill-difference?pageSize=25&search=partners',
  'difference to the pre-bill, by reason': '/billing/invoices/bill-difference?pageSize=25&reason=Quantity',
};

/**
 * Gives every customer of the large reseller a line on each invoice of 24 months, by SQL alone. Their amounts add up as the
 * billing run makes them.
 */
async function insertInvoices({ db }: StartedSandbox): Promise<void> {
  await sql`
    insert into invoices (kind, number, reseller_id, period, currency, issued, due, net, tax, gross, paid, lines, customers)
    select 'Invoice', ${firstNumber}::int + n, ${reseller}, month, 'GBP', month + interval '1 month',
      month + interval '58 days', 0, 0, 0, 0, 0, 0
    from generate_series(0, ${months}::int - 1) n,
      lateral (select (date_trunc('month', now()) - (${months}::int - n) * interval '1 month')::date as month) m`.execute(
    db,
  );
  await sql`
    insert into invoice_lines (invoice_id, key, kind, customer_id, organisation_id, customer, service, starts, ends,
      quantity, unit_price, rate, exact, amount)
    select i.id, 'service ' || c.id, 'Month', c.id, c.organisation_id, c.name, 'Office suite', i.period,
      (i.period + interval '1 month' - interval '1 day')::date, 1 + (c.organisation_id + i.number) % 9, 3.95, 20,
      (1 + (c.organisation_id + i.number) % 9) * 3.95, (1 + (c.organisation_id + i.number) % 9) * 3.95
    from invoices i, customers c where i.reseller_id = ${reseller} and c.reseller_id = ${reseller}`.execute(db);
  await sql`
    insert into invoice_groups (invoice_id, kind, key, name, lines, amount, change)
    select id, s.kind, key, name, s.lines, amount,
      amount - coalesce(lag(amount) over (partition by s.kind, key order by period), 0)
    from invoices i join (
      select invoice_id, 'customer' as kind, organisation_id::text as key, customer as name, count(*) as lines,
        sum(amount) as amount
      from invoice_lines group by 1, 3, 4
      union all
      select invoice_id, 'service', service, service, count(*), sum(amount) from invoice_lines group by 1, 3
    ) s on s.invoice_id = i.id
    where i.reseller_id = ${reseller}`.execute(db);
  await sql`
    update invoices set net = sums.net, tax = round(sums.net * 0.2, 2), gross = sums.net + round(sums.net * 0.2, 2),
      lines = sums.lines, customers = sums.lines,
      paid = case when number < ${firstNumber + months - 2} then sums.net + round(sums.net * 0.2, 2) else 0 end
    from (select invoice_id, sum(amount) as net, count(*)::int as lines from invoice_lines group by 1) sums
    where sums.invoice_id = invoices.id and reseller_id = ${reseller}`.execute(db);
  await sql`
    insert into invoice_taxes (invoice_id, rate, taxable, tax)
    select id, 20, net, tax from invoices where reseller_id = ${reseller}`.execute(db);
  // Every second customer held another quantity when the pre-bill of the newest month was made.
  await sql`
    with newest as (
      select * from invoices where number = ${firstNumber + months - 1}
    ), made as (
      insert into pre_bills (reseller_id, period, prepared, currency, net, tax, gross, lines)
      select reseller_id, period, period + 27, currency, net, tax, gross, lines from newest
      returning id
    )
    insert into pre_bill_lines (pre_bill_id, key, kind, organisation_id, customer, service, starts, ends, quantity,
      unit_price, rate, exact, amount)
    select made.id, key, l.kind, organisation_id, customer, service, starts, ends, n, unit_price, rate, n * unit_price,
      n * unit_price
    from made, newest join invoice_lines l on l.invoice_id = newest.id,
      lateral (select quantity + organisation_id % 2 as n) q`.execute(db);
  // As the billing run does once it has written a document.
  const { rows } = await sql<{ id: number; before: number }>`
    select id::int as id, lag(id::int) over (order by period) as before from invoices where reseller_id = ${reseller}
    order by period desc limit 1`.execute(db);
  for (const { id, before } of rows) {
    await keepChanges(db, id, before);
    await keepDifference(db, id);
  }
  await sql`vacuum analyze`.execute(db);
}

/** Measures how fast the sandbox answers requests for invoices of a reseller with 100,000 customers. */
export function benchBilling(): Promise<Measure[]> {
  return benchSandbox(
    { seed: 'large', account: 'large@bigreseller.test', limit: 50, prepare: insertInvoices },
    Object.entries(questions).map(([name, path]) => ({ what: `100,000 customers, ${months} invoices: ${name}`, path })),
  );
}
