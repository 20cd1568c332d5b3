import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { addCustomerOfDay } from './customers/day.ts';
import { closeMonth } from './dashboard/month.ts';
import { type Day, dayAt } from './days.ts';
import { addMailOfDay } from './mail/day.ts';
import { requestSyncOfDay } from './psa/day.ts';
import { addServicesOfDay } from './services/day.ts';
import type { Database, Write } from './tables.ts';
import { addUsageOfDay } from './usage/day.ts';
import { addUsersOfDay } from './users/day.ts';

/** What a day that is over adds, area by area. The end of the month comes last: it sums what the others did. */
const areas: readonly ((trx: Write, day: Day) => Promise<void>)[] = [
  addUsageOfDay,
  addMailOfDay,
  addCustomerOfDay,
  addUsersOfDay,
  addServicesOfDay,
  requestSyncOfDay,
  closeMonth,
];

export type Calendar = {
  /** Adds every day that is over and not in the database yet, the oldest first. */
  catchUp(): Promise<void>;
  /** Ends a catching up after the day that it is at. */
  stop(): void;
};

/**
 * Creates the daily simulation, which lets the seeded data grow day by day. Each day is one transaction that also
 * records the day, so that a crash loses none and two processes add none twice.
 */
export function createCalendar(db: Database, now: () => Date): Calendar {
  let checked = '';
  let isStopped = false;
  return {
    async catchUp() {
      const today = dayAt(now()).date;
      if (today === checked) return;
      while (await db.transaction().execute(trx => addNextDay(trx, today))) {
        // Who has asked something meanwhile is answered before the next day.
        await nextTurn();
        if (isStopped) return;
      }
      checked = today;
    },
    stop() {
      isStopped = true;
    },
  };
}

/** @returns false when yesterday is in already */
async function addNextDay(trx: Write, today: string): Promise<boolean> {
  // The seed holds all days before its own.
  await sql`
    insert into settings (name, value)
    select 'last day', (left(value, 10)::date - 1)::text from settings where name = 'seeded'
    on conflict do nothing`.execute(trx);
  const { rows } = await sql<{ next: string }>`
    select (value::date + 1)::text as next from settings where name = 'last day' for update`.execute(trx);
  const next = rows[0]?.next;
  if (next === undefined || next >= today) return false;
  const day = dayAt(new Date(next));
  for (const add of areas) await add(trx, day);
  await trx.updateTable('settings').set({ value: next }).where('name', '=', 'last day').execute();
  return true;
}
