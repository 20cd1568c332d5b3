import { sql } from 'kysely';
import type { Database, Tables, Write } from '../tables.ts';

/** One charge on its way in; decimals are text, so that none is rounded. */
export type Staged = Omit<Tables['usage_staged'], 'upload' | 'staged'>;

const columns = [
  'source',
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
 * until `replaceByStaged`.
 */
export async function stageCharges(db: Database, upload: string, rows: readonly Staged[], rate = '1'): Promise<void> {
  const lists = columns.map(column => sql`${rows.map(row => row[column])}::text[]`);
  await sql`
    insert into usage_staged (upload, ${sql.join(columns.map(column => sql.ref(column)))})
    select ${upload}::uuid, a, b, c, d, e, f, g, h, i, j::date, k::numeric, l::numeric * ${rate}::numeric
    from unnest(${sql.join(lists)}) as row (a, b, c, d, e, f, g, h, i, j, k, l)`.execute(db);
}

/** Deletes what was staged under `upload`. */
export async function dropStagedCharges(db: Database, upload: string): Promise<void> {
  await db.deleteFrom('usage_staged').where('upload', '=', upload).execute();
}

/**
 * Sums of a load for a subscription, or for all (`subscription_id` null): how many charges (by resource, meter and
 * day) it adds, replaces, leaves as they are and takes away, and what these cost before and after it as decimals.
 */
export type LoadSums = {
  readonly subscription_id: string | null;
  readonly subscription: string | null;
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly gone: number;
  readonly cost_before: string;
  readonly cost_after: string;
};

/**
 * Makes the charges that were staged under `upload` those of the days from their first to their last: they replace what
 * the same source said before of the same subscriptions on these days. Writes down under the id of a file what changed.
 * @returns what changed by subscription, in order of their ids, and of all as the last one
 */
export async function replaceByStaged(
  trx: Write,
  customerId: string,
  upload: string,
  fileId: number,
): Promise<readonly LoadSums[]> {
  await nameAll(trx, customerId, upload);
  const { rows } = await sql<LoadSums>`
    with taken as (
      delete from usage_staged where upload = ${upload}::uuid returning *),
    named as (
      select s.id as subscription, g.id as group_id, t.* from taken t
      join usage_subscriptions s on s.customer_id = ${customerId} and s.subscription_id = t.subscription_id
      join usage_groups g on g.subscription_id = s.id and lower(g.name) = lower(t.group_name)),
    charges as (
      select r.id as resource_id, m.id as meter_id, t.day, t.source, sum(t.quantity) as quantity, sum(t.cost) as cost
      from named t
      join usage_resources r on r.group_id = t.group_id and lower(r.resource_id) = lower(t.resource_id)
      join usage_meters m on (m.service, m.name, m.unit) = (t.service, t.meter, t.unit)
      group by 1, 2, 3, 4),
    spans as (select source, min(day) as first, max(day) as last from taken group by source),
    present as (
      select d.* from (select distinct subscription, source from named) n
      join spans using (source)
      join usage_groups g on g.subscription_id = n.subscription
      join usage_resources r on r.group_id = g.id
      join usage_days d on d.resource_id = r.id and d.source = n.source and d.day between first and last),
    compared as (
      select resource_id, meter_id, day, source, p.quantity as quantity_before, p.cost as cost_before,
        c.quantity as quantity_after, c.cost as cost_after
      from present p full join charges c using (resource_id, meter_id, day, source)),
    kept as (
      insert into usage_file_changes
      select ${fileId}::bigint, * from compared
      where (quantity_before, cost_before) is distinct from (quantity_after, cost_after))
    select s.subscription_id, s.name as subscription,
      count(*) filter (where cost_before is null)::int as added,
      count(*) filter (where (quantity_before, cost_before) <> (quantity_after, cost_after))::int as replaced,
      count(*) filter (where (quantity_before, cost_before) = (quantity_after, cost_after))::int as unchanged,
      count(*) filter (where cost_after is null)::int as gone,
      coalesce(sum(cost_before), 0)::text as cost_before, coalesce(sum(cost_after), 0)::text as cost_after
    from compared
    join usage_resources r on r.id = compared.resource_id
    join usage_groups g on g.id = r.group_id
    join usage_subscriptions s on s.id = g.subscription_id
    group by grouping sets ((s.subscription_id, s.name), ())
    order by s.subscription_id collate "C" nulls last`.execute(trx);
  await applyChanges(trx, fileId, 'after');
  return rows;
}

/** Sets the charges that a file changed to what they were `before` or `after` it, and the sums that hold them. */
async function applyChanges(trx: Write, fileId: number, side: 'before' | 'after'): Promise<void> {
  const [quantity, cost] = [sql.ref(`quantity_${side}`), sql.ref(`cost_${side}`)];
  const changes = sql`select * from usage_file_changes where file_id = ${fileId}::bigint`;
  const days = sql`select distinct resource_id, day from (${changes}) c`;
  const groups = sql`
    select distinct r.group_id, c.day, c.meter_id from (${changes}) c join usage_resources r on r.id = c.resource_id`;
  await sql`
    delete from usage_days d using (${changes}) c
    where (d.resource_id, d.meter_id, d.day, d.source) = (c.resource_id, c.meter_id, c.day, c.source)`.execute(trx);
  await sql`
    insert into usage_days (resource_id, meter_id, day, source, quantity, cost)
    select resource_id, meter_id, day, source, ${quantity}, ${cost} from (${changes}) c
    where ${cost} is not null`.execute(trx);
  await sql`
    delete from usage_resource_days d using (${days}) c where (d.resource_id, d.day) = (c.resource_id, c.day)`.execute(
    trx,
  );
  await sql`
    insert into usage_resource_days (resource_id, day, cost)
    select resource_id, day, sum(cost) from usage_days join (${days}) c using (resource_id, day) group by 1, 2`.execute(
    trx,
  );
  await sql`
    delete from usage_meter_days d using (${groups}) c
    where (d.group_id, d.day, d.meter_id) = (c.group_id, c.day, c.meter_id)`.execute(trx);
  await sql`
    insert into usage_meter_days (group_id, meter_id, day, quantity, cost)
    select c.group_id, d.meter_id, d.day, sum(d.quantity), sum(d.cost)
    from (${groups}) c
    join usage_resources r on r.group_id = c.group_id
    join usage_days d on d.resource_id = r.id and (d.day, d.meter_id) = (c.day, c.meter_id)
    group by 1, 2, 3`.execute(trx);
}

/**
 * Takes a file back: what it changed becomes what it was before.
 * @returns false, and changes nothing, where a later file has changed some of it
 */
export async function takeBack(trx: Write, fileId: number): Promise<boolean> {
  const { rows } = await sql<{ readonly isChanged: boolean }>`
    select exists (
      select from usage_file_changes c
      left join usage_days d using (resource_id, meter_id, day, source)
      where c.file_id = ${fileId}::bigint
        and (d.quantity, d.cost) is distinct from (c.quantity_after, c.cost_after)) as "isChanged"`.execute(trx);
  if (rows[0]!.isChanged) return false;
  await applyChanges(trx, fileId, 'before');
  return true;
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
