import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, integer, object, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { sendHint } from './hints.ts';

const change = object({ Id: text(20), Status: { enum: ['new', 'read'] } });
const tags = ['notifications'];
const config = { needs: anyone };

/** Adds what there is to the caller's own notifications beside their lists: how many are new, and to mark them as read. */
export function addNotificationRoutes(app: App, { db }: Parts): void {
  app.get(
    '/api/notifications/new-count',
    { config, schema: { tags, response: replies(integer) } },
    async ({ signedIn }) => {
      const { count } = await db
        .selectFrom('notifications')
        .where('account_id', '=', signedIn.accountId)
        .where('status', '=', 'new')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return succeed(count);
    },
  );

  app.patch(
    '/api/notifications',
    { config, schema: { tags, body: change, response: replies() } },
    async ({ signedIn, body }) => {
      await db.transaction().execute(async trx => {
        const changed = await trx
          .updateTable('notifications')
          .set({ status: body.Status })
          .where('account_id', '=', signedIn.accountId)
          .where('id', '=', idOf(body.Id))
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) throw notFound();
        await sendHint(trx, { account: signedIn.accountId }, { kind: 'notification' });
      });
      return done();
    },
  );

  app.post('/api/notifications/read-all', { config, schema: { tags, response: replies() } }, async ({ signedIn }) => {
    await db.transaction().execute(async trx => {
      await trx
        .updateTable('notifications')
        .set({ status: 'read' })
        .where('account_id', '=', signedIn.accountId)
        .where('status', '=', 'new')
        .execute();
      await sendHint(trx, { account: signedIn.accountId }, { kind: 'notification' });
    });
    return done();
  });
}
