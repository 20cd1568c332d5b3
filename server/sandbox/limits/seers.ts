import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/** Lists those of some limited accounts that see a customer. */
export async function listSeers(db: Database, customer: string, accounts: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('account_customers')
    .select('account_id')
    .where('customer_id', '=', customer)
    .where('account_id', 'in', [...accounts])
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** True where an account is not limited to certain customers, or sees this one now. */
export async function seesCustomer(db: Database, account: number, customer: string): Promise<boolean> {
  const found = await db
    .selectFrom('accounts as a')
    .select('a.id')
    .where('a.id', '=', account)
    .where(sql<boolean>`(not a.limited or exists (
      select from account_customers k where k.account_id = a.id and k.customer_id = ${customer}))`)
    .executeTakeFirst();
  return found !== undefined;
}
