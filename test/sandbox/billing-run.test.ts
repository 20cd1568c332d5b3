import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { listCustomerChanges } from '../../server/sandbox/billing/changes.ts';
import type { Found } from '../../server/sandbox/billing/documents.ts';
import { createBilling } from '../../server/sandbox/billing/run.ts';
import { contained } from '../fixtures/contained.ts';
import { focusFile } from '../fixtures/focus-file.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { skipDays } from '../fixtures/skip-days.ts';

/** A Thursday; the month ends ten days later. */
const seeded = new Date('2026-01-22T15:20:00Z');
let clock = seeded;
const sandbox = withSandbox({ seededAt: seeded, now: () => clock, tokenSeconds: 400 * 86_400 });
let token = '';
let customer = '';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;
const read = async (path: string, as = token): Promise<Json> => {
  const { status, body } = await sandbox.call(as, 'GET', path);
  assert.equal(status, 200, path);
  return body.Result;
};
const cents = (amounts: readonly string[]): number =>
  amounts.reduce((sum, text) => sum + Math.round(Number(text) * 100), 0);
const linesOf = async (id: string, name = 'invoices'): Promise<Json[]> =>
  (await read(`/billing/${name}/${id}/lines?pageSize=100`)).Items;

/** What a customer of the reseller in euros holds, so that nothing else is on its invoices. */
async function hold(created: string, service: number, more: Record<string, unknown> = {}): Promise<number> {
  const row = { quantity: 10, monthly_price: 3.1, status: 'Active', last_change: created, ...more };
  const { rows } = await sql<{ id: number }>`
    insert into service_instances (reseller_id, customer_id, service_id, sub_id, status, quantity, monthly_price,
      term_id, billing_id, created, last_change)
    values (1005, ${customer}, ${service}, 1, ${row.status}, ${row.quantity}, ${row.monthly_price}, 'monthly', 'monthly',
      ${created}::timestamptz, ${row.last_change}::timestamptz)
    returning id`.execute(sandbox.db);
  return rows[0]!.id;
}

/** Orders 12 of a service of which 10 were held; the row of the service says so already. */
async function changeQuantity(held: number, created: string): Promise<void> {
  await sql`
    insert into orders (reseller_id, customer_id, ordered_by, instance_id, action, service_id, sub_id, quantity,
      quantity_before, price_before, term_id, billing_id, fields, unit_price, monthly_price, first_charge,
      first_charge_date, cancel_free_until, currency, status, created)
    values (1005, ${customer}, 'Wim Haven', ${held}, 'Modify', 1, 1, 12, 10, 3.1, 'monthly', 'monthly', '{}', 3.1, 37.2, 0,
      ${created}::date + 8, ${created}::date + 7, 'EUR', 'Done', ${created})`.execute(sandbox.db);
}

