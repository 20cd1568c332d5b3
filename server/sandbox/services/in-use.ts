import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { isVisibleTo } from '../customers/scope.ts';
import { keysOfRows } from '../http/keys.ts';
import { id, integer, list, object } from '../http/schema.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import type { Database } from '../tables.ts';

const use = fields('i', [
  { name: 'InstanceId', shape: id, column: 'id' },
  { name: 'Quantity', shape: integer },
  {
    name: 'InUse',
    shape: integer,
    column: sql`(select count(*)::int from user_services held where held.instance_id = i.id)`,
  },
]);
export const inUseQuery = object({ instanceIds: keysOfRows });
export const inUseList = object({ Items: list(use.schema) });

/** Counts how much of some services users have; what the caller does not see is left out. */
export async function countInUse(db: Database, caller: Caller, instanceIds: string) {
  const { rows } = await sql<RowOf<typeof use>>`
    select ${selected(use)}
    from service_instances i join customers c on c.id = i.customer_id
    where ${isVisibleTo(caller)} and i.id = any(${instanceIds.split(',')}::bigint[])`.execute(db);
  return { Items: rows };
}
