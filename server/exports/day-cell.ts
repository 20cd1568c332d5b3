import type { FormatName } from '../../shared/rules/format.ts';
import { wallClock } from '../../shared/rules/time-zone.ts';
import type { DayCell } from './cell.ts';

/** What a file keeps of a moment, by the format of its column; "09:30" alone is text. */
const unitOf: Partial<Record<FormatName, DayCell['unit']>> = {
  date: 'day',
  'short-date': 'day',
  weekday: 'day',
  'date-time': 'minute',
  'long-date-time': 'minute',
  'hyphen-date-time': 'minute',
  'friendly-date': 'minute',
  month: 'month',
};

/** True for formats that show a time of day, which is one of a zone. */
export const hasTime = (format: FormatName | undefined): boolean =>
  format !== undefined && (unitOf[format] === 'minute' || format === 'time');

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
  // A spreadsheet knows no time zones.
  const wall = isDay ? moment : wallClock(moment, timeZone);
  if (unit !== 'minute') wall.setUTCHours(0, 0);
  return { wall, unit: isDay && unit === 'minute' ? 'day' : unit, text };
}
