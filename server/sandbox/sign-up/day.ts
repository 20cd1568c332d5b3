import { sql } from 'kysely';
import type { Day } from '../days.ts';
import type { Write } from '../tables.ts';

/** For so many days a declined request is kept, with what its author said. */
const declinedDays = 30;

/**
 * Deletes the requests that nobody confirmed, once their links are over and no bound counts them any more, and those
 * that were declined a month ago.
 */
export async function deleteOldSignUps(trx: Write, { start }: Day): Promise<void> {
  await sql`
    delete from sign_ups
    where (state in ('Known', 'Unconfirmed') and created < ${start})
      or (state = 'Declined' and decided < ${start}::timestamptz - ${declinedDays} * interval '1 day')`.execute(trx);
}
