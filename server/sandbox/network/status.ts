import { sql } from 'kysely';
import { date, id, list, object, orNull, string } from '../http/schema.ts';
import { fields, type RowOf } from '../resource/fields.ts';
import type { Database } from '../tables.ts';
import { eventKinds } from './tables.ts';

/** Days for which what is over is still told. */
const toldDays = 30;
const states = ['Good', ...eventKinds] as const;

/**
 * SQL over an event `e`: it has begun and is not over. A maintenance is over at the time that was announced, unless it was
 * ended before.
 */
const isNow = (now: Date) => sql<boolean>`(not e.is_over and e.starts <= ${now}
  and (e.kind <> 'Maintenance' or e.ends is null or e.ends > ${now}))`;
const isToCome = (now: Date) => sql<boolean>`(not e.is_over and e.starts > ${now})`;

const event = (now: Date) =>
  fields('e', [
    { name: 'EventId', shape: id, column: 'id' },
    { name: 'Component', column: sql`(select c.name from network_components c where c.id = e.component_id)` },
    { name: 'Kind', shape: { ...string, enum: eventKinds } },
    {
      name: 'State',
      shape: { ...string, enum: ['Now', 'ToCome', 'Over'] },
      column: sql`case when ${isNow(now)} then 'Now' when ${isToCome(now)} then 'ToCome' else 'Over' end`,
    },
    { name: 'Title' },
    { name: 'Content' },
    { name: 'Starts', shape: date },
    { name: 'Ends', shape: orNull(date) },
    { name: 'Updated', shape: date },
  ]);
const eventFields = event(new Date(0));
export type NetworkEvent = RowOf<typeof eventFields>;
export const eventList = object({ Items: list(eventFields.schema) });

export const statusShape = object({
  State: { ...string, enum: states },
  Components: list(object({ ComponentId: string, Name: string, State: { ...string, enum: states }, Products: string })),
});

/** Lists what disturbs or is to disturb the network, the nearest first, and then what is over since a month. */
export async function listEvents(db: Database, now: Date, where = sql<boolean>`true`): Promise<NetworkEvent[]> {
  const { columns } = event(now);
  const { rows } = await sql<NetworkEvent>`
    select ${sql.join(columns)} from network_events e
    where ${where} and (not e.is_over or e.updated > ${new Date(now.getTime() - toldDays * 86_400_000)})
    order by case when ${isNow(now)} then 0 when ${isToCome(now)} then 1 else 2 end, e.updated desc, e.id desc
    limit 100`.execute(db);
  return rows;
}

/** Lists what disturbs a product, by its name, or is announced for it; '' stands for any product. */
export const listDisturbances = (db: Database, now: Date, product: string): Promise<NetworkEvent[]> =>
  listEvents(
    db,
    now,
    sql`(${isNow(now)} or ${isToCome(now)}) and ${
      product === ''
        ? sql`true`
        : sql`e.component_id in (select c.id from network_components c join products p on p.service_id = any(c.services)
            where p.name = ${product})`
    }`,
  );

/** Reads how each component and all of them are: the worst of what disturbs them now. */
export async function readStatus(db: Database, now: Date) {
  const { rows } = await sql<{ ComponentId: string; Name: string; State: (typeof states)[number]; Products: string }>`
    select c.id as "ComponentId", c.name as "Name",
      coalesce((select e.kind from network_events e where e.component_id = c.id and ${isNow(now)}
        order by array_position(array['Outage', 'Degraded', 'Maintenance'], e.kind) limit 1), 'Good') as "State",
      coalesce((select string_agg(distinct p.name, ', ' order by p.name) from products p
        where p.service_id = any(c.services)), '') as "Products"
    from network_components c order by c.position`.execute(db);
  const worst = (['Outage', 'Degraded', 'Maintenance'] as const).find(state => rows.some(row => row.State === state));
  return { State: worst ?? 'Good', Components: rows };
}
