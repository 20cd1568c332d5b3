import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Containment } from '../contain.ts';
import { daysToPay } from '../payments/terms.ts';
import type { Database, Write } from '../tables.ts';
import { keepChanges } from './changes.ts';
import { keyOfUsage } from './charges.ts';
import { addNextPage, type Draft, deleteDraft, waitForTurn } from './drafts.ts';
import { heldOf } from './held.ts';
import { endOf, type Month } from './month.ts';
import { listDuePreBills, preBillNextPage } from './pre-bill-run.ts';
import { keepDifference } from './pre-bills.ts';
import type { DocumentKind } from './tables.ts';
import { taxesOf, withPrintedAmounts } from './tax.ts';
import { tellOfInvoice } from './tell.ts';

/** Months before the seed that are billed: a year, and the month to compare its first one with. */
const monthsOfSeed = 13;
/** The same of a reseller with so many customers that a year would take hours: a month, and one to compare it with. */
const monthsOfLargeSeed = 2;
const largeFrom = 5001;
const firstNumber = { Invoice: 20_000, CreditMemo: 800 };

export type Billing = {
  /** Bills every month that is over and has not been billed, the oldest first, and makes the pre-bills of the one that is about to end. */
  runDue(): Promise<void>;
  /** Ends a run after the page that it is at. */
  stop(): void;
};

/** Computes a page of customers of a month; the last one writes the invoice or pre-bill. @returns whether it is done */
type NextPage = (trx: Write, month: Month) => Promise<boolean>;
/** Tells people of a new invoice. */
type Tell = (trx: Write, resellerId: number, invoiceId: number) => Promise<void>;

/**
 * Creates the monthly billing run. Each page of customers is a transaction of its own, and a month's last one also
 * writes its invoices and credit memos: after a crash the next process goes on behind the last whole page, and no page
 * is computed twice. What fails for one reseller is tried again later, and holds up none of the others.
 */
export function createBilling(db: Database, now: () => Date, contained: Containment, portalUrl: string): Billing {
  const tell: Tell = (trx, resellerId, id) => tellOfInvoice(trx, resellerId, id, portalUrl, now());
  const billPage: NextPage = (trx, month) => billNextPage(trx, month, tell);
  let checked = '';
  let isStopped = false;
  /** @returns false where it was stopped before the last page */
  const allPages = async (nextPage: NextPage, month: Month): Promise<boolean> => {
    for (;;) {
      if (isStopped) return false;
      if (await db.transaction().execute(trx => nextPage(trx, month))) return true;
      // Who has asked something meanwhile is answered before the next page.
      await nextTurn();
    }
  };
  return {
    async runDue() {
      const today = now().toISOString().slice(0, 10);
      if (today === checked) return;
      let isAllDone = true;
      /** @returns false where it was stopped */
      const runFor = async (resellerId: number, work: () => Promise<unknown>): Promise<boolean> => {
        if (!(await contained.run(resellerId, work))) isAllDone = false;
        await nextTurn();
        return !isStopped;
      };
      for (const month of await listDue(db)) {
        const bothBills = async () => (await allPages(preBillNextPage, month)) && allPages(billPage, month);
        if (!(await runFor(month.resellerId, bothBills))) return;
      }
      for (const month of await listDuePreBills(db)) {
        if (!(await runFor(month.resellerId, () => allPages(preBillNextPage, month)))) return;
      }
      for (const resellerId of await listTransferors(db, today)) {
        const settleAll = () => db.transaction().execute(trx => settle(trx, resellerId, today));
        if (!(await runFor(resellerId, settleAll))) return;
      }
      if (isAllDone) checked = today;
    },
    stop() {
      isStopped = true;
    },
  };
}

