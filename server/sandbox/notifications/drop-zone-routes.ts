import { sql } from 'kysely';
import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { done, replies, succeed } from '../http/reply.ts';
import { type App, id, integer, list, object, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

/** How often the portal asks for the strip of announcements, in milliseconds. */
const reloadInterval = 60_000;

const announcement = object({ Id: id, Content: string, Category: string });
// Document 2, section 7: closing sends the notification back as it came.
const closing = {
  ...object({ Id: text(20), Content: { type: 'string', maxLength: 4000 }, Category: text(20) }),
  required: ['Id'],
} as const;
const tags = ['notifications'];
const config = { needs: anyone };

/**
 * Adds the routes of the notification strip, which the API calls drop zone: list the announcements for the caller's
 * user type that the caller has not closed, close one, and give the reload interval.
 */
export function addDropZoneRoutes(app: App, { db }: Parts): void {
  app.get('/api/Notification/ReloadInterval', { config, schema: { tags, response: replies(integer) } }, async () =>
    succeed(reloadInterval),
  );

  app.get(
    '/api/Notification/GetDropZoneNotifications',
    { config, schema: { tags, response: replies(list(announcement)) } },
    async ({ signedIn }) =>
      succeed(
        await db
          .selectFrom('announcements as a')
          .leftJoin('announcement_closings as closed', join =>
            join.onRef('closed.announcement_id', '=', 'a.id').on('closed.account_id', '=', signedIn.accountId),
          )
          .where('closed.account_id', 'is', null)
          .where(sql`a.user_types`, '@>', sql`array[${signedIn.userType}]`)
          .select(['a.id as Id', 'a.content as Content', 'a.category as Category'])
          .orderBy('a.id')
          .execute(),
      ),
  );

  app.post(
    '/api/Notification/CloseNotification',
    { config, schema: { tags, body: closing, response: replies() } },
    async ({ signedIn, body }) => {
      const announcement_id = idOf(body.Id);
      await db.transaction().execute(async trx => {
        const shown = await trx
          .selectFrom('announcements')
          .select('id')
          .where('id', '=', announcement_id)
          .executeTakeFirst();
        if (shown === undefined) throw notFound();
        await trx
          .insertInto('announcement_closings')
          .values({ account_id: signedIn.accountId, announcement_id })
          .onConflict(conflicting => conflicting.doNothing())
          .execute();
      });
      return done();
    },
  );
}
