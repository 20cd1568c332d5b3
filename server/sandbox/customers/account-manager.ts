import type { UserType } from '../auth/words.ts';
import type { Write } from '../tables.ts';

export type AccountManager = {
  readonly accountId: number;
  readonly displayName: string;
  readonly userType: UserType;
  readonly actorName: string;
};

/** Finds the account of a reseller that looks after a customer: the one of this name, else the reseller's oldest. */
export async function findAccountManager(
  trx: Write,
  resellerId: number,
  name: string,
): Promise<AccountManager | undefined> {
  const found = await trx
    .selectFrom('accounts')
    .select(['id as accountId', 'display_name as displayName', 'user_type as userType'])
    .where('reseller_id', '=', resellerId)
    .where('customer_id', 'is', null)
    .orderBy(on => on.case().when('display_name', '=', name).then(0).else(1).end())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return found && { ...found, actorName: '' };
}