/** Bills all months before the seed, without telling anybody of these invoices, for a database that is new or of an older version. */
export async function billSeededMonths(trx: Write, now: Date): Promise<void> {
  for (const month of await listDue(trx)) {
    while (!(await preBillNextPage(trx, month)));
    while (!(await billNextPage(trx, month)));
  }
  const today = now.toISOString().slice(0, 10);
  for (const resellerId of await listTransferors(trx, today)) await settle(trx, resellerId, today);
}

/** Lists the months that have not been billed and whose days the calendar has added, the oldest first. */
async function listDue(db: Database): Promise<readonly Month[]> {
  const { rows } = await sql<Month>`
    with value as (
      select (max(value) filter (where name = 'seeded'))::timestamptz at time zone 'UTC' as seeded,
        (max(value) filter (where name = 'last day'))::date as last
      from settings where name in ('seeded', 'last day')
    ), reseller as (
      select reseller_id as id, min(created) at time zone 'UTC' as since,
        case when count(*) >= ${largeFrom} then ${monthsOfLargeSeed} else ${monthsOfSeed} end::int as months
      from customers group by reseller_id
    )
    select r.id::int as "resellerId", m::date::text as start
    from value, reseller r,
      generate_series(date_trunc('month', greatest(since, seeded - months * interval '1 month')),
        date_trunc('month', coalesce(last, seeded::date - 1) + interval '1 day') - interval '1 month',
        interval '1 month') m
    where not exists (select from billing_runs b where b.reseller_id = r.id and b.period = m::date)
    order by m, r.id`.execute(db);
  return rows;
}

/** Bills the next page of customers, and writes invoice, credit memo and the record of the month with the last one. */
async function billNextPage(trx: Write, { resellerId, start }: Month, tell?: Tell): Promise<boolean> {
  // Numbers have no gaps: one invoice or credit memo after the other.
  await waitForTurn(trx);
  const billed = await trx
    .selectFrom('billing_runs')
    .select('period')
    .where('reseller_id', '=', resellerId)
    .where('period', '=', sql<Date>`${start}::date`)
    .executeTakeFirst();
  if (billed !== undefined) return true;
  const draft = await addNextPage(trx, 'Invoice', resellerId, { start, end: endOf(start) });
  if (draft === undefined) return false;
  await trx.insertInto('billing_runs').values({ reseller_id: resellerId, period: start }).execute();
  const invoice = await writeDocument(trx, 'Invoice', draft);
  if (invoice !== undefined) {
    await keepUsage(trx, draft, invoice);
    await keepChanges(trx, invoice, await documentBefore(trx, 'Invoice', draft));
    await keepDifference(trx, invoice);
  }
  const memo = await writeDocument(trx, 'CreditMemo', draft);
  if (memo !== undefined) await applyCredit(trx, resellerId);
  if (invoice !== undefined) await tell?.(trx, resellerId, invoice);
  await deleteDraft(trx, draft);
  return true;
}

