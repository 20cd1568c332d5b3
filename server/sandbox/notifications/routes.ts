import type { Caller } from '../auth/caller.ts';
import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, date, id, integer, list, object, pageQuery, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { sendHint } from './hints.ts';

const notification = object({
  Id: id,
  Created: date,
  Added: date,
  ServiceName: string,
  Message: string,
  Content: string,
  Category: string,
  Status: string,
});
const listQuery = pageQuery({ status: { enum: ['new', 'read', 'all'], default: 'all' } });
const change = object({ Id: text(20), Status: { enum: ['new', 'read'] } });
const tags = ['notifications'];
const config = { needs: anyone };

/** The caller's own notifications. */
export function addNotificationRoutes(app: App, { db }: Parts): void {
  app.get(
    '/api/notifications',
    { config, schema: { tags, querystring: listQuery, response: replies(list(notification)) } },
    async ({ signedIn, query }) => succeed(await listNotifications(db, signedIn, query)),
  );

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

type ListQuery = { readonly status: 'new' | 'read' | 'all'; readonly page: number; readonly pageSize: number };

async function listNotifications(db: Database, caller: Caller, { status, page, pageSize }: ListQuery) {
  return await db
    .selectFrom('notifications')
    .where('account_id', '=', caller.accountId)
    .$if(status !== 'all', query => query.where('status', '=', status as 'new' | 'read'))
    .select([
      'id as Id',
      'created as Created',
      'created as Added',
      'service_name as ServiceName',
      'message as Message',
      'content as Content',
      'category as Category',
      'status as Status',
    ])
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
}
