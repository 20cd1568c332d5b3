import { type RawBuilder, sql } from 'kysely';
import { heldViews } from '../auth/held-views.ts';
import { managesPeople } from '../auth/needs.ts';
import { permissions, type UserType, userTypes, views } from '../auth/words.ts';
import { invalid } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  day,
  id,
  integer,
  list,
  object,
  orNull,
  pageQuery,
  search,
  string,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, searchKeyOf } from '../search.ts';
import { namesOfRights, type Rights, seesPrices } from './rights.ts';
import { roleUserType } from './shapes.ts';

/** Rights that are enough together for people of a user type. */
type Way = { readonly userType: UserType; readonly rights: Rights };

const outcomes = ['All', 'Some', 'None', 'Off'] as const;
const query = {
  ...pageQuery({
    search,
    outcome: { enum: outcomes },
    // `admin:manageUsers+prices|reseller:manageUsers`; nothing after the colon: whoever is of the type.
    ways: { type: 'string', maxLength: 2000 },
  }),
  required: ['ways'],
} as const;

/**
 * Reads sets of rights as they are written in an address.
 * @throws {CloudError} 400
 */
function readWays(written: string): Way[] {
  const known = { views: new Set<string>(views), permissions: new Set<string>(permissions) };
  return written.split('|').map(way => {
    const [type = '', names, ...more] = way.split(':');
    const rights = names === undefined || names === '' ? [] : names.split('+');
    const isKnown = (name: string) => known.views.has(name) || known.permissions.has(name) || name === 'prices';
    const userType = userTypes.find(one => one === type);
    if (userType === undefined || names === undefined || more.length > 0 || !rights.every(isKnown))
      throw invalid({ ways: ['This is not a set of rights.'] });
    return {
      userType,
      rights: {
        views: views.filter(name => rights.includes(name)),
        permissions: permissions.filter(name => rights.includes(name)),
        prices: rights.includes('prices'),
      },
    };
  });
}

const array = (names: readonly string[]) => sql`${[...names]}::text[]`;

/** SQL over an account `a` and its rights `p`: it holds all rights of the way. */
const holds = ({ userType, rights }: Way): RawBuilder<boolean> => sql`(a.user_type = ${userType}
  and p.views @> ${array(rights.views)} and ${heldViews} @> ${array(rights.views)}
  and p.permissions @> ${array(rights.permissions)} ${rights.prices ? sql`and ${seesPrices}` : sql``})`;

/** SQL for all views and all permissions of the ways, and whether any needs prices. */
const wantedBy = (ways: readonly Way[]) => {
  const any = (type: 'views' | 'permissions') => array([...new Set(ways.flatMap(({ rights }) => rights[type]))]);
  return { views: any('views'), permissions: any('permissions'), prices: ways.some(({ rights }) => rights.prices) };
};

/** SQL over a role `r` and an account `a`: it gives a right of some way. */
const givesOf = (ways: readonly Way[]): RawBuilder<boolean> => {
  const wanted = wantedBy(ways);
  return sql`(r.views && ${wanted.views} or r.permissions && ${wanted.permissions}
    ${wanted.prices ? sql`or r.prices` : sql``})`;
};

/** SQL over an account `a` and its rights `p`: it holds a right of some way besides its roles. */
const givenSingly = (ways: readonly Way[]): RawBuilder<boolean> => {
  const wanted = wantedBy(ways);
  return sql`(p.own_views && ${wanted.views} or p.own_permissions && ${wanted.permissions}
    ${wanted.prices ? sql`or p.own_prices` : sql``}
    or (not exists (select from account_roles h where h.account_id = a.id)
      and (p.views && ${wanted.views} or p.permissions && ${wanted.permissions})))`;
};

/** `All`: for every customer; `Some` and `None`: who is limited to certain customers; `Off`: who cannot sign in. */
const outcome = sql<(typeof outcomes)[number]>`case
  when not a.enabled or exists (select from invitations i where i.account_id = a.id) then 'Off'
  when not a.limited then 'All'
  when a.limit_word is not null or exists (select from account_customers k where k.account_id = a.id) then 'Some'
  else 'None' end`;

const holderOf = (ways: readonly Way[]) =>
  fields('a', [
    { name: 'UserName', column: 'username' },
    { name: 'Name', column: 'display_name' },
    { name: 'UserType', shape: roleUserType },
    { name: 'CustomerName', column: sql`c.name`, shape: orNull(string) },
    { name: 'OrganisationId', column: sql`c.organisation_id`, shape: orNull(id) },
    { name: 'UserId', shape: orNull(id) },
    { name: 'Outcome', column: outcome },
    {
      name: 'Roles',
      column: sql`(select string_agg(r.name, ', ' order by r.name, r.id) from account_roles h join roles r on r.id = h.role_id
        where h.account_id = a.id and ${givesOf(ways)})`,
      shape: orNull(string),
    },
    { name: 'Singly', column: givenSingly(ways), shape: boolean },
    {
      name: 'Until',
      column: sql`least(
        (select min(h.until) from account_roles h join roles r on r.id = h.role_id
          where h.account_id = a.id and ${givesOf(ways)}),
        (select min(e.until) from account_right_ends e
          where e.account_id = a.id and e.right_name = any(${array(ways.flatMap(({ rights }) => namesOfRights(rights)))})))`,
      shape: orNull(day),
    },
  ]);

/** Adds the route that lists who holds certain rights, for those who manage people. */
export function addHolderRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['roles'], needs: managesPeople });
  const counts = object({ All: integer, ...Object.fromEntries(outcomes.map(name => [name, integer])) });

  route(
    'GET /api/right-holders',
    {
      summary: 'People of the reseller and of its customers who hold all rights of one of some sets (`ways`).',
      query,
      reply: object({ Items: list(holderOf([]).schema), Total: integer, Counts: counts }),
    },
    ({ caller, query }) => {
      const ways = readWays(query.ways);
      return listPage(db, query, {
        fields: holderOf(ways),
        from: sql`accounts a join account_permissions p on p.account_id = a.id left join customers c on c.id = a.customer_id`,
        where: sql`a.reseller_id = ${caller.resellerId} and (${sql.join(ways.map(holds), sql` or `)})`,
        filters: {
          search: words =>
            sql`${searchKeyOf(sql`a.display_name || ' ' || a.username || ' ' || coalesce(c.name, '')`)} like ${containing(words)}`,
          outcome: name => sql`${outcome} = ${name}`,
        },
        counts: { filter: 'outcome', values: outcomes, of: outcome },
        order: sql`a.customer_id is not null, a.display_name collate "und-x-icu", a.id`,
      });
    },
  );
}
