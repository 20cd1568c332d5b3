import { conflict } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import { type App, object, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { recordAccess } from '../roles/activity.ts';
import { holdReseller, refuseAbove } from '../roles/change.ts';
import { endSignIns } from './acts.ts';
import { personAddresses } from './find-person.ts';

/** Adds the routes that sign somebody out everywhere; they may sign in again. */
export function addSignInRoutes(app: App, { db, now }: Parts): void {
  for (const { at, needs, find } of personAddresses) {
    const route = routeAdder(app, db, { tags: ['staff'], needs });
    route(
      `POST ${at}/end-sign-ins`,
      {
        summary: 'Ends every sign-in of somebody on every device; they may sign in again.',
        once: true,
        reply: object({ UserName: string }),
      },
      async ({ trx, caller, params }) => {
        await holdReseller(trx, caller.resellerId);
        const person = await find(trx, caller, params);
        const { accountId, userName, customerId, userId, resellerId, name } = person;
        if (accountId === null || userName === null) throw conflict('This person has no account to sign in with.');
        if (accountId === caller.accountId) throw refuseConflict('Oneself');
        await refuseAbove(trx, caller, accountId);
        await endSignIns(trx, accountId, now());
        const states = { before: { 'Signed in': 'Wherever they were' }, after: { 'Signed in': 'Nowhere' } };
        await recordAccess(
          trx,
          { resellerId, caller, now: now() },
          { action: 'Signed out everywhere', target: name, ...states },
          { customer_id: customerId, user_id: userId },
        );
        return { UserName: userName };
      },
    );
  }
}