/** @returns the id of the invoice or credit memo; undefined where there is nothing to write */
async function writeDocument(trx: Write, kind: DocumentKind, draft: Draft): Promise<number | undefined> {
  const { id: draftId, resellerId, currency, period } = draft;
  const lines = sql`
    select * from billing_draft_lines where draft_id = ${draftId} and (kind = 'Credit') = ${kind === 'CreditMemo'}`;
  // Its sums follow from its lines.
  const { rows } = await sql<{ id: number }>`
    insert into invoices (kind, number, reseller_id, period, currency, issued, due, against, net, tax, gross, lines,
      customers)
    select ${kind}::text, (select coalesce(max(number), ${firstNumber[kind]}::int) + 1 from invoices where kind = ${kind}),
      ${resellerId}::bigint, ${period.start}::date, ${currency}::text, ${period.end}::date,
      ${period.end}::date + ${kind === 'Invoice' ? daysToPay(resellerId) : sql`0`}, max(against), 0, 0, 0, count(*),
      count(distinct customer_id)
    from (${lines}) l having count(*) > 0
    returning id`.execute(trx);
  const id = rows[0]?.id;
  if (id === undefined) return undefined;
  await sql`
    insert into invoice_lines (invoice_id, key, kind, customer_id, organisation_id, customer, service, instance_id,
      order_id, starts, ends, quantity, unit_price, days, month_days, rate, exact, amount)
    select ${id}::bigint, key, kind, customer_id, organisation_id, customer, service, instance_id, order_id, starts, ends,
      quantity, unit_price, days, month_days, rate, exact, amount
    from (${withPrintedAmounts(lines)}) l order by key`.execute(trx);
  await sql`
    insert into invoice_groups (invoice_id, kind, key, name, lines, amount, change)
    select ${id}::bigint, s.*, s.amount - coalesce(b.amount, 0)
    from (
      select 'customer' as kind, organisation_id::text as key, customer, count(*), sum(amount) as amount
      from invoice_lines where invoice_id = ${id} group by organisation_id, customer
      union all
      select 'service', service, service, count(*), sum(amount) from invoice_lines where invoice_id = ${id} group by service
    ) s
    left join invoice_groups b on b.invoice_id = ${await documentBefore(trx, kind, draft)}::bigint and b.kind = s.kind
      and b.key = s.key`.execute(trx);
  await sql`
    insert into invoice_taxes (invoice_id, rate, taxable, tax)
    select ${id}::bigint, t.* from (${taxesOf(sql`select * from invoice_lines where invoice_id = ${id}`)}) t`.execute(
    trx,
  );
  await sql`
    update invoices set net = sums.net, tax = sums.tax, gross = sums.net + sums.tax
    from (select sum(taxable) as net, sum(tax) as tax from invoice_taxes where invoice_id = ${id}) sums
    where id = ${id}`.execute(trx);
  return id;
}

async function documentBefore(trx: Write, kind: DocumentKind, { resellerId, period }: Draft): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from invoices
    where reseller_id = ${resellerId} and kind = ${kind} and period < ${period.start}::date
    order by period desc limit 1`.execute(trx);
  return rows[0]?.id ?? null;
}

/** Writes the meters behind the usage lines of an invoice; from then on they count as billed. */
async function keepUsage(trx: Write, { id }: Draft, invoiceId: number): Promise<void> {
  await sql`
    insert into invoice_usage (line_id, subscription_id, month, meter_id, service, meter, unit, quantity, cost)
    select l.id, u.subscription_id, u.month, u.meter_id, m.service, m.name, m.unit, u.quantity, u.cost
    from billing_draft_usage u
    join usage_meters m on m.id = u.meter_id
    join invoice_lines l on l.invoice_id = ${invoiceId} and l.key = ${keyOfUsage(sql`u`)}
    where u.draft_id = ${id}`.execute(trx);
}

/**
 * Gives SQL for the invoices that have been paid by bank transfer until a day, by resellers who have never stored a
 * payment method: each when it is due, but that one in six comes some weeks late.
 */
const transferredUntil = (today: string) => sql`
  select * from (
    select i.*, due + case
      when ('x' || substr(md5(reseller_id || ' ' || period), 1, 7))::bit(28)::int % 6 = 0 then 20 else 0 end as day
    from invoices i where kind = 'Invoice' and paid_on is null
  ) i
  where day < ${today}::date
    and not exists (select from payment_methods m where m.reseller_id = i.reseller_id and m.created::date <= i.day)`;

async function listTransferors(db: Database, today: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct reseller_id as id from (${transferredUntil(today)}) come order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

/** Records what a reseller has paid by bank transfer until a day. */
async function settle(trx: Write, resellerId: number, today: string): Promise<void> {
  await waitForTurn(trx);
  await sql`
    with come as (
      select * from (${transferredUntil(today)}) c where reseller_id = ${resellerId}
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
      select id, gross - prepaid - paid - ${heldOf('invoices')}::numeric / 100 as left_to_pay from invoices
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
