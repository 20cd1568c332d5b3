import { sql } from 'kysely';
import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import { type App, id, integer, list, object, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';

/** How often the portal asks for the strip of announcements, in milliseconds. */
const reloadInterval = 60_000;

const announcement = object({ Id: id, Content: string, Category: string });
// Document 2, section 7: closing sends the notification back as it came.
const closing = partial({ Id: text(20), Content: { type: 'string', maxLength: 4000 }, Category: text(20) }, 'Id');

/**
 * Adds the routes of the notification strip, which the API calls drop zone: list the announcements for the caller's
 * user type that the caller has not closed, close one, and give the reload interval.
 */
export function addDropZoneRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['notifications'], needs: anyone });

  route('GET /api/Notification/ReloadInterval', { reply: integer }, () => reloadInterval);

  route('GET /api/Notification/GetDropZoneNotifications', { reply: list(announcement) }, ({ caller }) =>
    db
      .selectFrom('announcements as a')
      .leftJoin('announcement_closings as closed', join =>
        join.onRef('closed.announcement_id', '=', 'a.id').on('closed.account_id', '=', caller.accountId),
      )
      .where('closed.account_id', 'is', null)
      .where(sql`a.user_types`, '@>', sql`array[${caller.userType}]`)
      .select(['a.id as Id', 'a.content as Content', 'a.category as Category'])
      .orderBy('a.id')
      .execute(),
  );

  route('POST /api/Notification/CloseNotification', { body: closing }, async ({ caller, body }) => {
    const announcement_id = idOf(body.Id);
    await db.transaction().execute(async trx => {
      await trx
        .selectFrom('announcements')
        .select('id')
        .where('id', '=', announcement_id)
        .executeTakeFirstOrThrow(notFound);
      await trx
        .insertInto('announcement_closings')
        .values({ account_id: caller.accountId, announcement_id })
        .onConflict(conflicting => conflicting.doNothing())
        .execute();
    });
  });
}
