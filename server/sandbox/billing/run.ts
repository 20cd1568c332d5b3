import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Write } from '../tables.ts';
import { type Charge, keepUsage, type Period, readCharges, readCredits } from './charges.ts';
import { currencyOf, listDuePreBills, writePreBill } from './pre-bill-run.ts';
import type { DocumentKind } from './tables.ts';
import { roundCharges } from './tax.ts';

/** Months before the seed that are billed: a year, and the month to compare its first one with. */
const monthsOfSeed = 13;
/** Days after the issue of an invoice. */
const daysToPay = 27;
/** A reseller with more customers is there to be measured, and stands still. */
const mostCustomers = 5000;
const firstNumber = { Invoice: 20_000, CreditMemo: 800 };

export type Billing = {
  /**
   * Bills every month that is over and has not been billed, the oldest first, one transaction for each reseller, and makes
   * the pre-bills of the month that is about to end.
   */
  runDue(): Promise<void>;
  /** Ends a run after the reseller that it is at. */
  stop(): void;
};

/**
 * Creates the monthly billing run. A month of a reseller is one transaction that begins with the record of it: what a
 * killed process had not finished leaves nothing, and of two processes one bills it.
 */
export function createBilling(db: Database, now: () => Date): Billing {
  let checked = '';
  let isStopped = false;
  return {
    async runDue() {
      const today = now().toISOString().slice(0, 10);
      if (today === checked) return;
      for (const month of await listDue(db)) {
        await db.transaction().execute(trx => billMonth(trx, month));
        await nextTurn();
        if (isStopped) return;
      }
      for (const { resellerId, start } of await listDuePreBills(db, mostCustomers)) {
        const end = nextMonth(start);
        await db.transaction().execute(trx => writePreBill(trx, resellerId, { start, end }));
        if (isStopped) return;
      }
      await db.transaction().execute(trx => settle(trx, today));
      checked = today;
    },
    stop() {
      isStopped = true;
    },
  };
}

/** Bills all months before the seed, for a database that is new or of an older version. */
export async function billSeededMonths(trx: Write, now: Date): Promise<void> {
  for (const month of await listDue(trx)) await billMonth(trx, month);
  await settle(trx, now.toISOString().slice(0, 10));
}

type Month = { readonly resellerId: number; readonly start: string };

/** Lists the months that have not been billed and whose days the calendar has added, the oldest first. */
async function listDue(db: Database): Promise<readonly Month[]> {
  const { rows } = await sql<Month>`
    with value as (
      select (max(value) filter (where name = 'seeded'))::timestamptz at time zone 'UTC' as seeded,
        (max(value) filter (where name = 'last day'))::date as last
      from settings where name in ('seeded', 'last day')
    ), reseller as (
      select reseller_id as id, min(created) at time zone 'UTC' as since from customers
      group by reseller_id having count(*) <= ${mostCustomers}
    )
    select r.id::int as "resellerId", m::date::text as start
    from value, reseller r,
      generate_series(date_trunc('month', greatest(since, seeded - ${monthsOfSeed}::int * interval '1 month')),
        date_trunc('month', coalesce(last, seeded::date - 1) + interval '1 day') - interval '1 month',
        interval '1 month') m
    where not exists (select from billing_runs b where b.reseller_id = r.id and b.period = m::date)
    order by m, r.id`.execute(db);
  return rows;
}

const nextMonth = (start: string): string => {
  const date = new Date(`${start}T00:00:00Z`);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)).toISOString().slice(0, 10);
};

