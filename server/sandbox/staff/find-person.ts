import type { Caller } from '../auth/caller.ts';
import { changesStaff, managesUsers } from '../auth/needs.ts';
import type { UserType } from '../auth/words.ts';
import { notPermitted } from '../http/errors.ts';
import { findRow } from '../resource/rows.ts';
import type { Database } from '../tables.ts';
import { users } from '../users/resource.ts';
import { actedKinds } from './permit.ts';
import { staff } from './resource.ts';

/** One of the reseller's people, or a user of a customer, who may have no account. */
export type Person = {
  readonly accountId: number | null;
  readonly userName: string | null;
  readonly userId: number | null;
  readonly customerId: string | null;
  readonly resellerId: number;
  readonly kind: UserType;
  readonly name: string;
  /** False for who is suspended or disabled. */
  readonly enabled: boolean;
};

type Path = Readonly<Record<string, string>>;
type Find = (db: Database, caller: Caller, path: Path) => Promise<Person>;

/** Finds one of the reseller's people, or an administrator of a customer, by the name they sign in with. */
export const findPerson: Find = async (db, caller, path) => {
  const { id: accountId, username: userName, user_id: userId, ...row } = await findRow(db, staff, caller, path);
  const mayAct = !row.sees_more && actedKinds(caller).includes(row.kind);
  if (accountId !== caller.accountId && !mayAct) throw notPermitted();
  return {
    ...{ accountId, userName, userId, customerId: row.customer_id, resellerId: row.reseller_id },
    ...{ kind: row.kind, name: row.display_name, enabled: row.enabled },
  };
};

/** Finds a user of a customer, with an account or without. */
export const findUser: Find = async (db, caller, path) => {
  const row = await findRow(db, users, caller, path);
  const isOneself = row.id === caller.userId;
  if (row.type === 'endUserAdmin' && !isOneself && !caller.permissions.includes('createCustomerAdmin'))
    throw notPermitted();
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'username', 'enabled'])
    .where('user_id', '=', row.id)
    .orderBy('id')
    .executeTakeFirst();
  return {
    ...{ accountId: account?.id ?? null, userName: account?.username ?? null, userId: row.id },
    ...{ customerId: row.customer_id, resellerId: caller.resellerId, kind: row.type, name: row.display_name },
    ...{ enabled: row.status === 'Active' && account?.enabled !== false },
  };
};

/** The addresses at which people are acted upon, what that needs, and how a person is found there. */
export const personAddresses = [
  { at: '/api/staff/:userName', needs: changesStaff, find: findPerson },
  { at: '/api/customers/:customerId/users/:userId', needs: managesUsers, find: findUser },
] as const;
