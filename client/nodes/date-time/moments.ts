import { dayIn, momentOf, wallClock } from '../../../shared/rules/time-zone.ts';
import type { Speech } from '../../runtime/state/speech.ts';

/** A day of the calendar; January is month 1. */
export type Day = { readonly year: number; readonly month: number; readonly date: number };

const two = (number: number): string => String(number).padStart(2, '0');
const minutes = 15;

/** Parses a moment of RFC 3339 in UTC, in whole minutes; undefined for any other text. */
export function readMoment(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return undefined;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** True for a text that is written as YYYY-MM-DD. */
export const isIsoDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** Writes a moment as the form holds it: `2026-11-23T14:15:00Z`. */
export const writeMoment = (moment: Date): string => moment.toISOString().replace(/\.\d+Z$/, 'Z');

/** Gives the time of a moment in a time zone, that of the browser where none is given, as `14:15`. */
export const timeOf = (moment: Date, timeZone?: string): string =>
  wallClock(moment, timeZone).toISOString().slice(11, 16);

/** Gives the day that a moment lies in, YYYY-MM-DD, in a time zone, that of the browser where none is given. */
export const dayOf = dayIn;

/** Writes a day as YYYY-MM-DD; a Date counts as its day in the browser's time zone. */
export function isoDay(day: Day | Date): string {
  if (day instanceof Date) return isoDay({ year: day.getFullYear(), month: day.getMonth() + 1, date: day.getDate() });
  return `${String(day.year).padStart(4, '0')}-${two(day.month)}-${two(day.date)}`;
}

/** Gives the moment of a day and a time (`14:15`) in a time zone, that of the browser where none is given. */
export function momentAt({ year, month, date }: Day, time: string, timeZone?: string): Date {
  const [hours = 0, past = 0] = time.split(':').map(Number);
  if (timeZone !== undefined) return momentOf(new Date(Date.UTC(year, month - 1, date, hours, past)), timeZone);
  return new Date(year, month - 1, date, hours, past);
}

type Read = { readonly day: Day; readonly time?: string };

/**
 * Reads a day as the caller's language writes it, or as YYYY-MM-DD, with any signs between its numbers and maybe a time
 * behind it. Undefined for what is no day that there is.
 */
export function readDay(text: string, speech: Pick<Speech, 'format'>): Read | undefined {
  const numbers = text.match(/\d+/g) ?? [];
  const [first, second, third, hours, past] = numbers;
  if (first === undefined || second === undefined || third === undefined || numbers.length === 4) return undefined;
  if (numbers.length > 5) return undefined;
  const written = speech.format('2001-12-31', 'date');
  const order = ['2001', '12', '31'].map(part => written.indexOf(part));
  const places = [...order].sort((one, other) => one - other);
  const isIso = first.length === 4;
  const [year = 0, month = 0, date = 0] = isIso
    ? [first, second, third].map(Number)
    : order.map(place => Number([first, second, third][places.indexOf(place)]));
  const day = { year: year < 100 ? 2000 + year : year, month, date };
  const found = momentAt(day, '00:00');
  if (found.getMonth() + 1 !== month || found.getDate() !== date || day.year > 9999) return undefined;
  if (hours === undefined || past === undefined) return { day };
  if (Number(hours) > 23 || Number(past) > 59) return undefined;
  return { day, time: `${two(Number(hours))}:${two(Number(past))}` };
}

/**
 * Lists the times at every quarter of an hour on a day, within `min` and `max`, without those that a clock change
 * skips.
 */
export function quartersOf(
  day: Day | undefined,
  { min, max }: { readonly min?: unknown; readonly max?: unknown },
  timeZone?: string,
): Date[] {
  const times = Array.from({ length: (24 * 60) / minutes }, (_, index) => {
    const past = index * minutes;
    return `${two(Math.floor(past / 60))}:${two(past % 60)}`;
  });
  const [first, last] = [min, max].map(bound => Date.parse(String(bound)));
  return times.flatMap(time => {
    const quarter = momentAt(day ?? { year: 2001, month: 1, date: 1 }, time, timeZone);
    if (timeOf(quarter, timeZone) !== time) return [];
    const isOut = day && (quarter.getTime() < Number(first) || quarter.getTime() > Number(last));
    return isOut ? [] : [quarter];
  });
}

/** Gives the start of a day (YYYY-MM-DD) in the browser's time zone. */
export function dateOf(iso: string): Date {
  const [year = 0, month = 1, date = 1] = iso.split('-').map(Number);
  return momentAt({ year, month, date }, '00:00');
}

/** The day so many days later. */
export function addDays(at: Date, count: number): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + count);
}

/** The same day so many months later; the last day of a month that lacks it. */
export function addMonths(at: Date, count: number): Date {
  const last = new Date(at.getFullYear(), at.getMonth() + count + 1, 0);
  return new Date(last.getFullYear(), last.getMonth(), Math.min(at.getDate(), last.getDate()));
}

type WeekInfo = { readonly firstDay: number };
/** Newer engines have the method, older ones the property. */
type LocaleOfWeeks = Intl.Locale & { getWeekInfo?(): WeekInfo; readonly weekInfo?: WeekInfo };

/** Gives the first day of the week in a locale, 0 for Sunday; Monday (ISO 8601) where the browser does not know it. */
export function firstDayOfWeek(locale: string): number {
  const known: LocaleOfWeeks = new Intl.Locale(locale);
  return ((known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1) % 7;
}

/** The weeks of a calendar's month, each with all seven days, those of the months before and after included. */
export function weeksOf(month: Date, firstDay: number): readonly Date[][] {
  const first = new Date(month.getFullYear(), month.getMonth(), 1);
  const before = (first.getDay() - firstDay + 7) % 7;
  const days = addMonths(first, 1).getTime() - first.getTime();
  const count = Math.ceil((before + Math.round(days / 86_400_000)) / 7);
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => addDays(first, week * 7 + index - before)),
  );
}
