import type { Caller } from '../auth/caller.ts';
import { anyone, changesStaff, inPerson } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import type { App } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { holdReseller, refuseAbove } from '../roles/change.ts';
import { findPerson, type Person } from './find-person.ts';
import { changeProfile, profile, profileBody, readProfile } from './profile.ts';

const personOf = (caller: Caller): Person => ({
  ...{ accountId: caller.accountId, userName: caller.userName, userId: caller.userId, customerId: caller.customerId },
  ...{ resellerId: caller.resellerId, kind: caller.userType, name: caller.displayName, enabled: caller.enabled },
});

const said = 'The profile was saved.';

/**
 * Adds the routes of profiles (document 1, section 7: profile get and update): one's own, and that of another for whoever
 * manages people. Those who manage the users of a customer change a user.
 */
export function addProfileRoutes(app: App, { db, now }: Parts): void {
  const own = routeAdder(app, db, { tags: ['account'], needs: anyone });
  own('GET /api/users/profile', { reply: profile }, ({ caller }) => readProfile(db, caller, personOf(caller)));
  own('PUT /api/users/profile', { needs: inPerson, body: profileBody, once: true }, async ({ trx, caller, body }) => {
    await holdReseller(trx, caller.resellerId);
    await changeProfile(trx, { caller, now: now() }, personOf(caller), body);
    return said;
  });

  const route = routeAdder(app, db, { tags: ['staff'], needs: changesStaff });
  route('GET /api/staff/:userName/profile', { reply: profile }, async ({ caller, params }) =>
    readProfile(db, caller, await findPerson(db, caller, params)),
  );
  route(
    'PUT /api/staff/:userName/profile',
    { body: profileBody, once: true },
    async ({ trx, caller, params, body }) => {
      await holdReseller(trx, caller.resellerId);
      const person = await findPerson(trx, caller, params);
      if (person.accountId !== null) await refuseAbove(trx, caller, person.accountId);
      await changeProfile(trx, { caller, now: now() }, person, body);
      return said;
    },
  );
}
