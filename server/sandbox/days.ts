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

/** The day that a moment lies in. */
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

/** A moment of a day. */
export const timeOf = ({ start }: Day, hour: number, minute = 0): Date =>
  new Date(start.getTime() + (hour * 60 + minute) * 60_000);

/** A number below `limit` that follows from the day and a key alone, so that the same seed always lives the same days. */
export const chanceOf = ({ date }: Day, key: unknown, limit: number): RawBuilder<number> =>
  sql`(('x' || substr(md5(${key}::text || ' ' || ${date}), 1, 7))::bit(28)::int % ${sql.lit(limit)})`;

/** More customers than this are there to be measured, and stand still. */
const mostCustomers = 5000;

/** Resellers whose customers live on. */
export async function listLivingResellers(trx: Write): Promise<number[]> {
  const rows = await trx
    .selectFrom('customer_counts')
    .select('reseller_id')
    .groupBy('reseller_id')
    .having(({ fn }) => fn.sum('customers'), '>', 0)
    .having(({ fn }) => fn.sum('customers'), '<=', mostCustomers)
    .orderBy('reseller_id')
    .execute();
  return rows.map(({ reseller_id }) => reseller_id);
}
