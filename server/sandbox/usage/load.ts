import { sql } from 'kysely';
import type { Database, Tables, Write } from '../tables.ts';

/** One charge on its way in; decimals are text, so that none is rounded. */
export type Staged = Omit<Tables['usage_staged'], 'upload' | 'staged'>;

const columns = [
  'subscription_id',
  'subscription_name',
  'group_name',
  'resource_id',
  'resource_name',
  'service',
  'meter',
  'unit',
  'day',
  'quantity',
  'cost',
] as const satisfies readonly (keyof Staged)[];

/**
 * Writes charges into a staging table under the id `upload`, each cost times `rate` (a decimal). Nothing reads them
 * until `addStagedCharges`.
 */
export async function stageCharges(db: Database, upload: string, rows: readonly Staged[], rate = '1'): Promise<void> {
  const lists = columns.map(column => sql`${rows.map(row => row[column])}::text[]`);
  await sql`
    insert into usage_staged (upload, ${sql.join(columns.map(column => sql.ref(column)))})
    select ${upload}::uuid, a, b, c, d, e, f, g, h, i::date, j::numeric, k::numeric * ${rate}::numeric
    from unnest(${sql.join(lists)}) as row (a, b, c, d, e, f, g, h, i, j, k)`.execute(db);
}

/** Deletes what was staged under `upload`. */
export async function dropStagedCharges(db: Database, upload: string): Promise<void> {
  await db.deleteFrom('usage_staged').where('upload', '=', upload).execute();
}

/**
 * Moves the charges that were staged under `upload` into a customer's usage and into the sums that the report reads. A
 * charge on a day that has usage adds to it.
 */
export async function addStagedCharges(trx: Write, customerId: string, upload: string): Promise<void> {
  await nameAll(trx, customerId, upload);
  await sql`
    with taken as (
      delete from usage_staged where upload = ${upload}::uuid returning *),
    charges as (
      select g.id as group_id, r.id as resource_id, m.id as meter_id, t.day,
        sum(t.quantity) as quantity, sum(t.cost) as cost
      from taken t
      join usage_subscriptions s on s.customer_id = ${customerId} and s.subscription_id = t.subscription_id
      join usage_groups g on g.subscription_id = s.id and lower(g.name) = lower(t.group_name)
      join usage_resources r on r.group_id = g.id and lower(r.resource_id) = lower(t.resource_id)
      join usage_meters m on (m.service, m.name, m.unit) = (t.service, t.meter, t.unit)
      group by 1, 2, 3, 4),
    of_days as (
      insert into usage_days as u (resource_id, meter_id, day, quantity, cost)
      select resource_id, meter_id, day, quantity, cost from charges
      on conflict (resource_id, day, meter_id)
      do update set quantity = u.quantity + excluded.quantity, cost = u.cost + excluded.cost),
    of_resources as (
      insert into usage_resource_days as u (resource_id, day, cost)
      select resource_id, day, sum(cost) from charges group by 1, 2
      on conflict (resource_id, day) do update set cost = u.cost + excluded.cost)
    insert into usage_meter_days as u (group_id, meter_id, day, quantity, cost)
    select group_id, meter_id, day, sum(quantity), sum(cost) from charges group by 1, 2, 3
    on conflict (group_id, day, meter_id)
    do update set quantity = u.quantity + excluded.quantity, cost = u.cost + excluded.cost`.execute(trx);
}

/**
 * Subscriptions, groups, resources and meters that are new; a subscription takes the name that it has now. Of names that
 * differ in case alone the one in small letters is kept.
 */
async function nameAll(trx: Write, customerId: string, upload: string): Promise<void> {
  const staged = sql`usage_staged where upload = ${upload}::uuid`;
  await sql`
    insert into usage_subscriptions (customer_id, subscription_id, name)
    select ${customerId}::uuid, subscription_id, max(subscription_name) from ${staged} group by 2
    on conflict (customer_id, subscription_id) do update set name = excluded.name`.execute(trx);
  await sql`
    insert into usage_groups (subscription_id, name)
    select s.id, max(t.group_name collate "C") from (select * from ${staged}) t
    join usage_subscriptions s on s.customer_id = ${customerId} and s.subscription_id = t.subscription_id
    group by s.id, lower(t.group_name)
    on conflict (subscription_id, lower(name)) do nothing`.execute(trx);
  await sql`
    insert into usage_resources (group_id, resource_id, name)
    select g.id, max(t.resource_id collate "C"), max(t.resource_name collate "C") from (select * from ${staged}) t
    join usage_subscriptions s on s.customer_id = ${customerId} and s.subscription_id = t.subscription_id
    join usage_groups g on g.subscription_id = s.id and lower(g.name) = lower(t.group_name)
    group by g.id, lower(t.resource_id)
    on conflict (group_id, lower(resource_id)) do nothing`.execute(trx);
  await sql`
    insert into usage_meters (service, name, unit)
    select distinct service, meter, unit from ${staged}
    on conflict (service, name, unit) do nothing`.execute(trx);
}
