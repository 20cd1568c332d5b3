import { managesUsers } from '../auth/needs.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { done, replies } from '../http/reply.ts';
import { type App, params } from '../http/schema.ts';
import { addImport } from '../imports/routes.ts';
import type { Parts } from '../parts.ts';
import { findRow } from '../resource/rows.ts';
import { setUserSuspended } from './accounts.ts';
import { userImport } from './import.ts';
import { users } from './resource.ts';

/** Adds the routes of a customer's users: the plain resource, imports of them, and to suspend and reactivate one. */
export function addUserRoutes(app: App, { db, now }: Pick<Parts, 'db' | 'now'>): void {
  addImport(app, { db, now }, userImport);

  for (const [verb, suspended] of [
    ['suspend', true],
    ['reactivate', false],
  ] as const) {
    app.post(
      `/api/customers/:customerId/users/:userId/${verb}`,
      {
        config: { needs: managesUsers },
        schema: {
          tags: ['users'],
          params: params('customerId', 'userId'),
          headers: idempotencyKey,
          response: replies(),
        },
      },
      async request =>
        await once(db, request, async trx => {
          const { signedIn: caller, params } = request;
          const row = await findRow(trx, users, caller, params);
          await setUserSuspended({ trx, caller, now: now(), body: {}, row }, suspended);
          return done(suspended ? 'The user was suspended.' : 'The user was reactivated.');
        }),
    );
  }
}
