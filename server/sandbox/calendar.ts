import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Area } from './area.ts';
import { areas } from './areas.ts';
import type { Containment } from './contain.ts';
import { type Day, dayAt, listSimulatedResellers } from './days.ts';
import type { Database, Write } from './tables.ts';

const dayOfResellerIn = (name: string) => areas.find(area => area.name === name)?.dayOfReseller;

export type Calendar = {
  /** Adds every day that is over and not in the database yet, the oldest first. */
  catchUp(): Promise<void>;
  /** Ends a catching up after the day that it is at. */
  stop(): void;
};

/**
 * Creates the daily simulation, which lets the seeded data grow day by day. Each day is one transaction that also
 * records the day, so that a crash loses none and two processes add none twice. What throws for one reseller is undone
 * and written down as missing, and is tried again later, in order: the day goes on for the others.
 */
export function createCalendar(db: Database, now: () => Date, contained: Containment): Calendar {
  let checked = '';
  let isStopped = false;
  let mayMiss = true;

  async function addMissing(): Promise<void> {
    const missing = await db.selectFrom('missing_days').select('reseller_id').distinct().execute();
    mayMiss = missing.length > 0;
    for (const { reseller_id } of missing) {
      await contained.run(reseller_id, async () => {
        while (await db.transaction().execute(trx => addNextMissing(trx, reseller_id))) await nextTurn();
      });
    }
  }

  return {
    async catchUp() {
      const today = dayAt(now()).date;
      if (mayMiss) await addMissing();
      if (today === checked) return;
      mayMiss = true;
      while (await db.transaction().execute(trx => addNextDay(trx, today, contained))) {
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
async function addNextDay(trx: Write, today: string, contained: Containment): Promise<boolean> {
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
  for (const area of areas) {
    await area.day?.(trx, day);
    if (area.dayOfReseller) await addToEach(trx, area.name, area.dayOfReseller, day, contained);
  }
  await trx.updateTable('settings').set({ value: next }).where('name', '=', 'last day').execute();
  return true;
}

/** Adds a day to each reseller; a reseller that misses an earlier day of the area misses this one too. */
async function addToEach(
  trx: Write,
  area: string,
  addTo: NonNullable<Area['dayOfReseller']>,
  day: Day,
  contained: Containment,
): Promise<void> {
  const missing = await trx.selectFrom('missing_days').select('reseller_id').where('area', '=', area).execute();
  const behind = new Set(missing.map(({ reseller_id }) => reseller_id));
  for (const reseller of await listSimulatedResellers(trx)) {
    const add = () => addTo(trx, reseller, day);
    if (!behind.has(reseller) && (await contained.runIn(trx, reseller, add))) continue;
    await trx.insertInto('missing_days').values({ area, reseller_id: reseller, day: day.date }).execute();
  }
}

/** @returns false when the reseller misses no day */
async function addNextMissing(trx: Write, reseller: number): Promise<boolean> {
  const { rows } = await sql<{ area: string; day: string }>`
    with next as (
      select ctid from missing_days where reseller_id = ${reseller} order by day, area limit 1 for update skip locked
    )
    delete from missing_days m using next where m.ctid = next.ctid returning m.area, m.day::text as day`.execute(trx);
  const next = rows[0];
  if (next === undefined) return false;
  await dayOfResellerIn(next.area)?.(trx, reseller, dayAt(new Date(next.day)));
  return true;
}
