import { type RawBuilder, sql } from 'kysely';
import type { Write } from './tables.ts';

const dayMilliseconds = 86_400_000;

/** A day in UTC. */
export type Day = {
  /** YYYY-MM-DD */
  readonly date: string;
  readonly start: Date;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly isWeekend: boolean;
  /** True on the last day of a month. */
  readonly endsMonth: boolean;
};

/** Gives the day in UTC that a moment lies in. */
export function dayAt(moment: Date): Day {
  const start = new Date(Math.floor(moment.getTime() / dayMilliseconds) * dayMilliseconds);
  const weekday = start.getUTCDay();
  return {
    date: start.toISOString().slice(0, 10),
    start,
    weekday,
    isWeekend: weekday % 6 === 0,
    endsMonth: new Date(start.getTime() + dayMilliseconds).getUTCDate() === 1,
  };
}

/** Gives the moment of a day at an hour and a minute in UTC. */
export const timeOf = ({ start }: Day, hour: number, minute = 0): Date =>
  new Date(start.getTime() + (hour * 60 + minute) * 60_000);

/**
 * Gives SQL for a whole number from 0 to `limit` - 1, derived from the day and the key alone: the same seed data
 * develops in the same way on every run. A key holds no id that the database counts: a killed process leaves a gap.
 */
export const chanceOf = ({ date }: Day, key: unknown, limit: number): RawBuilder<number> =>
  sql`(('x' || substr(md5(${key}::text || ' ' || ${date}), 1, 7))::bit(28)::int % ${sql.lit(limit)})`;

/** A reseller with more customers than this is there to be measured: the daily simulation leaves it unchanged. */
const maxSimulatedCustomers = 5000;

/**
 * Lists the ids, in ascending order, of the resellers whose customers the daily simulation changes: those with at least
 * 1 and at most `maxSimulatedCustomers` customers. Reads only.
 */
export async function listSimulatedResellers(trx: Write): Promise<number[]> {
  const rows = await trx
    .selectFrom('customer_counts')
    .select('reseller_id')
    .groupBy('reseller_id')
    .having(({ fn }) => fn.sum('customers'), '>', 0)
    .having(({ fn }) => fn.sum('customers'), '<=', maxSimulatedCustomers)
    .orderBy('reseller_id')
    .execute();
  return rows.map(({ reseller_id }) => reseller_id);
}