/** Waits until no other process writes documents or settles them. */
async function waitForTurn(trx: Write): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('billing ' || current_schema()))`.execute(trx);
}

async function billMonth(trx: Write, { resellerId, start }: Month): Promise<void> {
  // Numbers have no gaps: one document after the other.
  await waitForTurn(trx);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('billing_runs')
    .values({ reseller_id: resellerId, period: start })
    .onConflict(on => on.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) return;
  const currency = await currencyOf(trx, resellerId);
  const period: Period = { start, end: nextMonth(start) };
  await writePreBill(trx, resellerId, period);
  const credits = await readCredits(trx, resellerId, period);
  const charges = await readCharges(trx, resellerId, period);
  const invoice = await write(trx, 'Invoice', { resellerId, currency, period, charges, against: null });
  if (invoice !== undefined) await keepUsage(trx, resellerId, invoice, period.end);
  if (credits.length === 0) return;
  const against = Math.max(...credits.map(({ invoice_id }) => invoice_id));
  const memo = await write(trx, 'CreditMemo', { resellerId, currency, period, charges: credits, against });
  if (memo !== undefined) await applyCredit(trx, resellerId);
}

type Draft = {
  readonly resellerId: number;
  readonly currency: string;
  readonly period: Period;
  readonly charges: readonly Charge[];
  readonly against: number | null;
};

/** @returns the id of the document; undefined where there is nothing to write */
async function write(
  trx: Write,
  kind: DocumentKind,
  { resellerId, currency, period, charges, against }: Draft,
): Promise<number | undefined> {
  if (charges.length === 0) return undefined;
  const { rated, amounts, totals } = roundCharges(currency, charges);
  const { id } = await trx
    .insertInto('invoices')
    .values(({ selectFrom }) => ({
      kind,
      number: selectFrom('invoices')
        .where('kind', '=', kind)
        .select(sql<number>`coalesce(max(number), ${firstNumber[kind]}::int) + 1`.as('number')),
      reseller_id: resellerId,
      period: period.start,
      currency,
      issued: period.end,
      due: sql<string>`${period.end}::date + ${kind === 'Invoice' ? daysToPay : 0}::int`,
      against,
      used_on: null,
      net: totals.net,
      tax: totals.tax,
      gross: totals.gross,
      paid_on: null,
      lines: charges.length,
      customers: new Set(charges.map(({ customer_id }) => customer_id)).size,
    }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const list = <V>(read: (charge: (typeof rated)[number]) => V) => rated.map(read);
  await sql`
    insert into invoice_lines (invoice_id, key, kind, customer_id, organisation_id, customer, service, instance_id,
      order_id, starts, ends, quantity, unit_price, days, month_days, rate, exact, amount)
    select ${id}::bigint, l.* from unnest(${list(({ key }) => key)}::text[], ${list(one => one.kind)}::text[],
      ${list(one => one.customer_id)}::uuid[], ${list(one => one.organisation_id)}::bigint[],
      ${list(one => one.customer)}::text[], ${list(one => one.service)}::text[],
      ${list(one => one.instance_id)}::bigint[], ${list(one => one.order_id)}::bigint[],
      ${list(one => one.starts)}::date[], ${list(one => one.ends)}::date[],
      ${list(one => one.quantity)}::numeric[], ${list(one => one.unit_price)}::numeric[],
      ${list(one => one.days)}::int[], ${list(one => one.month_days)}::int[],
      ${list(one => one.rate)}::numeric[], ${list(one => one.exact)}::numeric[], ${amounts}::numeric[]) l`.execute(trx);
  await sql`
    insert into invoice_groups (invoice_id, kind, key, name, lines, amount)
    select ${id}::bigint, 'customer', organisation_id::text, customer, count(*), sum(amount) from invoice_lines
    where invoice_id = ${id} group by organisation_id, customer
    union all
    select ${id}::bigint, 'service', service, service, count(*), sum(amount) from invoice_lines
    where invoice_id = ${id} group by service`.execute(trx);
  await trx
    .insertInto('invoice_taxes')
    .values(totals.taxes.map(tax => ({ invoice_id: id, ...tax })))
    .execute();
  return id;
}

/**
 * Records what has been paid by bank transfer until a day, by resellers who have never stored a payment method: every
 * invoice when it is due, but that one in six comes some weeks late.
 */
async function settle(trx: Write, today: string): Promise<void> {
  await waitForTurn(trx);
  await sql`
    with come as (
      select * from (
        select i.*, due + case
          when ('x' || substr(md5(reseller_id || ' ' || period), 1, 7))::bit(28)::int % 6 = 0 then 20 else 0 end as day
        from invoices i where kind = 'Invoice' and paid_on is null
      ) i
      where day < ${today}::date
        and not exists (select from payment_methods m where m.reseller_id = i.reseller_id and m.created::date <= i.day)
    ), kept as (
      insert into payments (reseller_id, amount, currency, invoice_id, means, press, status, created, settled)
      select reseller_id, ((gross - prepaid - paid) * 100)::bigint, currency, id, 'BankTransfer', 'transfer-' || id,
        'Paid', day::timestamp at time zone 'UTC', day::timestamp at time zone 'UTC'
      from come where gross - prepaid - paid > 0
    )
    update invoices set paid = invoices.gross - invoices.prepaid, paid_on = come.day
    from come where come.id = invoices.id`.execute(trx);
}

/** Takes open credit memos off the newest invoice, as far as it goes. */
async function applyCredit(trx: Write, resellerId: number): Promise<void> {
  await sql`
    with target as (
      select id, gross - prepaid - paid - coalesce((
          select sum(amount) from payments p where p.invoice_id = invoices.id and p.status = 'Pending'), 0)::numeric / 100
        as left_to_pay from invoices
      where reseller_id = ${resellerId} and kind = 'Invoice' order by period desc limit 1
    ), memo as (
      select m.id, least(m.gross - m.prepaid, target.left_to_pay) as used, target.id as target
      from invoices m, target
      where m.reseller_id = ${resellerId} and m.kind = 'CreditMemo' and m.gross > m.prepaid and target.left_to_pay > 0
      order by m.period desc limit 1
    ), taken as (
      update invoices set prepaid = prepaid + memo.used from memo where invoices.id = memo.target
    )
    update invoices set prepaid = prepaid + memo.used, used_on = memo.target from memo where invoices.id = memo.id`.execute(
    trx,
  );
}
