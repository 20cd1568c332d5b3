import { unauthorized } from '../http/errors.ts';
import { done, replies } from '../http/reply.ts';
import { type App, object, text } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Parts } from '../parts.ts';
import { grantOf, revokeGrant } from './grants.ts';
import { readToken, verifyToken } from './tokens.ts';

/**
 * Adds the sign-out route: ends the sign-in that both the bearer and the refresh token belong to. The bearer may have
 * expired, since signing out should not need a fresh one.
 */
export function addSignOutRoute(app: App, { db, secret, now }: Parts): void {
  app.post(
    '/api/comms/logout',
    {
      schema: {
        tags: ['auth'],
        description:
          'Needs: a bearer, be it an expired one. Ends the sessions at the communications and hardware systems; before /auth/logout.',
        security: [{ bearer: [] }],
        response: replies(),
      },
    },
    async ({ headers }) => {
      const claims = verifyToken(secret, readToken(headers.authorization), 'access', new Date(0));
      if (claims === undefined) throw unauthorized();
      await db
        .updateTable('partner_sessions')
        .set({ ended: now() })
        .where('grant_id', '=', claims.sid)
        .where('ended', 'is', null)
        .execute();
      return done();
    },
  );
  app.post(
    '/auth/logout',
    {
      schema: {
        tags: ['auth'],
        security: [{ bearer: [] }],
        body: object({ refresh_token: text(200) }),
        response: replies(),
      },
    },
    async ({ headers, body }) => {
      const claims = verifyToken(secret, readToken(headers.authorization), 'access', new Date(0));
      const grant = await grantOf(db, body.refresh_token);
      if (claims === undefined || claims.sid !== grant) throw unauthorized();
      await db.transaction().execute(async trx => {
        await revokeGrant(trx, grant, now());
        await sendHint(trx, { grant }, 'end');
      });
      return done();
    },
  );
}
