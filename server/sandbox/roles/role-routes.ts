import { sql } from 'kysely';
import { roleWidens } from '../../../shared/rules/widening.ts';
import type { Caller } from '../auth/caller.ts';
import { managesPeople } from '../auth/needs.ts';
import type { Permission, View } from '../auth/words.ts';
import { notFound } from '../http/errors.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, id, integer, list, object, pageQuery, partial, search, string } from '../http/schema.ts';
import { requireSeesAll } from '../limits/limit.ts';
import type { Parts } from '../parts.ts';
import { selected } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, searchKeyOf } from '../search.ts';
import type { Database, Write } from '../tables.ts';
import { recordAccess } from './activity.ts';
import { changeAccess, refuseUnheld } from './change.ts';
import { holdersOf, namesOfRights, noRights, type Rights, tellRights } from './rights.ts';
import { isOfReseller, newRoleBody, roleBody, roleFields, roleShapes, roleUserType } from './shapes.ts';

type RoleBody = {
  readonly Name: string;
  readonly Description: string;
  readonly Views: readonly View[];
  readonly Permissions: readonly Permission[];
  readonly Prices: boolean;
  readonly May: readonly string[];
  readonly MayNot: readonly string[];
};

const query = pageQuery({ search, userType: roleUserType });
const change = partial(
  { ...roleBody, Version: { type: 'integer' }, Confirmed: boolean },
  ...(['Name', 'Description', 'Views', 'Permissions', 'Prices', 'May', 'MayNot', 'Version'] as const),
);

/** The columns that a body gives to a role. */
const rowOf = ({ Name, Description, Views, Permissions, Prices, May, MayNot }: RoleBody) => ({
  name: Name.trim(),
  description: Description.trim(),
  views: [...Views],
  permissions: [...Permissions],
  prices: Prices,
  may: [...May],
  may_not: [...MayNot],
});

type Told = Rights & { readonly name: string; readonly description: string; may: string[]; may_not: string[] };
const tell = ({ name, description, may, may_not, ...rights }: Told) => ({
  Name: name,
  Description: description || 'None',
  ...tellRights(rights),
  'May open': may.join(', ') || 'No test',
  'May not open': may_not.join(', ') || 'No test',
});

/** Reads one of the reseller's own roles for a change, and holds it. */
async function ownRole(trx: Write, { resellerId }: Caller, roleId: string) {
  if (!/^\d{1,15}$/.test(roleId)) throw notFound();
  const role = await trx
    .selectFrom('roles as r')
    .selectAll()
    .where('id', '=', Number(roleId))
    .where(isOfReseller(resellerId))
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (role.reseller_id === null) throw refuseConflict('RolePredefined');
  return role;
}

/** Refuses a second role of the same name for the same user type. */
async function refuseTakenName(db: Database, row: { name: string; user_type: string }, caller: Caller, id = 0) {
  const taken = await db
    .selectFrom('roles as r')
    .select('id')
    .where(sql`lower(name)`, '=', row.name.toLowerCase())
    .where(sql`user_type`, '=', row.user_type)
    .where('id', '!=', id)
    .where(isOfReseller(caller.resellerId))
    .executeTakeFirst();
  if (taken) throw refuseField('Name', 'RoleNameTaken');
}

/**
 * Adds the routes of roles: predefined ones, which nobody changes, and those of the caller's reseller (document 1, section
 * 6; document 2, section 6, "list roles").
 */
