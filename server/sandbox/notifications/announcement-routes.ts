import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { anyone } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import { type App, date, id, list, object, string } from '../http/schema.ts';
import { typesInPoundsOnly } from '../marketplace/products.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';

/** How long an announcement stays away that is put off, in milliseconds: a day. */
const remindAfter = 86_400_000;

/** So many are told at once, the newest first: who leaves more unanswered is told of the others as these go. */
const mostPending = 200;

const leadsTo = { ...string, description: 'Where the button leads, once it is not to be shown again.' } as const;
const announcement = object({
  Id: id,
  Published: date,
  Title: string,
  Content: string,
  Button: object({
    Text: string,
    Route: leadsTo,
  }),
});

/**
 * Adds the routes of announcements (document 2, section 7): which ones the caller is to be shown now, read one, put it
 * off, and never show it again.
 */
export function addAnnouncementRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['notifications'], needs: anyone });

  route('GET /api/announcement', { reply: list(object({ Id: id, Route: leadsTo })) }, async ({ caller }) => {
    const rows = await addressedTo(db, caller, now())
      .leftJoin('product_announcement_answers as answer', join =>
        join.onRef('answer.announcement_id', '=', 'a.id').on('answer.account_id', '=', caller.accountId),
      )
      .where(({ or, eb }) => or([eb('answer.account_id', 'is', null), eb('answer.remind', '<=', now())]))
      // Whoever hides them is shown none.
      .where(({ selectFrom, not }) =>
        not(selectFrom('accounts as own').select('own.hide_banner').where('own.id', '=', caller.accountId).$asScalar()),
      )
      .select(['a.id', 'a.button_route'])
      .orderBy('a.published', 'desc')
      .orderBy('a.id', 'desc')
      .limit(mostPending)
      .execute();
    return rows.map(row => ({ Id: String(row.id), Route: row.button_route }));
  });

  route('GET /api/announcement/:id', { reply: announcement }, async ({ caller, params }) => {
    const { id, published, title, content, button_text, button_route } = await find(db, caller, params.id, now());
    const Button = { Text: button_text, Route: button_route };
    return { Id: String(id), Published: published, Title: title, Content: content, Button };
  });

  const answer = async (caller: Caller, wanted: string, remind: Date | null) => {
    const { id: announcement_id } = await find(db, caller, wanted, now());
    await db
      .insertInto('product_announcement_answers')
      .values({ account_id: caller.accountId, announcement_id, remind })
      .onConflict(known => known.columns(['account_id', 'announcement_id']).doUpdateSet({ remind }))
      .execute();
  };

  route('POST /api/announcement/:id/DoNotShowAgain', {}, ({ caller, params }) => answer(caller, params.id, null));

  route('POST /api/announcement/:id/RemindLater', {}, ({ caller, params }) =>
    answer(caller, params.id, new Date(now().getTime() + remindAfter)),
  );
}

/**
 * Those for the caller's type and rights between the moments that they are for, but for ones that lead to products which
 * are not sold to it.
 */
function addressedTo(db: Database, { userType, currency, views, permissions }: Caller, now: Date) {
  const leadsNowhere = [...typesInPoundsOnly].map(type => `/marketplace?type=${type}`);
  return db
    .selectFrom('product_announcements as a')
    .where(sql`a.user_types`, '@>', sql`array[${userType}]`)
    .where(sql<boolean>`(a.views = '{}' or a.views && ${views}::text[])`)
    .where(sql<boolean>`(a.permissions = '{}' or a.permissions && ${permissions}::text[])`)
    .where('a.published', '<=', now)
    .where(({ or, eb }) => or([eb('a.until', 'is', null), eb('a.until', '>', now)]))
    .$if(currency === 'EUR', query => query.where('a.button_route', 'not in', leadsNowhere));
}

/** @throws {CloudError} 404 for an announcement that is not for the caller */
async function find(db: Database, caller: Caller, wanted: string, now: Date) {
  const found = await addressedTo(db, caller, now)
    .where('a.id', '=', idOf(wanted))
    .selectAll('a')
    .executeTakeFirstOrThrow(notFound);
  return found;
}
