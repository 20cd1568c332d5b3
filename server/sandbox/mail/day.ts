import { sql } from 'kysely';
import type { Day } from '../days.ts';
import type { Write } from '../tables.ts';
import { undoDays } from './permission-changes.ts';

/** Days after which a mail that could be recovered is gone; more than can be asked for. */
const keptDays = 28;

/** Days after which a change of permissions is forgotten; more than it can be undone. */
const changeDays = undoDays + 7;

/**
 * Adds a day of recoverable mail to the seeded mailboxes, copied from a week before, unless the day is there already;
 * deletes the oldest, and changes of permissions that are over.
 */
export async function addMailOfDay(trx: Write, { date }: Day): Promise<void> {
  await sql`
    insert into recoverable_mails (user_id, received, sender, subject)
    select user_id, received + interval '7 days', sender, subject from recoverable_mails m
    where received >= (${date}::date - 7)::timestamp at time zone 'UTC'
      and received < (${date}::date - 6)::timestamp at time zone 'UTC'
      and not exists (select from recoverable_mails own where own.user_id = m.user_id
        and own.received >= ${date}::timestamp at time zone 'UTC'
        and own.received < (${date}::date + 1)::timestamp at time zone 'UTC')
    order by id`.execute(trx);
  await sql`
    delete from recoverable_mails
    where received < (${date}::date - ${keptDays}::int)::timestamp at time zone 'UTC'`.execute(trx);
  await sql`
    delete from mail_permission_changes
    where made < (${date}::date - ${changeDays}::int)::timestamp at time zone 'UTC'`.execute(trx);
}
