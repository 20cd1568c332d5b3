import { type Paging, pageOfActivity } from '../customers/read-activity.ts';
import { activity } from '../customers/shapes.ts';
import type { Database } from '../tables.ts';

/** Lists a page of what was done to a user's account, mailbox and services, the newest first. */
export function listOwnActivity(db: Database, userId: number, paging: Paging) {
  const own = db
    .selectFrom('activity')
    .where('id', 'in', on => on.selectFrom('activity_users').select('activity_id').where('user_id', '=', userId));
  return pageOfActivity(db, own, paging, activity);
}
