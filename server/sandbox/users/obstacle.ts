import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { ofMailboxes } from '../roles/rights.ts';
import type { Database } from '../tables.ts';

/** The code of why a user cannot be deleted as things stand, for which the portal has words; null where they can. */
type Obstacle = 'DeletesOneself' | 'HoldsMore' | 'UserOrders' | null;

/**
 * Builds SQL for why the caller cannot delete a row of `users`; null where they can. Of two people of a customer the one
 * who holds less cannot delete the other.
 */
export const deletionObstacle = ({ userId, customerId, accountId }: Caller): RawBuilder<Obstacle> => sql<Obstacle>`case
  when users.id = ${userId ?? 0} then 'DeletesOneself'
  when ${customerId !== null} and exists (
    select from accounts a join account_permissions p on p.account_id = a.id,
      accounts me join account_permissions own on own.account_id = me.id
    where a.user_id = users.id and me.id = ${accountId}
      and (not (p.views || p.permissions) <@ (own.views || own.permissions || ${[...ofMailboxes]}::text[])
        or (me.hide_pricing and not a.hide_pricing))) then 'HoldsMore'
  when exists (
    select from orders o where o.user_id = users.id and o.customer_id = users.customer_id
      and o.status = 'Placed' and o.cancelled is null) then 'UserOrders' end`;

/** Finds why the caller cannot delete a user. */
export async function obstacleToDeletion(db: Database, caller: Caller, userId: number): Promise<Obstacle> {
  const found = db.selectFrom('users').select(deletionObstacle(caller).as('obstacle')).where('id', '=', userId);
  return (await found.executeTakeFirst())?.obstacle ?? null;
}
