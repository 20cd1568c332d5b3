import { sql } from 'kysely';
import type { Database, Write } from '../tables.ts';
import { type Period, readCharges } from './charges.ts';
import { roundCharges } from './tax.ts';

/** Days before the end of a month on which its pre-bill is made. */
const daysBefore = 4;

export async function currencyOf(trx: Write, resellerId: number): Promise<string> {
  const { currency } = await trx
    .selectFrom('resellers')
    .select('currency')
    .where('id', '=', resellerId)
    .executeTakeFirstOrThrow();
  return currency;
}

/**
 * Lists the pre-bills of the month that is not over whose day has come and that have not been made.
 * @param mostCustomers a reseller with more stands still
 */
export async function listDuePreBills(
  db: Database,
  mostCustomers: number,
): Promise<readonly { readonly resellerId: number; readonly start: string }[]> {
  const { rows } = await sql<{ readonly resellerId: number; readonly start: string }>`
    with value as (
      select coalesce((max(value) filter (where name = 'last day'))::date + 1,
        ((max(value) filter (where name = 'seeded'))::timestamptz at time zone 'UTC')::date) as today
      from settings where name in ('seeded', 'last day')
    )
    select r.id::int as "resellerId", date_trunc('month', today)::date::text as start
    from value, (select reseller_id as id from customers group by reseller_id having count(*) <= ${mostCustomers}) r
    where today >= (date_trunc('month', today) + interval '1 month')::date - ${daysBefore}::int
      and not exists (select from pre_bills b where b.reseller_id = r.id and b.period = date_trunc('month', today))
    order by r.id`.execute(db);
  return rows;
}

/** Writes what a month was expected to cost some days before its end, once; nothing where it costs nothing. */
export async function writePreBill(trx: Write, resellerId: number, { start, end }: Period): Promise<void> {
  const { rows } = await sql<{ readonly prepared: string; readonly is_made: boolean }>`
    select (${end}::date - ${daysBefore}::int)::text as prepared,
      exists (select from pre_bills where reseller_id = ${resellerId} and period = ${start}::date) as is_made`.execute(
    trx,
  );
  const [{ prepared, is_made }] = rows as [(typeof rows)[number]];
  if (is_made) return;
  const currency = await currencyOf(trx, resellerId);
  const charges = await readCharges(trx, resellerId, { start, end, knownUntil: prepared });
  if (charges.length === 0) return;
  const { rated, amounts, totals } = roundCharges(currency, charges);
  const made = await trx
    .insertInto('pre_bills')
    .values({
      ...{ reseller_id: resellerId, period: start, prepared, currency, lines: charges.length },
      ...{ net: totals.net, tax: totals.tax, gross: totals.gross },
    })
    .onConflict(on => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (made === undefined) return;
  const list = <V>(read: (charge: (typeof rated)[number]) => V) => rated.map(read);
  await sql`
    insert into pre_bill_lines (pre_bill_id, key, kind, organisation_id, customer, service, starts, ends, quantity,
      unit_price, rate, exact, amount)
    select ${made.id}::bigint, l.* from unnest(${list(({ key }) => key)}::text[], ${list(one => one.kind)}::text[],
      ${list(one => one.organisation_id)}::bigint[], ${list(one => one.customer)}::text[],
      ${list(one => one.service)}::text[], ${list(one => one.starts)}::date[], ${list(one => one.ends)}::date[],
      ${list(one => one.quantity)}::numeric[], ${list(one => one.unit_price)}::numeric[],
      ${list(one => one.rate)}::numeric[], ${list(one => one.exact)}::numeric[], ${amounts}::numeric[]) l`.execute(trx);
}
