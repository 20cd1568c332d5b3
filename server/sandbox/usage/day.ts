import { sql } from 'kysely';
import type { Day } from '../days.ts';
import type { Write } from '../tables.ts';

/** A whole number of weeks that the seed has usage of: weekends stay weekends, and no report shows a week twice. */
const weeks = 8;

/**
 * Adds a day of usage for the seeded resources, the same as eight weeks before, unless the day is there already. Usage
 * that was loaded from a file does not continue by itself.
 */
export async function addUsageOfDay(trx: Write, { date }: Day): Promise<void> {
  await sql`
    with added as (
      insert into usage_days (resource_id, meter_id, day, quantity, cost)
      select d.resource_id, d.meter_id, ${date}::date, d.quantity, d.cost
      from usage_resources r join usage_days d on d.resource_id = r.id
      where d.day = ${date}::date - ${weeks * 7}::int and d.source = ''
        and r.resource_id like '/subscriptions/%' and r.resource_id not like '%/providers/%'
      on conflict do nothing
      returning resource_id, meter_id, day, quantity, cost),
    of_resources as (
      insert into usage_resource_days as u (resource_id, day, cost)
      select resource_id, day, sum(cost) from added group by 1, 2
      on conflict (resource_id, day) do update set cost = u.cost + excluded.cost)
    insert into usage_meter_days as u (group_id, meter_id, day, quantity, cost)
    select r.group_id, a.meter_id, a.day, sum(a.quantity), sum(a.cost)
    from added a join usage_resources r on r.id = a.resource_id group by 1, 2, 3
    on conflict (group_id, day, meter_id)
    do update set quantity = u.quantity + excluded.quantity, cost = u.cost + excluded.cost`.execute(trx);
}
