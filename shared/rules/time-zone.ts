const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
const formats = new Map<string, Intl.DateTimeFormat>();
/** Formats that are kept: there are some six hundred names, each of which can be spelled in many ways. */
const mostFormats = 1000;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { ...fields, hourCycle: 'h23', timeZone });
    if (formats.size >= mostFormats) formats.clear();
    formats.set(timeZone, format);
  }
  return format;
}

/** Gives an IANA time zone by its name; undefined for no name and for one that is not known here. */
export function readTimeZone(name: unknown): string | undefined {
  if (typeof name !== 'string' || name.length > 60 || !/^[A-Za-z]/.test(name)) return undefined;
  try {
    formatOf(name);
    return name;
  } catch {
    return undefined;
  }
}

/** Gives a moment as clocks of a time zone show it, to the minute, in the fields of UTC; without a zone those of this machine. */
export function wallClock(moment: Date, timeZone?: string): Date {
  if (timeZone === undefined)
    return new Date(
      Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate(), moment.getHours(), moment.getMinutes()),
    );
  const parts = formatOf(timeZone).formatToParts(moment);
  const part = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
  return new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')));
}

const oneDay = 86_400_000;

/**
 * Gives the moment at which clocks of a time zone show this (`wall`, in the fields of UTC): the first of two where they
 * are set back, and where they skip it the moment that it would have been without the change, as Date does.
 */
export function momentOf(wall: Date, timeZone?: string): Date {
  const at = wall.getTime();
  const offsetAt = (moment: number): number => wallClock(new Date(moment), timeZone).getTime() - moment;
  const [before, after] = [at - offsetAt(at - oneDay), at - offsetAt(at + oneDay)] as const;
  const isShown = (moment: number): boolean => wallClock(new Date(moment), timeZone).getTime() === at;
  const [first] = [before, after].filter(isShown).sort((one, other) => one - other);
  return new Date(first ?? before);
}

/** Gives the day (YYYY-MM-DD) that a moment lies in by the clocks of a time zone. */
export const dayIn = (moment: Date, timeZone?: string): string =>
  wallClock(moment, timeZone).toISOString().slice(0, 10);

/** Gives the moment at which the day that a moment lies in begins in a time zone: midnight, or later where clocks skip that. */
export const startOfDayIn = (moment: Date, timeZone: string): Date =>
  momentOf(new Date(`${dayIn(moment, timeZone)}T00:00:00Z`), timeZone);
