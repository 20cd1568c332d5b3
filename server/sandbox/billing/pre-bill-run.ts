import { sql } from 'kysely';
import type { Database, Write } from '../tables.ts';
import { addNextPage, type Draft, deleteDraft, waitForTurn } from './drafts.ts';
import { endOf, type Month } from './month.ts';
import { taxesOf, withPrintedAmounts } from './tax.ts';

/** Days before the end of a month on which its pre-bill is made. */
const daysBefore = 4;

/** Lists the pre-bills (forecasts of an invoice before its month ends) that are due and have not been made. */
export async function listDuePreBills(db: Database): Promise<readonly Month[]> {
  const { rows } = await sql<Month>`
    with value as (
      select coalesce((max(value) filter (where name = 'last day'))::date + 1,
        ((max(value) filter (where name = 'seeded'))::timestamptz at time zone 'UTC')::date) as today
      from settings where name in ('seeded', 'last day')
    )
    select r.id::int as "resellerId", date_trunc('month', today)::date::text as start
    from value, (select distinct reseller_id as id from customers) r
    where today >= (date_trunc('month', today) + interval '1 month')::date - ${daysBefore}::int
      and not exists (select from pre_bills b where b.reseller_id = r.id and b.period = date_trunc('month', today))
    order by r.id`.execute(db);
  return rows;
}

/**
 * Computes the next page of customers of a month's pre-bill; with the last page it writes the pre-bill. One without
 * lines is kept too, so that it is not computed again; nobody is shown it.
 * @returns whether it is done
 */
export async function preBillNextPage(trx: Write, { resellerId, start }: Month): Promise<boolean> {
  await waitForTurn(trx);
  const end = endOf(start);
  const { rows } = await sql<{ readonly prepared: string; readonly is_made: boolean }>`
    select (${end}::date - ${daysBefore}::int)::text as prepared,
      exists (select from pre_bills where reseller_id = ${resellerId} and period = ${start}::date)
        or exists (select from billing_runs where reseller_id = ${resellerId} and period = ${start}::date) as is_made`.execute(
    trx,
  );
  const { prepared, is_made } = rows[0]!;
  if (is_made) return true;
  const draft = await addNextPage(trx, 'PreBill', resellerId, { start, end, knownUntil: prepared });
  if (draft === undefined) return false;
  await writePreBill(trx, draft, prepared);
  await deleteDraft(trx, draft);
  return true;
}

async function writePreBill(trx: Write, { id, resellerId, currency, period }: Draft, prepared: string): Promise<void> {
  const lines = withPrintedAmounts(sql`select * from billing_draft_lines where draft_id = ${id}`);
  const { rows } = await sql<{ id: number }>`
    insert into pre_bills (reseller_id, period, prepared, currency, net, tax, gross, lines)
    select ${resellerId}::bigint, ${period.start}::date, ${prepared}::date, ${currency}::text, coalesce(sum(taxable), 0), coalesce(sum(tax), 0),
      coalesce(sum(taxable) + sum(tax), 0), (select count(*) from billing_draft_lines where draft_id = ${id})
    from (${taxesOf(lines)}) t
    returning id`.execute(trx);
  const made = rows[0]!;
  await sql`
    insert into pre_bill_lines (pre_bill_id, key, kind, organisation_id, customer, service, starts, ends, quantity,
      unit_price, rate, exact, amount)
    select ${made.id}::bigint, key, kind, organisation_id, customer, service, starts, ends, quantity, unit_price, rate,
      exact, amount
    from (${lines}) l`.execute(trx);
}
