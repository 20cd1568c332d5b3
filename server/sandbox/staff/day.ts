import { sql } from 'kysely';
import { chanceOf, type Day, timeOf } from '../days.ts';
import type { Write } from '../tables.ts';

/** Lets the reseller's own people sign in, few at weekends. */
export async function staffSignInOfDay(trx: Write, day: Day): Promise<void> {
  const at = sql<Date>`${timeOf(day, 7)}::timestamptz + ${chanceOf(day, sql`username`, 240)} * interval '1 minute'`;
  await trx
    .updateTable('accounts')
    .set({ last_sign_in: at })
    .where('customer_id', 'is', null)
    .where('enabled', '=', true)
    // Null: has never signed in.
    .where('last_sign_in', '<', at)
    .where(chanceOf(day, sql`'works ' || username`, 10), '<', day.isWeekend ? 1 : 7)
    .execute();
}
