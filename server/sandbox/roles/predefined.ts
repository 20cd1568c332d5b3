import { sql } from 'kysely';
import type { UserType } from '../auth/words.ts';
import { administratorViews, engineerRights, resellerRights, sellerRights } from '../seed/accounts.ts';
import type { Write } from '../tables.ts';
import { addedRights, holdersOf, type Rights, settleRights } from './rights.ts';

type Predefined = Rights & { readonly name: string; readonly description: string; readonly user_type: UserType };

/** Roles that every reseller has, and nobody changes: what accounts held before there were roles. */
const predefined: readonly Predefined[] = [
  {
    name: 'Administrator',
    description: 'Everything, and who may do what.',
    user_type: 'reseller',
    ...resellerRights,
    prices: true,
  },
  {
    name: 'Engineer',
    description: 'Looks up customers and answers tickets.',
    user_type: 'admin',
    ...engineerRights,
    prices: false,
  },
  {
    name: 'Seller',
    description: 'Adds customers and products, and manages services.',
    user_type: 'admin',
    ...sellerRights,
    prices: true,
  },
  {
    name: 'Bookkeeper',
    description: 'Invoices, credit memos and payments.',
    user_type: 'admin',
    ...{ views: ['billing'], permissions: [], prices: true },
  },
  {
    name: 'Customer administrator',
    description: 'Users and services of the own organisation.',
    user_type: 'endUserAdmin',
    ...{ views: administratorViews, permissions: ['createCustomerAdmin'], prices: false },
  },
  {
    name: 'Buyer',
    description: 'As a customer administrator, and adds products.',
    user_type: 'endUserAdmin',
    views: [...administratorViews, 'marketplaceOrder'],
    permissions: ['createCustomerAdmin', 'addProducts'],
    prices: false,
  },
  {
    name: 'Mailbox user',
    description: 'The own mailbox.',
    user_type: 'endUser',
    ...{ views: [], permissions: ['hostedExchange'], prices: false },
  },
  {
    name: 'Protected mailbox user',
    description: 'The own mailbox, and what was held back from it.',
    user_type: 'endUser',
    ...{ views: [], permissions: ['hostedExchange', 'advancedSecurity'], prices: false },
  },
  {
    name: 'User',
    description: 'The own profile, until there is a mailbox.',
    user_type: 'endUser',
    ...{ views: [], permissions: [], prices: false },
  },
];

/** Brings the predefined roles up to what stands here, and the rights of those who have one of them. */
export async function refreshPredefined(trx: Write): Promise<void> {
  for (const { name, description, user_type, prices, ...rights } of predefined) {
    const given = { description, prices, views: [...rights.views], permissions: [...rights.permissions] };
    // There is one for each user type and name, and none has been changed by hand.
    const known = await trx
      .selectFrom('roles')
      .select(['id', 'views', 'permissions', 'prices'])
      .where('reseller_id', 'is', null)
      .where('user_type', '=', user_type)
      .where('name', '=', name)
      .executeTakeFirst();
    if (known) {
      await trx.updateTable('roles').set(given).where('id', '=', known.id).execute();
      if (addedRights(known, given).length > 0 || addedRights(given, known).length > 0)
        await settleRights(trx, await holdersOf(trx, known.id));
      continue;
    }
    // A day that is the same in every seed.
    const made = { reseller_id: null, name, user_type, changed: new Date('2026-01-01'), changed_by: 'Cloud' };
    await trx
      .insertInto('roles')
      .values({ ...made, ...given })
      .execute();
  }
}

/**
 * Gives accounts without roles the widest predefined role of their user type of which they hold every right; what they
 * hold besides stays theirs. Nobody's rights change.
 */
export async function insertAccountRoles(trx: Write, now: Date): Promise<void> {
  await sql`
    insert into account_roles (account_id, role_id, given, given_by)
    select distinct on (a.id) a.id, r.id, ${now}, 'Cloud'
    from accounts a join account_permissions p on p.account_id = a.id
      join roles r on r.reseller_id is null and r.user_type = a.user_type
        and r.views <@ p.views and r.permissions <@ p.permissions
        and (not r.prices or not a.hide_pricing or a.user_type = 'reseller')
    where not exists (select from account_roles h where h.account_id = a.id)
    order by a.id, cardinality(r.views) + cardinality(r.permissions) desc, r.id`.execute(trx);
  await sql`
    update account_permissions p set
      own_views = array(select v from unnest(p.views) v where v <> all(r.views)),
      own_permissions = array(select v from unnest(p.permissions) v where v <> all(r.permissions)),
      own_prices = a.user_type <> 'reseller' and not a.hide_pricing and not r.prices
    from account_roles h join roles r on r.id = h.role_id join accounts a on a.id = h.account_id
    where h.account_id = p.account_id`.execute(trx);
}
