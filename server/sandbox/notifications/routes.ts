import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import { type App, integer, object, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { sendHint } from './hints.ts';

const change = object({ Id: text(20), Status: { enum: ['new', 'read'] } });

/** Adds what there is to the caller's own notifications beside their lists: how many are new, and to mark them as read. */
export function addNotificationRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['notifications'], needs: anyone });

  route('GET /api/notifications/new-count', { reply: integer }, async ({ caller }) => {
    const { count } = await db
      .selectFrom('notifications')
      .where('account_id', '=', caller.accountId)
      .where('status', '=', 'new')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  });

  route('PATCH /api/notifications', { body: change }, async ({ caller, body }) => {
    await db.transaction().execute(async trx => {
      const changed = await trx
        .updateTable('notifications')
        .set({ status: body.Status })
        .where('account_id', '=', caller.accountId)
        .where('id', '=', idOf(body.Id))
        .executeTakeFirst();
      if (changed.numUpdatedRows === 0n) throw notFound();
      await sendHint(trx, { account: caller.accountId }, { kind: 'notification' });
    });
  });

  route('POST /api/notifications/read-all', {}, async ({ caller }) => {
    await db.transaction().execute(async trx => {
      await trx
        .updateTable('notifications')
        .set({ status: 'read' })
        .where('account_id', '=', caller.accountId)
        .where('status', '=', 'new')
        .execute();
      await sendHint(trx, { account: caller.accountId }, { kind: 'notification' });
    });
  });
}
