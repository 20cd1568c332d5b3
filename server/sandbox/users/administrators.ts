import { type RawBuilder, sql } from 'kysely';

/**
 * Builds SQL for how many administrators of a customer can sign in, besides the one who is this user (null: an account
 * that is no user of the customer).
 */
export const otherAdministrators = (customerId: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select count(*)::int from accounts a where a.customer_id = ${customerId} and a.user_type = 'endUserAdmin'
    and a.enabled and a.user_id is distinct from ${userId})`;
