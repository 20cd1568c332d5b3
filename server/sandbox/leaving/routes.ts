import { managesUsers } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, integer, list, object, orNull, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { holdReseller } from '../roles/change.ts';
import { findUser, personAddresses } from '../staff/find-person.ts';
import { checkDeletion } from './deletion.ts';
import { checkLeaving, leave, undoLeaving } from './leave.ts';

const findings = list(object({ Code: string, Count: integer, Detail: string }));
const check = object({
  UserName: orNull(string),
  Name: string,
  Version: string,
  Obstacle: orNull(string),
  Findings: findings,
  MayTakeRoles: boolean,
  HasLeft: boolean,
  LeftOn: orNull(date),
  LeftBy: orNull(string),
  UndoUntil: orNull(date),
});
const deletion = object({ Obstacle: orNull(string), Days: integer, Findings: findings });
const body = partial({ Version: text(200), TakeRoles: boolean }, 'Version');
const gone = object({ UserName: orNull(string), UndoUntil: date });

/** Adds the routes of leaving: a check, one press that does all of it, and one that undoes it. */
export function addLeavingRoutes(app: App, { db, now }: Parts): void {
  const deleting = routeAdder(app, db, { tags: ['users'], needs: managesUsers });
  deleting(
    'GET /api/customers/:customerId/users/:userId/can-delete',
    { summary: 'What goes and stays if a user is deleted, and what stands in the way.', reply: deletion },
    async ({ caller, params }) => checkDeletion(db, { leaver: await findUser(db, caller, params), caller, now: now() }),
  );
  for (const { at, needs, find } of personAddresses) {
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
