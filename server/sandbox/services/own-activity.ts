import { sql } from 'kysely';
import { activityColumns } from '../customers/read.ts';
import type { Database } from '../database/connect.ts';

export type Paging = { readonly page: number; readonly pageSize: number };

/** What was done to a user's account, mailbox and services, newest first. */
export async function listOwnActivity(db: Database, userId: number, { page, pageSize }: Paging) {
  const own = db
    .selectFrom('activity')
    .where('id', 'in', on => on.selectFrom('activity_users').select('activity_id').where('user_id', '=', userId));
  const Items = await own
    .select(activityColumns)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { Total } = await own.select(sql<number>`count(*)`.as('Total')).executeTakeFirstOrThrow();
  return { Items, Total };
}
