import { sql } from 'kysely';
import { heldViews } from '../auth/held-views.ts';
import { type Permission, permissions, type View, views } from '../auth/words.ts';
import type { State } from '../customers/activity.ts';
import type { Database } from '../tables.ts';

/** The rights that a role gives, or an account holds: views, permissions, and whether prices are seen. */
export type Rights = {
  readonly views: readonly View[];
  readonly permissions: readonly Permission[];
  readonly prices: boolean;
};

/**
 * Rights that come with a mailbox: nobody at a reseller holds them; whoever manages users gives them to customers'
 * users.
 */
export const ofMailboxes: readonly string[] = [
  'hostedExchange',
  'advancedSecurity',
  'ownAliases',
] satisfies Permission[];

/** Names the rights; "prices" stands for seeing these. */
export const namesOfRights = ({ views, permissions, prices }: Rights): string[] => [
  ...views,
  ...permissions,
  ...(prices ? ['prices'] : []),
];

/** Names the rights in `after` that are not in `before`. */
export function addedRights(before: Rights, after: Rights): string[] {
  const held = new Set(namesOfRights(before));
  return namesOfRights(after).filter(name => !held.has(name));
}

/** The rights among `names` that who holds `held` cannot give to others. */
export const notHeld = (held: Rights, names: readonly string[]): string[] =>
  names.filter(
    name =>
      !ofMailboxes.includes(name) &&
      !(name === 'prices' ? held.prices : [...held.views, ...held.permissions].some(right => right === name)),
  );

export const noRights: Rights = { views: [], permissions: [], prices: false };

/** Rights in words, for the activity. */
export const tellRights = ({ views, permissions, prices }: Rights): State => ({
  Views: views.join(', ') || 'None',
  Permissions: permissions.join(', ') || 'None',
  Prices: prices ? 'Seen' : 'Hidden',
});

/** SQL over an account `a`: whether it sees prices (document 1, section 6). */
export const seesPrices = sql<boolean>`(a.user_type = 'reseller' or not a.hide_pricing)`;

/** Reads what an account holds now; nothing for one without a permissions record. */
export async function readRights(db: Database, accountId: number): Promise<Rights> {
  const found = await db
    .selectFrom('accounts as a')
    .innerJoin('account_permissions as p', 'p.account_id', 'a.id')
    .select([heldViews.as('views'), 'p.permissions', seesPrices.as('prices')])
    .where('a.id', '=', accountId)
    .executeTakeFirst();
  return found ?? noRights;
}

/** Names the rights of an account that who holds `held` cannot give to others. */
export const rightsAbove = async (db: Database, held: number, accountId: number): Promise<string[]> =>
  notHeld(await readRights(db, held), namesOfRights(await readRights(db, accountId)));

/**
 * Makes the rights of accounts with roles the union of these and what they hold besides, and counts their version on:
 * `account_permissions` and `hide_pricing` are what everything else goes by. Accounts without roles hold `own_…` alone.
 */
export async function settleRights(db: Database, accountIds: readonly number[]): Promise<void> {
  const union = (own: string, given: string, words: readonly string[]) => sql`array(
    select word from unnest(${[...words]}::text[]) with ordinality as w (word, place)
    where word = any(p.${sql.ref(own)}) or exists (
      select from account_roles h join roles r on r.id = h.role_id
      where h.account_id = p.account_id and word = any(r.${sql.ref(given)}))
    order by place)`;
  const ids = [...accountIds];
  await sql`
    update account_permissions p set version = version + 1,
      views = ${union('own_views', 'views', views)}, permissions = ${union('own_permissions', 'permissions', permissions)}
    where account_id = any(${ids}::bigint[])`.execute(db);
  await sql`
    update accounts a set hide_pricing = not (p.own_prices or exists (
      select from account_roles h join roles r on r.id = h.role_id where h.account_id = a.id and r.prices))
    from account_permissions p where p.account_id = a.id and a.id = any(${ids}::bigint[])`.execute(db);
}

/** Lists the ids of the accounts that have a role. */
export async function holdersOf(trx: Database, roleId: number): Promise<number[]> {
  const holders = await trx.selectFrom('account_roles').select('account_id').where('role_id', '=', roleId).execute();
  return holders.map(({ account_id }) => account_id);
}
