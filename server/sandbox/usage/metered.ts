import { sql } from 'kysely';
import type { Database } from '../tables.ts';
import { periods } from './report.ts';

/**
 * Sums what a customer used of the cloud platform in the last seven whole days (UTC), rounded to the cent; null without
 * usage.
 */
export async function readMetered(db: Database, customerId: string, now: Date): Promise<number | null> {
  const { rows } = await sql<{ readonly cost: number | null }>`
    select round(sum(d.cost), 2) as cost
    from usage_subscriptions s join usage_groups g on g.subscription_id = s.id
    join usage_meter_days d on d.group_id = g.id
    where s.customer_id = ${customerId} and ${isRecent(now)}`.execute(db);
  return rows[0]?.cost ?? null;
}

/**
 * Sums what all customers of a reseller used of the cloud platform in the last seven whole days (UTC), rounded to the
 * cent; null without usage.
 */
export async function sumMetered(db: Database, resellerId: number, now: Date): Promise<number | null> {
  // Each customer is rounded by itself, so that what the customers' pages say adds up to this.
  const { rows } = await sql<{ readonly cost: number | null }>`
    select sum(cost) as cost from (
      select round(sum(d.cost), 2) as cost
      from usage_subscriptions s join customers c on c.id = s.customer_id
      join usage_groups g on g.subscription_id = s.id join usage_meter_days d on d.group_id = g.id
      where c.reseller_id = ${resellerId} and ${isRecent(now)}
      group by s.customer_id) each`.execute(db);
  return rows[0]?.cost ?? null;
}

const isRecent = (now: Date) => {
  const today = sql`(${now}::timestamptz at time zone 'UTC')::date`;
  return sql`d.day between ${today} - ${periods[0]}::int and ${today} - 1`;
};
