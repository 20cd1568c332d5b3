import type { Caller } from '../auth/caller.ts';
import { changesStaff, managesUsers } from '../auth/needs.ts';
import { notPermitted } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, integer, list, object, orNull, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { findRow } from '../resource/rows.ts';
import { holdReseller } from '../roles/change.ts';
import { actedKinds } from '../staff/permit.ts';
import { staff } from '../staff/resource.ts';
import type { Database } from '../tables.ts';
import { users } from '../users/resource.ts';
import { checkLeaving, leave, undoLeaving } from './leave.ts';
import type { Leaver } from './step.ts';

const check = object({
  UserName: orNull(string),
  Name: string,
  Version: string,
  Obstacle: orNull(string),
  Findings: list(object({ Code: string, Count: integer, Detail: string })),
  MayTakeRoles: boolean,
  HasLeft: boolean,
  LeftOn: orNull(date),
  LeftBy: orNull(string),
  UndoUntil: orNull(date),
});
const body = partial({ Version: text(200), TakeRoles: boolean }, 'Version');
const gone = object({ UserName: orNull(string), UndoUntil: date });

type Path = Readonly<Record<string, string>>;
type Find = (db: Database, caller: Caller, path: Path) => Promise<Leaver>;

/** Finds one of the reseller's people, or an administrator of a customer, by the name they sign in with. */
const findPerson: Find = async (db, caller, path) => {
  const { id: accountId, username: userName, user_id: userId, ...row } = await findRow(db, staff, caller, path);
  if (accountId !== caller.accountId && !actedKinds(caller).includes(row.kind)) throw notPermitted();
  return {
    ...{ accountId, userName, userId, customerId: row.customer_id, resellerId: row.reseller_id },
    ...{ kind: row.kind, name: row.display_name, enabled: row.enabled },
  };
};

/** Finds a user of a customer, with an account or without. */
const findUser: Find = async (db, caller, path) => {
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

/** Adds the routes of leaving: a check, one press that does all of it, and one that undoes it. */
export function addLeavingRoutes(app: App, { db, now }: Parts): void {
  for (const { at, needs, find } of [
    { at: '/api/staff/:userName', needs: changesStaff, find: findPerson },
    { at: '/api/customers/:customerId/users/:userId', needs: managesUsers, find: findUser },
  ]) {
    const route = routeAdder(app, db, { tags: ['leaving'], needs });
    route(`GET ${at}/leaving`, { reply: check }, async ({ caller, params }) =>
      checkLeaving(db, { leaver: await find(db, caller, params), caller, now: now() }),
    );
    route(`POST ${at}/leave`, { body, once: true, reply: gone }, async ({ trx, caller, params, body }) => {
      // Of two who decide at once, the second sees what the first did.
      await holdReseller(trx, caller.resellerId);
      const found = { leaver: await find(trx, caller, params), caller, now: now() };
      return await leave(trx, found, { version: body.Version, takesRoles: body.TakeRoles === true });
    });
    route(`POST ${at}/leave/undo`, { once: true, mayWait: true }, async ({ trx, caller, params }) => {
      await holdReseller(trx, caller.resellerId);
      await undoLeaving(trx, { leaver: await find(trx, caller, params), caller, now: now() });
      return 'They are back, as they were.';
    });
  }
}
