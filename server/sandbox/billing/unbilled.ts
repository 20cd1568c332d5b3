import { sql } from 'kysely';
import { isHeld } from '../services/held.ts';
import type { Database } from '../tables.ts';
import { chargesOf, creditsOf, unbilledUsageOf } from './charges.ts';
import { endOf } from './month.ts';

/** A draft that there never is: usage is counted from where it stands. */
const noDraft = 0;

/**
 * Counts the charges and credits of a customer that would stand on invoices and credit memos of months that are not
 * billed yet, the one of `now` included: those of services that have ended, of orders, of telephones and of usage.
 * Left out are charges of services that the customer still has.
 */
export async function countUnbilled(db: Database, customerId: string, now: Date): Promise<number> {
  const page = await pageOf(db, customerId);
  const months = await listUnbilledMonths(db, customerId, now);
  const ofMonths = months.map(start => {
    const period = { start, end: endOf(start) };
    return sql`(${chargesOf(page, noDraft, period)}) union all (${creditsOf(page, period)})`;
  });
  const ofUsage = sql`
    select 'usage ' || subscription_id as key, null::bigint as instance_id, sum(cost) as exact
    from (${unbilledUsageOf(page, 'infinity')}) u group by subscription_id`;
  const all = ofMonths.reduce(
    (before, lines) => sql`${before} union all select key, instance_id, exact from (${lines}) l`,
    ofUsage,
  );
  const { rows } = await sql<{ readonly count: number }>`
    select count(distinct key)::int as count from (${all}) c
    left join service_instances i on i.id = c.instance_id
    where exact <> 0 and (i.id is null or not ${isHeld('i')})`.execute(db);
  return rows[0]!.count;
}

async function pageOf(db: Database, customerId: string) {
  const { reseller_id: resellerId } = await db
    .selectFrom('customers')
    .select('reseller_id')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return { resellerId, customers: [customerId] };
}

/** First days of the months from the last one that was billed, or the customer's first one, until that of `now`. */
async function listUnbilledMonths(db: Database, customerId: string, now: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly start: string }>`
    select m::date::text as start
    from customers c
    cross join lateral (
      select max(period) + interval '1 month' as next from billing_runs where reseller_id = c.reseller_id) billed
    cross join generate_series(
      greatest(billed.next, date_trunc('month', c.created at time zone 'UTC')),
      ${now}::timestamptz at time zone 'UTC', interval '1 month') m
    where c.id = ${customerId}`.execute(db);
  return rows.map(({ start }) => start);
}
