import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/** How times are written for a person: the language, such as "en-GB", and the time zone. */
export type Clock = { readonly locale: string; readonly timeZone: string };

/**
 * The columns of a clock, over an account `a`, or none, and its reseller `r`: what the person has chosen, then what their
 * browser last said of its time zone, then what the reseller has chosen. English is that of Britain, as on screens.
 */
export const clockColumns = [
  sql<string>`coalesce(nullif(coalesce(a.locale, r.locale), 'en'), 'en-GB')`.as('locale'),
  sql<string>`coalesce(a.time_zone, a.browser_time_zone, r.time_zone)`.as('timeZone'),
] as const;

/** Reads the clock of an account. */
export const clockOfAccount = (db: Database, id: number): Promise<Clock> =>
  db
    .selectFrom('accounts as a')
    .innerJoin('resellers as r', 'r.id', 'a.reseller_id')
    .where('a.id', '=', id)
    .select(clockColumns)
    .executeTakeFirstOrThrow();

const written = (moment: Date, { locale, timeZone }: Clock, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(moment);

/** Writes the day of a moment as "4 March 2026". */
export const writeLongDay = (moment: Date, clock: Clock): string => written(moment, clock, { dateStyle: 'long' });

/** Writes the time of a moment as "14:05". */
export const writeTime = (moment: Date, clock: Clock): string => written(moment, clock, { timeStyle: 'short' });
