import { bankHolidaysOf } from './bank-holidays.ts';

/** Minutes after midnight, on the clocks of the time zone. */
type Span = { readonly opens: number; readonly closes: number };

/** When support is there. */
export type Hours = {
  /** IANA name. */
  readonly timeZone: string;
  /** By weekday, 0 is Sunday; null: closed all day. */
  readonly week: readonly (Span | null)[];
  /** Lists the days of a year on which it is closed, YYYY-MM-DD, with what they are called. */
  readonly closedDays: (year: number) => ReadonlyMap<string, string>;
};

const workday: Span = { opens: 8 * 60, closes: 18 * 60 };

/** The hours of the sandbox's support: 08:00 to 18:00 on workdays in England. */
export const supportHours: Hours = {
  timeZone: 'Europe/London',
  week: [null, workday, workday, workday, workday, workday, null],
  closedDays: bankHolidaysOf,
};

const minute = 60_000;
const dayMilliseconds = 86_400_000;
/** Closed days and weekends in a row are fewer. */
const mostDays = 15;

type Local = { readonly date: string; readonly weekday: number; readonly minutes: number };

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  });
  formats.set(timeZone, made);
  return made;
}

/** Reads what calendar and clock show in a time zone at a moment. */
function localTime(at: Date, timeZone: string): Local {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  const minutes = Number(parts.hour) * 60 + Number(parts.minute);
  return { date, weekday: new Date(`${date}T00:00:00Z`).getUTCDay(), minutes };
}

/** Gives the hours of a day; null on one that is closed. */
function spanOf({ week, closedDays }: Hours, date: string, weekday: number): Span | null {
  return closedDays(Number(date.slice(0, 4))).has(date) ? null : (week[weekday] ?? null);
}

/** True while support is there. An hour that the clocks repeat counts both times; one that they skip never comes. */
export function isOpenAt(at: Date, hours: Hours): boolean {
  const { date, weekday, minutes } = localTime(at, hours.timeZone);
  const span = spanOf(hours, date, weekday);
  return span !== null && minutes >= span.opens && minutes < span.closes;
}

/**
 * Gives the first moment of a day on which the clocks show at least so many minutes after midnight: the next one that
 * there is where they skip it, the first of two where they repeat it.
 */
function momentOf(date: string, minutes: number, timeZone: string): Date {
  // No zone is more than 14 hours ahead of UTC. Zones and changes of clocks are whole quarters of an hour.
  const first = Date.parse(`${date}T00:00:00Z`) - 14 * 60 * minute;
  for (let at = first; ; at += 15 * minute) {
    const local = localTime(new Date(at), timeZone);
    if (local.date > date) return new Date(at);
    const over = local.minutes - minutes;
    if (local.date === date && over >= 0) return new Date(at - (over < 15 ? over : 0) * minute);
  }
}

/** Gives the next moment from `at` on at which support comes in; null where it never does. */
export function nextOpening(at: Date, hours: Hours): Date | null {
  const today = Date.parse(`${localTime(at, hours.timeZone).date}T00:00:00Z`);
  for (let ahead = 0; ahead < mostDays; ahead += 1) {
    const day = new Date(today + ahead * dayMilliseconds);
    const date = day.toISOString().slice(0, 10);
    const span = spanOf(hours, date, day.getUTCDay());
    if (span === null) continue;
    const opens = momentOf(date, span.opens, hours.timeZone);
    if (opens >= at) return opens;
  }
  return null;
}

/** Writes minutes after midnight as clocks show them: "08:00". */
const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Lists the seven days from `at` on with their hours, and what closes those that are closed beyond the usual. */
export function weekFrom(at: Date, hours: Hours) {
  const today = Date.parse(`${localTime(at, hours.timeZone).date}T00:00:00Z`);
  return Array.from({ length: 7 }, (_, ahead) => {
    const day = new Date(today + ahead * dayMilliseconds);
    const date = day.toISOString().slice(0, 10);
    const span = spanOf(hours, date, day.getUTCDay());
    const closedBy = hours.closedDays(day.getUTCFullYear()).get(date) ?? '';
    return { Day: date, Opens: span && clock(span.opens), Closes: span && clock(span.closes), ClosedBy: closedBy };
  });
}
