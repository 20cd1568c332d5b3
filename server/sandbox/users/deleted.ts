import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Work } from '../every.ts';
import type { Parts } from '../parts.ts';
import { isHeld } from '../services/held.ts';
import { isOfUser } from '../services/holders.ts';
import type { Write } from '../tables.ts';
import { readKeptRows } from './kept-rows.ts';
import type { UserRow } from './tables.ts';

/** Days in which a deleted user can be restored. */
export const keptDays = 30;

/** Deleted users of one customer that are kept at most; the oldest go first. */
const mostKept = 10_000;

type Deleting = { readonly trx: Write; readonly caller: Caller; readonly row: UserRow; readonly now: Date };

/** Keeps what restoring a user needs; to be called before anything of the user is deleted. */
export async function keepUser({ trx, caller, row, now }: Deleting): Promise<void> {
  const { id, customer_id, display_name, email, type } = row;
  const held = sql<number>`(select count(*)::int from service_instances i
    where i.customer_id = ${customer_id} and ${isOfUser(sql`${id}`)} and ${isHeld('i')})`;
  const kept = JSON.stringify(await readKeptRows(trx, id));
  const until = new Date(now.getTime() + keptDays * 86_400_000);
  await trx
    .insertInto('deleted_users')
    .values({
      ...{ customer_id, user_id: id, display_name, email, type, services: held },
      ...{ deleted: now, deleted_by: caller.displayName, until, kept },
    })
    .execute();
  await sql`
    delete from deleted_users where id in (
      select id from deleted_users where customer_id = ${customer_id}
      order by deleted desc, id desc offset ${mostKept})`.execute(trx);
}

/** Removes for good who was deleted longer ago than they are kept. */
export function createDeletedExpiry({ db, now }: Pick<Parts, 'db' | 'now'>): Work {
  return {
    async run() {
      await db.deleteFrom('deleted_users').where('until', '<=', now()).execute();
    },
  };
}
