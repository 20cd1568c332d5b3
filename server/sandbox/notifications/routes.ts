import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, date, id, integer, list, object, orNull, pageQuery, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofAccount } from '../resource/owners.ts';
import type { Database } from '../tables.ts';
import { sendHint } from './hints.ts';
import type { Category } from './tables.ts';

const change = object({ Id: text(20), Status: { enum: ['new', 'read'] } });
const tags = ['notifications'];
const config = { needs: anyone };

/** The caller's own notifications, the newest first. */
export const notifications: Resource = {
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
    { name: 'OrganisationId', shape: orNull(id) },
    { name: 'InstanceId', shape: orNull(id) },
  ],
  list: {
    needs: anyone,
    sort: '-Created',
    filters: { status: { enum: ['new', 'read', 'all'], default: 'all' } },
    largestPage: 100,
    withoutTotal: true,
  },
};

const filteredQuery = pageQuery({
  status: { enum: ['new', 'read', 'all'], default: 'all' },
  category: { enum: ['info', 'success', 'warning', 'danger', 'all'], default: 'all' },
});
const filteredList = object({
  Items: list(
    object({
      Id: id,
      Created: date,
      ServiceName: string,
      Message: string,
      Content: string,
      Category: string,
      Status: string,
      OrganisationId: orNull(id),
      InstanceId: orNull(id),
    }),
  ),
  Total: integer,
  Counts: object({ All: integer, New: integer, Read: integer }),
});

/** Adds the routes of the caller's own notifications. */
export function addNotificationRoutes(app: App, parts: Parts): void {
  const { db } = parts;

  app.get(
    '/api/notifications/filtered',
    { config, schema: { tags, querystring: filteredQuery, response: replies(filteredList) } },
    async ({ signedIn, query }) => succeed(await readFiltered(db, signedIn.accountId, query)),
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

type Filter = { readonly page: number; readonly pageSize: number; readonly status: string; readonly category: string };

/** Reads a page of an account's notifications, the newest first; the counts are those of the category. */
async function readFiltered(db: Database, accountId: number, { page, pageSize, status, category }: Filter) {
  const ofCategory = db
    .selectFrom('notifications')
    .where('account_id', '=', accountId)
    .$if(category !== 'all', query => query.where('category', '=', category as Category));
  const counted = await ofCategory
    .select(({ fn }) => [
      fn.countAll<number>().as('All'),
      fn.countAll<number>().filterWhere('status', '=', 'new').as('New'),
    ])
    .executeTakeFirstOrThrow();
  const Counts = { ...counted, Read: counted.All - counted.New };
  const Items = await ofCategory
    .$if(status !== 'all', query => query.where('status', '=', status as 'new' | 'read'))
    .select(['id as Id', 'created as Created', 'service_name as ServiceName', 'message as Message'])
    .select(['content as Content', 'category as Category', 'status as Status'])
    .select(['organisation_id as OrganisationId', 'instance_id as InstanceId'])
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const totals = { all: Counts.All, new: Counts.New, read: Counts.Read };
  return { Items, Total: totals[status as keyof typeof totals], Counts };
}
