import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { managesPeople } from '../auth/needs.ts';
import type { Permission, View } from '../auth/words.ts';
import { conflict } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, day, id, integer, list, object, orNull, partial, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { selected } from '../resource/fields.ts';
import { type Access, readAccess, type Wanted, writeAccess } from './account-access.ts';
import { notHeld, type Rights, readRights } from './rights.ts';
import { isOfReseller, rightsBody, rightsReply, roleFields, roleShapes, roleUserType } from './shapes.ts';

const until = { type: ['string', 'null'], format: 'cloud-day' } as const;
const version = { type: 'integer' } as const;
/** The rights of an account as the monolith takes them. */
const bareRights = partial(
  { views: rightsBody.Views, permissions: rightsBody.Permissions },
  ...(['views', 'permissions'] as const),
);
const wantedBody = partial(
  {
    Roles: {
      type: 'array',
      maxItems: 50,
      items: partial({ RoleId: { type: 'string', maxLength: 20 }, Until: until }, ...(['RoleId', 'Until'] as const)),
    },
    ...rightsBody,
    // Absent: single rights that stay keep their last days.
    Ends: {
      type: 'array',
      maxItems: 50,
      items: partial(
        { Right: { type: 'string', maxLength: 50 }, Until: { type: 'string', format: 'cloud-day' } },
        'Right',
        'Until',
      ),
    },
    Version: version,
    Confirmed: boolean,
  },
  ...(['Roles', 'Views', 'Permissions', 'Prices', 'Version'] as const),
);
const givenBody = partial({ Until: until, Version: version, Confirmed: boolean });
const takenBody = partial({ Version: version, Confirmed: boolean });

const accessReply = object({
  UserName: string,
  Name: string,
  UserType: roleUserType,
  IsSelf: boolean,
  Version: integer,
  Roles: list(object({ RoleId: id, Name: string, Until: orNull(day), Given: date, GivenBy: string })),
  ...rightsReply,
  Ends: list(object({ Right: string, Until: day })),
  All: object(rightsReply),
});

const rightsOnWire = ({ views, permissions, prices }: Rights) => ({
  Views: views,
  Permissions: permissions,
  Prices: prices,
});
const accessOnWire = (access: Access, caller: Caller) => ({
  UserName: access.userName,
  Name: access.displayName,
  UserType: access.userType,
  IsSelf: access.id === caller.accountId,
  Version: access.version,
  Roles: access.roles.map(({ roleId, name, until, given, givenBy }) => ({
    ...{ RoleId: roleId, Name: name, Until: until, Given: given, GivenBy: givenBy },
  })),
  ...rightsOnWire(access.own),
  Ends: access.ends.map(({ right, until }) => ({ Right: right, Until: until })),
  All: rightsOnWire(access.all),
});

type RightsBody = {
  readonly Views: readonly View[];
  readonly Permissions: readonly Permission[];
  readonly Prices: boolean;
};
const readBody = ({ Views, Permissions, Prices }: RightsBody): Rights => ({
  views: Views,
  permissions: Permissions,
  prices: Prices,
});
/** The roles of an account as they are wanted again. */
const kept = ({ roles }: Access): Wanted['roles'] =>
  roles.map(({ roleId, until }) => ({ roleId: String(roleId), until }));
const without = (access: Access, roleId: string) => kept(access).filter(role => role.roleId !== roleId);

/**
 * Adds the routes of what an account of the caller's reseller has: its roles, what it holds besides, and what could be
 * given to it (document 1, section 6; document 2, section 6: predefined types per user, available roles per user, user
 * roles, permissions get and update).
 */
export function addAccountAccessRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['roles'], needs: managesPeople });
  const rolesFor = async (caller: Caller, userName: string, isPredefined: boolean) => {
    const { userType } = await readAccess(db, caller, userName);
    const of = isPredefined ? sql`r.reseller_id is null` : isOfReseller(caller.resellerId);
    const { rows } = await sql<RightsBody>`
      select ${selected(roleFields(caller))} from roles r where r.user_type = ${userType} and ${of}
      order by r.reseller_id is null, lower(r.name), r.id`.execute(db);
    return rows;
  };

  route(
    'GET /api/users/:userName/predefined-types',
    { reply: list(object(roleShapes)) },
    ({ caller, params: { userName } }) => rolesFor(caller, userName, true),
  );

  route(
    'GET /api/users/:userName/available-roles',
    { summary: 'The roles that the caller can give to an account.', reply: list(object(roleShapes)) },
    async ({ caller, params: { userName } }) => {
      const held = await readRights(db, caller.accountId);
      const roles = await rolesFor(caller, userName, false);
      return roles.filter(({ Views, Permissions, Prices }) => {
        const names = [...Views, ...Permissions, ...(Prices ? ['prices'] : [])];
        return notHeld(held, names).length === 0;
      });
    },
  );

  route('GET /api/users/:userName/roles', { reply: accessReply }, async ({ caller, params: { userName } }) =>
    accessOnWire(await readAccess(db, caller, userName), caller),
  );

  route(
    'PUT /api/users/:userName/roles',
    { body: wantedBody, once: true, mayWait: true },
    async ({ caller, params: { userName }, body, trx }) => {
      await writeAccess(trx, { caller, userName, now: now() }, () => ({
        roles: body.Roles.map(({ RoleId, Until }) => ({ roleId: RoleId, until: Until })),
        own: readBody(body as RightsBody),
        ends: body.Ends?.map(({ Right, Until }) => ({ right: Right, until: Until })),
        version: body.Version,
        confirmed: body.Confirmed,
      }));
      return 'The access was saved.';
    },
  );

  route(
    'POST /api/users/:userName/roles/:roleId',
    { body: givenBody, once: true, mayWait: true },
    async ({ caller, params: { userName, roleId }, body: { Until, Version, Confirmed }, trx }) => {
      await writeAccess(trx, { caller, userName, now: now() }, access => ({
        roles: [...without(access, roleId), { roleId, until: Until ?? null }],
        ...{ own: access.own, version: Version, confirmed: Confirmed },
      }));
      return 'The role was given.';
    },
  );

  route(
    'POST /api/users/:userName/roles/:roleId/take',
    { body: takenBody, once: true, mayWait: true },
    async ({ caller, params: { userName, roleId }, body: { Version, Confirmed }, trx }) => {
      await writeAccess(trx, { caller, userName, now: now() }, access => ({
        roles: without(access, roleId),
        ...{ own: access.own, version: Version, confirmed: Confirmed },
      }));
      return 'The role was taken away.';
    },
  );

  route(
    'GET /api/permissions/:userName',
    { summary: 'All that an account holds.', reply: object({ ...rightsReply, UserType: roleUserType }) },
    async ({ caller, params: { userName } }) => {
      const { all, userType } = await readAccess(db, caller, userName);
      return { ...rightsOnWire(all), UserType: userType };
    },
  );

  route(
    'PUT /api/permissions/:userName',
    {
      summary: 'Gives an account these rights in place of its roles; whether it sees prices stays.',
      ...{ body: bareRights, once: true, mayWait: true },
    },
    async ({ caller, params: { userName }, body, trx }) => {
      await writeAccess(trx, { caller, userName, now: now() }, access => {
        if (access.id === caller.accountId) throw conflict('You cannot change your own permissions.');
        const prices = access.all.prices && access.userType !== 'reseller';
        return { roles: [], own: { views: body.views, permissions: body.permissions, prices } };
      });
      return 'The permissions were saved.';
    },
  );
}
