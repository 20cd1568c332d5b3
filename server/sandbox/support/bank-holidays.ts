const dayMilliseconds = 86_400_000;
const dayIn = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day);

/** Gives Easter Sunday of a year (Gregorian; the anonymous algorithm as Meeus has it). */
function easterOf(year: number): number {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return dayIn(year, Math.floor(f / 31), (f % 31) + 1);
}

const weekdayOf = (day: number): number => new Date(day).getUTCDay();
/** The first Monday from a day on. */
const mondayFrom = (day: number): number => day + ((8 - weekdayOf(day)) % 7) * dayMilliseconds;

/**
 * Lists the bank holidays of England and Wales in a year (Banking and Financial Dealings Act 1971), YYYY-MM-DD with the
 * name of each; one that falls on a weekend is kept on the next workday. Without those proclaimed for one year alone.
 */
export function bankHolidaysOf(year: number): ReadonlyMap<string, string> {
  const easter = easterOf(year);
  const christmas = dayIn(year, 12, 25);
  const substitute = (day: number): number => (weekdayOf(day) % 6 === 0 ? mondayFrom(day) : day);
  const isSaturday = weekdayOf(christmas) === 6;
  // Of two that would be kept on one day, the one that falls on the Sunday goes behind the other.
  const isSunday = weekdayOf(christmas) === 0;
  const boxing = substitute(christmas + dayMilliseconds) + (isSaturday ? dayMilliseconds : 0);
  const kept = isSunday ? christmas + 2 * dayMilliseconds : substitute(christmas);
  const days: readonly (readonly [number, string])[] = [
    [substitute(dayIn(year, 1, 1)), "New Year's Day"],
    [easter - 2 * dayMilliseconds, 'Good Friday'],
    [easter + dayMilliseconds, 'Easter Monday'],
    [mondayFrom(dayIn(year, 5, 1)), 'Early May bank holiday'],
    [mondayFrom(dayIn(year, 5, 25)), 'Spring bank holiday'],
    [mondayFrom(dayIn(year, 8, 25)), 'Summer bank holiday'],
    [kept, 'Christmas Day'],
    [boxing, 'Boxing Day'],
  ];
  return new Map(days.map(([day, name]) => [new Date(day).toISOString().slice(0, 10), name]));
}