export function addRoleRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['roles'], needs: managesPeople });
  const counts = object({ All: integer, reseller: integer, admin: integer, endUserAdmin: integer, endUser: integer });
  const page = object({ Items: list(object(roleShapes)), Total: integer, Counts: counts });

  route('GET /api/roles', { query, reply: page }, ({ caller, query }) =>
    listPage(db, query, {
      fields: roleFields(caller),
      from: sql`roles r`,
      where: isOfReseller(caller.resellerId),
      filters: {
        search: words => sql`${searchKeyOf(sql`r.name || ' ' || r.description`)} like ${containing(words)}`,
        userType: type => sql`r.user_type = ${type}`,
      },
      counts: { filter: 'userType', values: ['reseller', 'admin', 'endUserAdmin', 'endUser'] },
      order: sql`r.reseller_id is null, array_position(array['reseller', 'admin', 'endUserAdmin', 'endUser'], r.user_type), lower(r.name), r.id`,
    }),
  );

  route(
    'GET /api/roles/:roleId',
    { reply: object({ ...roleShapes, May: list(string), MayNot: list(string), Holders: list(string) }) },
    async ({ caller, params: { roleId } }) => {
      if (!/^\d{1,15}$/.test(roleId)) throw notFound();
      const { rows } = await sql<object>`
        select ${selected(roleFields(caller))}, r.may as "May", r.may_not as "MayNot", array(
          select a.display_name from account_roles h join accounts a on a.id = h.account_id
          where h.role_id = r.id and a.reseller_id = ${caller.resellerId} order by a.display_name, a.id limit 10
        ) as "Holders"
        from roles r where r.id = ${Number(roleId)} and ${isOfReseller(caller.resellerId)}`.execute(db);
      if (!rows[0]) throw notFound();
      return rows[0];
    },
  );

  route(
    'POST /api/roles',
    { body: object(newRoleBody), made: object({ RoleId: id }), once: true },
    async ({ caller, body, trx }) => {
      requireSeesAll(caller);
      const row = { ...rowOf(body as RoleBody), user_type: body.UserType };
      let roleId = 0;
      await changeAccess(trx, caller, { confirmed: false, now: now() }, async held => {
        refuseUnheld(held, noRights, row);
        await refuseTakenName(trx, row, caller);
        const made = { ...row, reseller_id: caller.resellerId, changed: now(), changed_by: caller.displayName };
        const { id } = await trx.insertInto('roles').values(made).returning('id').executeTakeFirstOrThrow();
        roleId = id;
        const said = { action: 'Role created', target: row.name, after: tell(row) };
        await recordAccess(trx, { resellerId: caller.resellerId, caller, now: now() }, said);
        return { accounts: [], widens: false, target: row.name };
      });
      return { RoleId: roleId };
    },
  );

  const changing = { body: change, once: true, mayWait: true } as const;
  route('PUT /api/roles/:roleId', changing, async ({ caller, params: { roleId }, body, trx }) => {
    requireSeesAll(caller);
    const row = rowOf(body as RoleBody);
    await changeAccess(trx, caller, { confirmed: body.Confirmed === true, now: now() }, async held => {
      const role = await ownRole(trx, caller, roleId);
      if (role.version !== body.Version) throw refuseConflict('RoleChanged', { By: role.changed_by });
      refuseUnheld(held, role, row);
      await refuseTakenName(trx, { ...row, user_type: role.user_type }, caller, role.id);
      const changed = { ...row, version: role.version + 1, changed: now(), changed_by: caller.displayName };
      await trx.updateTable('roles').set(changed).where('id', '=', role.id).execute();
      const said = { action: 'Role changed', target: row.name, before: tell(role), after: tell(row) };
      await recordAccess(trx, { resellerId: caller.resellerId, caller, now: now() }, said);
      const accounts = await holdersOf(trx, role.id);
      const widens = roleWidens(accounts.length, namesOfRights(role), namesOfRights(row));
      return { accounts, widens, target: row.name, before: tell(role), after: tell(row) };
    });
    return 'The role was saved.';
  });

  route('DELETE /api/roles/:roleId', { once: true }, async ({ caller, params: { roleId }, trx }) => {
    requireSeesAll(caller);
    await changeAccess(trx, caller, { confirmed: false, now: now() }, async () => {
      const role = await ownRole(trx, caller, roleId);
      const holders = await holdersOf(trx, role.id);
      if (holders.length > 0) throw refuseConflict('RoleHeld', { People: String(holders.length) });
      await trx.deleteFrom('roles').where('id', '=', role.id).execute();
      const said = { action: 'Role deleted', target: role.name, before: tell(role) };
      await recordAccess(trx, { resellerId: caller.resellerId, caller, now: now() }, said);
      return { accounts: [], widens: false, target: role.name };
    });
    return 'The role was deleted.';
  });
}
