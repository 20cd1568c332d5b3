import { notFound, notPermitted } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, filled, id, object, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { makeJump } from './jumps.ts';
import { view } from './needs.ts';

/**
 * Adds the route that makes a token to sign in as a user of a customer: the cmtoken and adminid of the token endpoint.
 */
export function addJumpRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['account'], needs: view('manageUsers') });

  route(
    'POST /api/jumps',
    { body: object({ UserName: filled(254) }), made: object({ CmToken: string, AdminId: id }) },
    async ({ caller, body }) => {
      // A reseller's own people, and not while they are somebody else.
      if (caller.customerId !== null || caller.actorName !== null) throw notPermitted();
      const CmToken = await makeJump(db, caller, body.UserName, now());
      if (CmToken === undefined) throw notFound();
      return { CmToken, AdminId: String(caller.accountId) };
    },
  );
}
