import { notFound, notPermitted } from '../http/errors.ts';
import { created, succeed } from '../http/reply.ts';
import { type App, filled, id, object, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { makeJump } from './jumps.ts';
import { view } from './needs.ts';

/**
 * Adds the route that makes a token to sign in as a user of a customer: the cmtoken and adminid of the token endpoint.
 */
export function addJumpRoutes(app: App, { db, now }: Parts): void {
  app.post(
    '/api/jumps',
    {
      config: { needs: view('manageUsers') },
      schema: {
        tags: ['account'],
        body: object({ UserName: filled(254) }),
        response: created(object({ CmToken: string, AdminId: id })),
      },
    },
    async ({ signedIn, body }, reply) => {
      // A reseller's own people, and not while they are somebody else.
      if (signedIn.customerId !== null || signedIn.actorName !== null) throw notPermitted();
      const CmToken = await makeJump(db, signedIn, body.UserName, now());
      if (CmToken === undefined) throw notFound();
      return reply.code(201).send(succeed({ CmToken, AdminId: String(signedIn.accountId) }));
    },
  );
}
