import type { FormatName } from '../../shared/rules/format.ts';
import type { DayCell } from './cell.ts';

/** What a file keeps of a moment, by the format of its column; "09:30" alone is text. */
const unitOf: Partial<Record<FormatName, DayCell['unit']>> = {
  date: 'day',
  'short-date': 'day',
  'date-time': 'minute',
  'long-date-time': 'minute',
  'hyphen-date-time': 'minute',
  'friendly-date': 'minute',
  month: 'month',
};

/** True for formats that show a time of day, which is one of a zone. */
export const hasTime = (format: FormatName | undefined): boolean =>
  format !== undefined && (unitOf[format] === 'minute' || format === 'time');

const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;

/** A moment as clocks of a time zone show it, in the fields of UTC: a spreadsheet knows no time zones. */
function wallClock(moment: Date, timeZone: string | undefined): Date {
  const format = new Intl.DateTimeFormat('en-GB', { ...fields, hourCycle: 'h23', ...(timeZone && { timeZone }) });
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  return new Date(Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day, parts.hour, parts.minute));
}

/** Makes the spreadsheet cell of a day ("2026-11-01") or a moment; undefined for other values and formats. */
export function dayCell(
  value: unknown,
  format: FormatName | undefined,
  timeZone: string | undefined,
  text: string,
): DayCell | undefined {
  const unit = format && unitOf[format];
  if (unit === undefined || typeof value !== 'string') return undefined;
  const moment = new Date(value);
  if (Number.isNaN(moment.getTime())) return undefined;
  // A day without a time is that day in every time zone.
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const wall = isDay ? moment : wallClock(moment, timeZone);
  if (unit !== 'minute') wall.setUTCHours(0, 0);
  return { wall, unit: isDay && unit === 'minute' ? 'day' : unit, text };
}
