import { sql } from 'kysely';
import { accessWidens } from '../../../shared/rules/widening.ts';
import type { Caller } from '../auth/caller.ts';
import type { UserType } from '../auth/words.ts';
import type { State } from '../customers/activity.ts';
import { notFound } from '../http/errors.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { requireSeesAsMuch } from '../limits/limit.ts';
import type { Database, Write } from '../tables.ts';
import { recordAccess } from './activity.ts';
import { changeAccess, refuseUnheld } from './change.ts';
import { namesOfRights, noRights, type Rights, readRights, seesPrices, tellRights } from './rights.ts';
import { isOfReseller } from './shapes.ts';

/** A role that an account has. `until`: the last day on which it counts, YYYY-MM-DD; null: until it is taken away. */
type Given = { readonly roleId: number; readonly name: string; readonly until: string | null };
type GivenBefore = Given & { readonly given: Date; readonly givenBy: string; readonly rights: Rights };

/** A single right with the last day on which it counts, YYYY-MM-DD. */
export type RightEnd = { readonly right: string; readonly until: string };

/** All that decides what an account may do. */
export type Access = {
  readonly id: number;
  readonly userName: string;
  readonly displayName: string;
  readonly userType: UserType;
  readonly customer_id: string | null;
  readonly user_id: number | null;
  /** Counts every change; 0 for an account without a permissions record. */
  readonly version: number;
  readonly roles: readonly GivenBefore[];
  /** Rights that it holds besides its roles. */
  readonly own: Rights;
  /** Those of its own rights that end by themselves. */
  readonly ends: readonly RightEnd[];
  /** All that it holds. */
  readonly all: Rights;
};

/** The id that a text is; null for a user name. */
const accountIdOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/**
 * Reads what an account of the caller's reseller has, by its user name or its id.
 * @throws {CloudError} 404
 */
export async function readAccess(db: Database, { resellerId }: Caller, userName: string): Promise<Access> {
  const account = await db
    .selectFrom('accounts as a')
    .leftJoin('account_permissions as p', 'p.account_id', 'a.id')
    .select([
      ...(['a.id', 'a.username as userName', 'a.display_name as displayName', 'a.user_type as userType'] as const),
      ...(['a.customer_id', 'a.user_id', 'p.own_views', 'p.own_permissions', 'p.own_prices'] as const),
      sql<number>`coalesce(p.version, 0)`.as('version'),
      seesPrices.as('prices'),
    ])
    .where(sql<boolean>`(lower(a.username) = ${userName.toLowerCase()} or a.id = ${accountIdOf(userName)})`)
    .where('a.reseller_id', '=', resellerId)
    .executeTakeFirstOrThrow(notFound);
  const { own_views, own_permissions, own_prices, prices, ...known } = account;
  const held = await db
    .selectFrom('account_roles as h')
    .innerJoin('roles as r', 'r.id', 'h.role_id')
    .select([
      'r.id as roleId',
      'r.name',
      'h.given',
      'h.given_by as givenBy',
      sql<string | null>`h.until::text`.as('until'),
      ...(['r.views', 'r.permissions', 'r.prices'] as const),
    ])
    .where('h.account_id', '=', account.id)
    .orderBy('r.name')
    .orderBy('r.id')
    .execute();
  const roles = held.map(({ views, permissions, prices: arePrices, ...role }) => ({
    ...role,
    rights: { views, permissions, prices: arePrices },
  }));
  const all = await readRights(db, account.id);
  const own =
    roles.length === 0
      ? { ...all, prices: all.prices && account.userType !== 'reseller' }
      : { views: own_views ?? [], permissions: own_permissions ?? [], prices: own_prices ?? false };
  const ends = await db
    .selectFrom('account_right_ends')
    .select(['right_name as right', sql<string>`until::text`.as('until')])
    .where('account_id', '=', account.id)
    .orderBy('until')
    .orderBy('right_name')
    .execute();
  return { ...known, roles, own, ends: endsWithin(own, ends), all: { ...all, prices } };
}

const endsWithin = (own: Rights, ends: readonly RightEnd[]): readonly RightEnd[] =>
  ends.filter(({ right }) => namesOfRights(own).includes(right));

/**
 * The roles and rights that an account is to have. `version`: of what it was decided by; absent: whatever it is now.
 */
export type Wanted = {
  readonly roles: readonly { readonly roleId: string; readonly until: string | null }[];
  readonly own: Rights;
  /** Last days of single rights; absent: those that stay keep theirs. */
  readonly ends?: readonly RightEnd[] | undefined;
  readonly version?: number | undefined;
  readonly confirmed?: boolean | undefined;
  /** Further consequences of the change, for whoever has to approve it. */
  readonly told?: State;
};

/**
 * Gives an account its roles and what it holds besides, all at once, under the rules of `changeAccess`.
 * @param want gives what it is to have from what it has, under the lock
 * @throws {CloudError} 404 for an account or role of somebody else; 400 for rights that the caller lacks, for a role of
 * another user type and for a day that is over; 409 as `changeAccess`, and where the account was changed meanwhile
 */