async function addCustomer(name: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into customers (reseller_id, name, domain, created, last_change)
    values (1005, ${name}, ${`${name.toLowerCase().replaceAll(' ', '-')}.test`}, '2026-01-02', '2026-01-02')
    returning id`.execute(sandbox.db);
  return rows[0]!.id;
}

/** Goes on to a day without what the days between would add, so that invoices hold what the tests put in alone. */
async function goTo(day: string): Promise<void> {
  clock = new Date(`${day}T03:00:00Z`);
  await skipDays(sandbox.db, day, 1005);
  await sandbox.tickOnce();
}

setUp(async () => {
  token = await sandbox.signIn('euro@westhaven.test');
  customer = await addCustomer('Galway Books');
});

test('a service is billed for the days on which it was held, in parts where its quantity changed', async () => {
  const held = await hold('2026-01-28T09:00:00Z', 1, { quantity: 12 });
  await changeQuantity(held, '2026-01-30T10:00:00Z');
  await hold('2026-01-29T08:00:00Z', 23, { quantity: 31, monthly_price: 1.1 });
  await goTo('2026-02-02');
  const latest = await read('/billing/invoices/latest');
  const { Id, Period, Issued, Due, Status, Net, Tax, Gross, Currency } = latest;
  assert.deepEqual(
    { Period, Issued, Due, Status, Net, Tax, Gross, Currency },
    {
      ...{ Period: '2026-01-01', Issued: '2026-02-01', Due: '2026-03-03', Status: 'Due' },
      ...{ Net: '7.70', Tax: '1.01', Gross: '8.71', Currency: 'EUR' },
    },
  );
  const told = await sandbox.db.selectFrom('outbox').select(['recipient', 'subject']).execute();
  const own = told.filter(({ recipient }) => recipient === 'euro@westhaven.test');
  assert.deepEqual(
    own.map(({ subject }) => subject),
    [`Invoice ${Id}: €8.71, due on 03/03/2026`],
  );
  const { rows: notices } = await sql<{ message: string }>`
    select message from notifications n join accounts a on a.id = n.account_id
    where a.username = 'euro@westhaven.test' and n.service_name = 'Billing'`.execute(sandbox.db);
  assert.deepEqual(notices, [{ message: `Invoice ${Id} of January 2026 is there` }]);
  const shown = (await linesOf(Id)).map(line => [line.Service, line.Starts, line.Ends, line.Quantity, line.Amount]);
  assert.deepEqual(shown, [
    ['Hosted Exchange', '2026-01-28', '2026-01-29', 10, '2.00'],
    ['Hosted Exchange', '2026-01-30', '2026-01-31', 12, '2.40'],
    ['Mail Archive', '2026-01-29', '2026-01-31', 31, '3.30'],
  ]);
  const { Taxes } = await read(`/billing/invoices/${Id}`);
  const rates = Taxes.map(({ Rate, Taxable, Tax: tax }: Json) => [Rate, Taxable, tax]);
  assert.deepEqual(rates, [
    [23, '4.40', '1.01'],
    [0, '3.30', '0.00'],
  ]);
});

test('a line says which order made it', async () => {
  const { Id } = await read('/billing/invoices/latest');
  const changed = (await linesOf(Id)).find(({ Quantity }) => Quantity === 12);
  const why = await read(`/billing/invoices/${Id}/lines/${changed.Id}`);
  const { OrderedBy, QuantityBefore, OrderQuantity, Days, MonthDays, UnitPrice, Exact } = why;
  assert.deepEqual(
    { OrderedBy, QuantityBefore, OrderQuantity, Days, MonthDays, UnitPrice, Exact },
    {
      ...{ OrderedBy: 'Wim Haven', QuantityBefore: 10, OrderQuantity: 12, Days: 2, MonthDays: 31 },
      ...{ UnitPrice: '3.10', Exact: '2.400000000000' },
    },
  );
});

test('what is cancelled free of charge after it was billed is credited, cent for cent, and taken off the next invoice', async () => {
  await hold('2026-02-26T08:00:00Z', 19, { quantity: 7, monthly_price: 33.33 });
  await goTo('2026-03-02');
  const february = await read('/billing/invoices/latest');
  const charged = (await linesOf(february.Id)).find(({ Service }) => Service === 'Contact Centre');
  assert.equal(charged.Amount, '25.00', 'three of 28 days');
  await sql`update service_instances set status = 'Deleted', last_change = '2026-03-03T09:00:00Z'
    where customer_id = ${customer} and service_id = 19`.execute(sandbox.db);
  await goTo('2026-04-02');
  const { Items } = await read('/billing/creditmemos');
  assert.equal(Items.length, 1);
  const [{ Id, Net, Gross, Against, UsedOn, Status }] = Items;
  const march = await read('/billing/invoices/latest');
  assert.deepEqual(
    { Net, Gross, Against, UsedOn, Status },
    {
      ...{ Net: '25.00', Gross: '30.75', Against: february.Id, UsedOn: march.Id, Status: 'Used' },
    },
  );
  assert.equal((await linesOf(Id, 'creditmemos'))[0].Amount, charged.Amount);
  assert.equal(march.Prepaid, '30.75');
  assert.equal(cents([march.Left]), cents([march.Gross]) - 3075);
  assert.ok((await linesOf(march.Id)).length > 0);
  assert.equal((await linesOf(march.Id)).filter(({ Service }) => Service === 'Contact Centre').length, 0);
});

test('usage is billed by sub-account, once and as corrected later, and 68 lines with parts of a cent add up to their exact sum', async () => {
  const costs = Array.from(
    { length: 68 },
    (_, index) => `0.${String(index % 9)}${index % 7}5${String(index).padStart(2, '0')}72899`,
  );
  const charges = costs.map((BilledCost, index) => ({
    ...{ BilledCost, BillingCurrency: 'EUR', ChargePeriodStart: '2025-09-14T00:00:00Z' },
    ...{ SubAccountId: `sub-${index}`, SubAccountName: `Sub-account ${index}`, ResourceId: `/r/${index}` },
  }));
  const loaded = await sandbox.call(token, 'POST', `/api/customers/${customer}/usage/files`, focusFile(charges), {
    'content-type': 'text/csv',
  });
  assert.equal(loaded.body.Result?.Rows, 68);
  await goTo('2026-05-02');
  const april = await read('/billing/invoices/latest');
  const used = (await linesOf(april.Id)).filter(({ Kind }) => Kind === 'Usage');
  assert.equal(used.length, 68);
  const { rows } = await sql<{ whole: number; each: number }>`
    select (round(sum(c), 2) * 100)::int as whole, (sum(round(c, 2)) * 100)::int as each
    from unnest(${costs}::numeric[]) c`.execute(sandbox.db);
  assert.notEqual(rows[0]?.each, rows[0]?.whole, 'the costs are a trap for rounding each line');
  // Of the same rate there is nothing but whole cents besides.
  assert.equal(cents(used.map(({ Amount }) => Amount)), rows[0]?.whole);
  const why = await read(`/billing/invoices/${april.Id}/lines/${used[0].Id}`);
  assert.deepEqual(
    notEmpty<Json>(why.Usage).map(({ Meter, Month, Cost }) => [Meter, Month, Cost]),
    [['D2s v5', '2025-09-01', why.Exact]],
  );
  const corrected = { ...charges[67], BilledCost: '2.00', x_SkuMeterName: 'Another meter' };
  await sandbox.call(token, 'POST', `/api/customers/${customer}/usage/files`, focusFile([corrected]), {
    'content-type': 'text/csv',
  });
  await goTo('2026-06-02');
  const may = await read('/billing/invoices/latest');
  assert.deepEqual(
    (await linesOf(may.Id)).filter(({ Kind }) => Kind === 'Usage').map(({ Service, Amount }) => [Service, Amount]),
    [['Sub-account 67', (2 - Number(costs[67])).toFixed(2)]],
    'once, and what a later file takes away is taken off',
  );
});

test('two services of one moment are two lines, and what is paid upfront is not billed by the month as well', async () => {
  const moment = '2026-06-01T08:00:00Z';
  await hold(moment, 7);
  await hold(moment, 7);
  const upfront = await hold(moment, 8, { monthly_price: 5 });
  await sql`update service_instances set billing_id = 'upfront', term_id = 'annual' where id = ${upfront}`.execute(
    sandbox.db,
  );
  await sql`
    insert into orders (reseller_id, customer_id, ordered_by, instance_id, action, service_id, sub_id, quantity, term_id,
      billing_id, fields, unit_price, monthly_price, first_charge, first_charge_date, cancel_free_until, currency,
      status, created)
    values (1005, ${customer}, 'Wim Haven', ${upfront}, 'Add', 8, 1, 10, 'annual', 'upfront', '{}', 5, 50, 600,
      '2026-06-09', '2026-06-08', 'EUR', 'Done', ${moment}::timestamptz)`.execute(sandbox.db);
  await goTo('2026-07-02');
  const june = await linesOf((await read('/billing/invoices/latest')).Id);
  const amountsOf = (name: string) =>
    june.filter(({ Service }) => Service === name).map(({ Kind, Amount }) => [Kind, Amount]);
  assert.deepEqual(amountsOf('Web Security'), [
    ['Month', '31.00'],
    ['Month', '31.00'],
  ]);
  assert.deepEqual(amountsOf('Office Suite Business'), [['Term', '600.00']]);
  await goTo('2026-08-02');
  const july = await linesOf((await read('/billing/invoices/latest')).Id);
  assert.equal(july.filter(({ Service }) => Service === 'Office Suite Business').length, 0);
});

test('a month is billed once, however often the run looks, and numbers have no gap', async () => {
  const count = async () =>
    (await sql<{ lines: number }>`select count(*)::int as lines from invoice_lines`.execute(sandbox.db)).rows[0]?.lines;
  const before = await count();
  for (const day of ['03', '04']) {
    await goTo(`2026-08-${day}`);
  }
  assert.equal(await count(), before);
  const { rows } = await sql<{ kind: string; whole: boolean }>`
    select kind, max(number) - min(number) + 1 = count(*) as whole from invoices group by kind`.execute(sandbox.db);
  assertEvery(rows, ({ whole }) => whole);
});

test('what was paid by bank transfer is recorded once, though two processes find it at once', async () => {
  const { db } = sandbox;
  const made = await db.deleteFrom('payments').where('means', '=', 'BankTransfer').executeTakeFirst();
  await db.updateTable('invoices').set({ paid: '0', paid_on: null }).where('paid_on', 'is not', null).execute();
  await Promise.all(
    [1, 2].map(() =>
      createBilling(
        db,
        () => clock,
        contained(() => clock),
        'http://portal.test',
      ).runDue(),
    ),
  );
  const { rows } = await sql<Json>`
    select count(*)::int as payments, count(distinct invoice_id)::int as invoices from payments
    where means = 'BankTransfer'`.execute(db);
  assert.ok(made.numDeletedRows > 0n);
  assert.deepEqual(rows, [{ payments: Number(made.numDeletedRows), invoices: Number(made.numDeletedRows) }]);
});

test('a pre-bill is made four days before the month ends, and the invoice is compared with it', async () => {
  customer = await addCustomer('Sligo Press');
  const changed = await hold('2026-08-05T09:00:00Z', 1);
  await hold('2026-08-05T09:00:00Z', 23, { monthly_price: 1.1 });
  const free = await hold('2026-08-26T09:00:00Z', 13, { monthly_price: 20 });
  const bill = (name: string) => read(`/billing/invoices/${name}?invoiceDate=2026-09-01&search=sligo&pageSize=100`);
  const missing = async (name: string) =>
    (await sandbox.call(token, 'GET', `/billing/invoices/${name}?invoiceDate=2026-09-01`)).status;
  await goTo('2026-08-27');
  assert.equal(await missing('pre-bill'), 404);
  await goTo('2026-08-28');
  const pre = await bill('pre-bill');
  assert.equal(pre.Prepared, '2026-08-28');
  assert.deepEqual(
    pre.Items.map(({ Service, Quantity, Amount }: Json) => [Service, Quantity, Amount]),
    [
      ['Hosted Exchange', 10, '27.00'],
      ['Hosted Voice', 10, '38.71'],
      ['Mail Archive', 10, '9.58'],
    ],
  );
  assert.equal(await missing('post-bill'), 404);
  const early = await bill('bill-difference');
  assert.deepEqual([early.InvoiceId, early.PostNet, early.Change, early.Total], [null, null, null, 0]);

  // What happens after it.
  await sql`update service_instances set quantity = 12 where id = ${changed}`.execute(sandbox.db);
  await changeQuantity(changed, '2026-08-30T10:00:00Z');
  await sql`
    update service_instances set status = 'Deleted', last_change = '2026-08-29T10:00:00Z'
    where id = ${free}`.execute(sandbox.db);
  await hold('2026-08-31T09:00:00Z', 17, { quantity: 31, monthly_price: 2 });
  await goTo('2026-09-02');
  const post = await bill('post-bill');
  const found = await bill('bill-difference');
  assert.deepEqual(
    found.Items.map((one: Json) => [one.Service, one.Reason, one.Before, one.After, one.Change]),
    [
      ['Hosted Voice', 'Gone', 10, null, '-38.71'],
      ['Mail Signatures', 'Added', null, 31, '2.00'],
      ['Hosted Exchange', 'Quantity', 10, 12, '0.40'],
    ],
  );
  const { rows: kept } = await sql`delete from pre_bill_counts c using pre_bills b
    where b.id = c.pre_bill_id and b.period = '2026-08-01' returning 1`.execute(sandbox.db);
  assert.ok(kept.length > 0, 'they were compared when the month was billed');
  await sql`delete from pre_bill_changes`.execute(sandbox.db);
  assert.deepEqual(await bill('bill-difference'), found, 'what nobody has compared is compared when it is asked for');
  assert.deepEqual(await bill('pre-bill'), { ...pre, InvoiceId: post.InvoiceId }, 'a pre-bill stays as it was made');
  const all = await read('/billing/invoices/bill-difference?invoiceDate=2026-09-01&pageSize=100');
  assert.equal(cents(all.Items.map(({ Change }: Json) => Change)), cents([all.PostNet]) - cents([all.PreNet]));
  assert.equal(cents([all.Change]), cents([all.PostNet]) - cents([all.PreNet]));
  assert.equal(all.Counts.Added + all.Counts.Gone + all.Counts.Changed, all.Total);
  assert.equal((await read('/billing/invoices/bill-difference')).InvoiceDate, '2026-09-01', 'the newest by itself');
  const rival = await sandbox.signIn('bookkeeper@northwind.test');
  const { Items } = await read('/billing/invoices/pre-bill?invoiceDate=2026-09-01&search=sligo', rival).catch(() => ({
    Items: [],
  }));
  assert.deepEqual(Items, [], 'another reseller has its own');
  for (const bad of ['2026-13-01', '2026-09-02', 'soon'])
    assert.equal((await sandbox.call(token, 'GET', `/billing/invoices/pre-bill?invoiceDate=${bad}`)).status, 400, bad);
});

test('what changed by customer names those who are new or gone as well, the largest change first', async () => {
  const before = await read('/billing/invoices/latest');
  const groups = (await read(`/billing/invoices/${before.Id}/groups`)).Items;
  const { Amount: gone } = groups.find(({ Name }: Json) => Name === 'Sligo Press');
  await sql`
    update service_instances set status = 'Deleted', last_change = '2026-08-31T20:00:00Z'
    where customer_id = ${customer} and status = 'Active'`.execute(sandbox.db);
  customer = await addCustomer('Ennis Tools');
  await hold('2026-09-01T09:00:00Z', 23, { quantity: 2, monthly_price: 1.1 });
  await goTo('2026-10-02');
  const latest = await read('/billing/invoices/latest');
  const path = `/billing/invoices/${latest.Id}/changes`;
  const found = await read(`${path}/customers`);
  assert.deepEqual(
    found.Items.map((row: Json) => [row.Name, row.InvoiceId, row.Before, row.Amount, row.Change]),
    [
      ['Sligo Press', before.Id, gone, '0.00', `-${gone}`],
      ['Ennis Tools', latest.Id, '0.00', '2.20', '2.20'],
    ],
  );
  assert.equal(found.Total, 2);
  const { Change } = await read(path);
  assert.deepEqual([found.Change, cents([Change])], [Change, cents([latest.Net]) - cents([before.Net])]);
  const second = await read(`${path}/customers?page=2&pageSize=1`);
  assert.deepEqual([second.Items, second.Total, second.Change], [found.Items.slice(1), 2, Change]);
});

test('changes by customer add up to the difference of every two invoices, by every reseller', async () => {
  const { rows } = await sql<Found & { difference: string }>`
    select id::int as id, before::int as "periodBefore", 'GBP' as "Currency", difference::text from (
      select id, net - lag(net, 1, 0) over months as difference, lag(id) over months as before
      from invoices where kind = 'Invoice' window months as (partition by reseller_id order by period)) i`.execute(
    sandbox.db,
  );
  assert.ok(rows.length > 30);
  for (const { difference, ...found } of rows) {
    const { Items, Total, Change } = await listCustomerChanges(sandbox.db, found, { page: 1, pageSize: 1000 });
    assert.deepEqual([Change, Items.length], [difference, Total]);
    assert.equal(cents(Items.map(row => row.Change)), cents([difference]));
  }
});

test('lines, taxes, groups and totals of every document agree to the cent', async () => {
  const { rows } = await sql<{ number: number; agrees: boolean }>`
    select i.number, (
      i.net = (select sum(amount) from invoice_lines l where l.invoice_id = i.id)
      and i.net = (select sum(taxable) from invoice_taxes t where t.invoice_id = i.id)
      and i.tax = (select sum(tax) from invoice_taxes t where t.invoice_id = i.id)
      and i.gross = i.net + i.tax
      and i.net = (select sum(amount) from invoice_groups g where g.invoice_id = i.id and g.kind = 'customer')
      and i.net = (select sum(amount) from invoice_groups g where g.invoice_id = i.id and g.kind = 'service')
      and not exists (select from invoice_lines l where l.invoice_id = i.id and abs(l.amount - l.exact) >= 0.01)
      and not exists (
        select from invoice_lines l where l.invoice_id = i.id group by l.rate
        having sum(l.amount) <> round(sum(l.exact), 2))
      and i.lines = (select count(*) from invoice_lines l where l.invoice_id = i.id)
    ) as agrees
    from invoices i`.execute(sandbox.db);
  assert.ok(rows.length > 30);
  assertEvery(rows, ({ agrees }) => agrees);
});
