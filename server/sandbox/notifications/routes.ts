import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, date, id, integer, object, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofAccount } from '../resource/owners.ts';
import { addResource } from '../resource/routes.ts';
import { sendHint } from './hints.ts';

const change = object({ Id: text(20), Status: { enum: ['new', 'read'] } });
const tags = ['notifications'];
const config = { needs: anyone };

/** The caller's own notifications, the newest first. */
const notifications: Resource = {
  noun: 'notification',
  tag: 'notifications',
  table: 'notifications',
  path: '/api/notifications',
  key: 'notificationId',
  owner: ofAccount,
  title: 'Message',
  fields: [
    { name: 'Id', shape: id },
    { name: 'Created', shape: date },
    { name: 'Added', column: 'created', shape: date },
    { name: 'ServiceName' },
    { name: 'Message' },
    { name: 'Content' },
    { name: 'Category' },
    { name: 'Status' },
  ],
  list: {
    needs: anyone,
    sort: '-Created',
    filters: { status: { enum: ['new', 'read', 'all'], default: 'all' } },
    largestPage: 100,
    withoutTotal: true,
  },
};

/** Adds the routes of the caller's own notifications. */
export function addNotificationRoutes(app: App, parts: Parts): void {
  const { db } = parts;
  addResource(app, parts, notifications);

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