export async function writeAccess(
  trx: Write,
  { caller, userName, now }: { readonly caller: Caller; readonly userName: string; readonly now: Date },
  want: (access: Access) => Wanted,
): Promise<void> {
  const known = want(await readAccess(trx, caller, userName));
  await changeAccess(trx, caller, { confirmed: known.confirmed === true, now }, async held => {
    const access = await readAccess(trx, caller, userName);
    await requireSeesAsMuch(trx, caller, access.id);
    const { roles, own, version = access.version, ...wanted } = want(access);
    const ends = endsWithin(own, wanted.ends ?? access.ends);
    if (version !== access.version) throw refuseConflict('AccessChanged', { Name: access.displayName });
    const given = await findRoles(trx, caller, access, roles);
    for (const { until } of [...roles, ...ends])
      if (until !== null && until < dayOf(now)) throw refuseField('Until', 'DayOver');
    const before = access.version === 0 ? noRights : access.all;
    for (const role of given) refuseUnheld(held, before, role);
    refuseUnheld(held, before, own);
    await store(trx, access, { roles, own, ends }, { now, by: caller.displayName });
    const names = new Map(given.map(role => [role.id, role.name]));
    const after = roles.map(({ roleId, until }) => ({ name: names.get(Number(roleId)) ?? '', until }));
    const said = {
      target: access.displayName,
      before: tellAccess(access.roles, access.own, access.ends),
      after: tellAccess(after, own, ends),
    };
    const event = { ...said, action: 'Permissions changed' };
    await recordAccess(trx, { resellerId: caller.resellerId, caller, now }, event, access);
    const rightsOf = (roleId: number) => given.find(({ id }) => id === roleId) ?? noRights;
    const widens = accessWidens(
      { userType: access.userType, held: namesOfRights(before) },
      {
        roles: access.roles.map(({ until, rights }) => ({ until, rights: namesOfRights(rights) })),
        ...{ own: namesOfRights(access.own), ends: access.ends },
      },
      {
        roles: roles.map(({ roleId, until }) => ({ until, rights: namesOfRights(rightsOf(Number(roleId))) })),
        ...{ own: namesOfRights(own), ends },
      },
    );
    return { ...said, after: { ...said.after, ...wanted.told }, accounts: [access.id], widens };
  });
}

/** The day (UTC) of a moment, YYYY-MM-DD. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

function tellAccess(roles: readonly Omit<Given, 'roleId'>[], own: Rights, ends: readonly RightEnd[]) {
  const names = roles.map(({ name, until }) => (until === null ? name : `${name} until ${until}`)).sort();
  const days = ends.map(({ right, until }) => `${right} until ${until}`).sort();
  return { Roles: names.join(', ') || 'None', ...tellRights(own), 'Rights that end': days.join(', ') || 'None' };
}

/** Finds the roles that an account is given; each is of its user type. */
async function findRoles(trx: Write, { resellerId }: Caller, { userType }: Access, wanted: Wanted['roles']) {
  const ids = wanted.map(({ roleId }) => (/^\d{1,15}$/.test(roleId) ? Number(roleId) : 0));
  if (ids.length === 0) return [];
  const roles = await trx
    .selectFrom('roles as r')
    .selectAll()
    .where('id', 'in', ids)
    .where(isOfReseller(resellerId))
    .execute();
  if (roles.length < new Set(ids).size) throw notFound();
  if (roles.some(({ user_type }) => user_type !== userType)) throw refuseField('RoleId', 'RoleOfOthers');
  return roles;
}

async function store(
  trx: Write,
  { id, roles: before }: Access,
  { roles, own, ends }: Required<Pick<Wanted, 'roles' | 'own'>> & { readonly ends: readonly RightEnd[] },
  { now, by }: { readonly now: Date; readonly by: string },
): Promise<void> {
  const held = { own_views: [...own.views], own_permissions: [...own.permissions], own_prices: own.prices };
  await trx
    .insertInto('account_permissions')
    .values({ account_id: id, views: [], permissions: [], ...held })
    .onConflict(existing => existing.column('account_id').doUpdateSet(held))
    .execute();
  await trx.deleteFrom('account_right_ends').where('account_id', '=', id).execute();
  const days = new Map(ends.map(({ right, until }) => [right, until]));
  const ending = [...days].map(([right_name, until]) => ({ account_id: id, right_name, until }));
  if (ending.length > 0) await trx.insertInto('account_right_ends').values(ending).execute();
  await trx.deleteFrom('account_roles').where('account_id', '=', id).execute();
  const known = new Map(before.map(role => [String(role.roleId), role]));
  const rows = roles.map(({ roleId, until }) => {
    const old = known.get(String(Number(roleId)));
    // A role that stays as it was stays given by whoever gave it.
    const { given, givenBy } = old && old.until === until ? old : { given: now, givenBy: by };
    return { account_id: id, role_id: Number(roleId), until, given, given_by: givenBy };
  });
  if (rows.length > 0) await trx.insertInto('account_roles').values(rows).execute();
}
