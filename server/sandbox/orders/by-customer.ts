import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { isVisibleTo } from '../customers/scope.ts';
import { keysOfRows } from '../http/keys.ts';
import { id, integer, list, object } from '../http/schema.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import type { Database } from '../tables.ts';

const counted = fields('c', [
  { name: 'CustomerId', shape: id, column: 'organisation_id' },
  { name: 'Placed', shape: integer, column: sql`count(o.id) filter (where o.status = 'Placed')::int` },
  { name: 'Failed', shape: integer, column: sql`count(o.id) filter (where o.status = 'Failed')::int` },
]);
export const ordersByCustomerQuery = object({ customerIds: keysOfRows });
export const ordersByCustomer = object({ Items: list(counted.schema) });

/**
 * Counts the orders of some customers that are under way and that have failed, by their OrganisationIds; what the
 * caller does not see is left out.
 */
export async function countOrders(db: Database, caller: Caller, customerIds: string) {
  const { rows } = await sql<RowOf<typeof counted>>`
    select ${selected(counted)}
    from customers c left join orders o on o.customer_id = c.id and o.cancelled is null
    where ${isVisibleTo(caller)} and c.organisation_id = any(${customerIds.split(',')}::bigint[])
    group by c.id, c.organisation_id`.execute(db);
  return { Items: rows };
}
