import { type RawBuilder, sql } from 'kysely';
import type { Permission } from '../auth/words.ts';
import type { Database } from '../tables.ts';

/**
 * Builds SQL, over accounts `a` with their rights `p`, for the reseller's own people who decide on what waits: whoever
 * manages access and sees all customers. `permission`: what they must hold besides to do such an act themselves.
 */
export const mayApprove = (resellerId: number, permission?: Permission): RawBuilder<boolean> => sql<boolean>`(
  a.reseller_id = ${resellerId} and a.customer_id is null and a.enabled and not a.limited and 'manageUsers' = any(p.views)
  and (${permission ?? null}::text is null or ${permission ?? null} = any(p.permissions)))`;

/** Counts who else could approve acts that need a permission. */
export async function countApprovers(
  db: Database,
  { resellerId, accountId }: { readonly resellerId: number; readonly accountId: number },
  permission?: Permission,
): Promise<number> {
  const { count } = await db
    .selectFrom('accounts as a')
    .innerJoin('account_permissions as p', 'p.account_id', 'a.id')
    .where(mayApprove(resellerId, permission))
    .where('a.id', '!=', accountId)
    .where(sql<boolean>`not exists (select from invitations i where i.account_id = a.id)`)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
