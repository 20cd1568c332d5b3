import { sql } from 'kysely';
import type { Permission } from '../auth/words.ts';
import type { Database, Write } from '../tables.ts';
import { ofMailboxes, type Rights, settleRights } from './rights.ts';

/**
 * The predefined role that somebody at a customer, or the first administrator of a reseller, has until somebody gives them
 * another.
 */
const usual = { endUser: 'User', endUserAdmin: 'Customer administrator', reseller: 'Administrator' } as const;

/** Reads the rights of the usual role of a user type. */
export async function readUsualRights(db: Database, userType: keyof typeof usual): Promise<Rights> {
  return await db
    .selectFrom('roles')
    .select(['views', 'permissions', 'prices'])
    .where('reseller_id', 'is', null)
    .where('name', '=', usual[userType])
    .where('user_type', '=', userType)
    .executeTakeFirstOrThrow();
}

type Giving = { readonly now: Date; readonly by: string };

/** Gives an account the usual role of its user type, in place of all that it held. */
export async function giveUsualRole(
  trx: Write,
  account_id: number,
  userType: keyof typeof usual,
  giving: Giving,
): Promise<void> {
  await holdRole(trx, account_id, sql`r.name = ${usual[userType]} and r.user_type = ${userType}`, giving);
}

/**
 * Gives an account whose user type has changed the widest predefined role of the new type that is the usual one or of
 * which it held every right. What a mailbox brings stays; all else that it held goes.
 */
export async function giveRoleOfType(
  trx: Write,
  account_id: number,
  userType: keyof typeof usual,
  giving: Giving,
): Promise<void> {
  const { views, permissions } = await trx
    .selectFrom('account_permissions')
    .select(['views', 'permissions'])
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow();
  const fits = sql`r.user_type = ${userType} and (r.name = ${usual[userType]}
    or (r.views <@ ${views}::text[] and r.permissions <@ ${permissions}::text[] and not r.prices))`;
  const kept = permissions.filter(name => ofMailboxes.includes(name));
  await holdRole(trx, account_id, fits, giving, kept);
}

/** Makes the widest predefined role that `fits`, and the permissions `own`, all that an account holds. */
async function holdRole(
  trx: Write,
  account_id: number,
  fits: ReturnType<typeof sql>,
  { now, by }: Giving,
  own_permissions: Permission[] = [],
): Promise<void> {
  const besides = { own_views: [], own_permissions, own_prices: false };
  await trx
    .insertInto('account_permissions')
    .values({ account_id, views: [], permissions: [], ...besides })
    .onConflict(known => known.column('account_id').doUpdateSet(besides))
    .execute();
  await trx.deleteFrom('account_roles').where('account_id', '=', account_id).execute();
  await sql`
    with given as (
      insert into account_roles (account_id, role_id, given, given_by)
      select ${account_id}, r.id, ${now}, ${by} from roles r where r.reseller_id is null and ${fits}
      order by cardinality(r.views) + cardinality(r.permissions) desc, r.id limit 1
      returning account_id, role_id)
    update account_permissions p set
      own_permissions = array(select word from unnest(p.own_permissions) word where word <> all(r.permissions))
    from given join roles r on r.id = given.role_id where p.account_id = given.account_id`.execute(trx);
  await settleRights(trx, [account_id]);
}

/** Gives accounts without roles the predefined role of their user type that is exactly what they hold. */
export async function insertEqualRoles(trx: Write, now: Date): Promise<void> {
  await sql`
    with given as (
      insert into account_roles (account_id, role_id, given, given_by)
      select distinct on (a.id) a.id, r.id, ${now}, 'Cloud'
      from accounts a join account_permissions p on p.account_id = a.id
        join roles r on r.reseller_id is null and r.user_type = a.user_type
          and r.views <@ p.views and r.views @> p.views
          and r.permissions <@ p.permissions and r.permissions @> p.permissions
          and (a.user_type = 'reseller' or r.prices = not a.hide_pricing)
      where not exists (select from account_roles h where h.account_id = a.id)
      order by a.id, r.id
      returning account_id)
    update account_permissions p set own_views = '{}', own_permissions = '{}', own_prices = false
    from given where given.account_id = p.account_id`.execute(trx);
}
