import { isDecimal } from './money.ts';

/**
 * Writes values the product's way (document 2, section 9). Dates: `date` is dd/MM/yyyy, `date-time` DD/MM/YYYY HH:mm,
 * `long-date-time` Do MMMM YYYY HH:mm, `hyphen-date-time` DD-MM-YYYY HH:mm (of recovery), `short-date` dd/MM/yy; 24-hour
 * time, money with two decimals, `change` with the sign of what has grown as well, `exact` with all decimals of the
 * amount, and `percent` of a share of 100 ("20%").
 */
export type FormatName =
  | 'text'
  | 'number'
  | 'percent'
  | 'currency'
  | 'change'
  | 'exact'
  | 'date'
  | 'date-time'
  | 'long-date-time'
  | 'hyphen-date-time'
  | 'short-date'
  | 'friendly-date'
  | 'weekday'
  | 'time'
  | 'month'
  | 'yes-no'
  | 'bytes'
  | 'megabytes'
  | 'groups-of-four';

/** True for a format that writes an amount of money: `currency`, `change` with a plus sign, `exact` with all decimals. */
export const isMoney = (format: string | undefined): boolean =>
  format === 'currency' || format === 'change' || format === 'exact';

export type FormatContext = {
  readonly locale: string;
  readonly currency: string;
  readonly timeZone?: string;
  /** The moment that "today" is taken from, in epoch milliseconds. */
  readonly now?: number;
  readonly words?: { readonly yes: string; readonly no: string };
};

const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function cached<F extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => F): F {
  let format = cache.get(key) as F | undefined;
  if (!format) {
    format = make();
    cache.set(key, format);
  }
  return format;
}

function dateFormat(context: FormatContext, key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const zone = context.timeZone;
  return cached(
    `${key}|${context.locale}|${zone ?? ''}`,
    () => new Intl.DateTimeFormat(context.locale, zone ? { ...options, timeZone: zone } : options),
  );
}

const day: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit', year: 'numeric' };
const time: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** A time of so many milliseconds ago or less stays in sight when midnight makes its day yesterday. */
const recent = 43_200_000;

/** Time for today, day and month for this year, d/M/yy otherwise (document 2, section 9). */
function friendly(date: Date, context: FormatContext, isMoment: boolean): string {
  const now = new Date(context.now ?? Date.now());
  const full = dateFormat(context, 'day', day);
  const written = () => dateFormat(context, 'time', time).format(date);
  if (isMoment && full.format(date) === full.format(now)) return written();
  const year = dateFormat(context, 'year', { year: 'numeric' });
  const ago = now.getTime() - date.getTime();
  const dayMonth = () => dateFormat(context, 'day-month', { day: 'numeric', month: 'short' }).format(date);
  if (isMoment && ago > 0 && ago <= recent) return `${dayMonth()}, ${written()}`;
  if (year.format(date) === year.format(now)) return dayMonth();
  // The format of some locales pads day and month here, whatever is asked for.
  const parts = dateFormat(context, 'short', { day: 'numeric', month: 'numeric', year: '2-digit' }).formatToParts(date);
  return parts.map(({ type, value }) => (type === 'day' || type === 'month' ? String(Number(value)) : value)).join('');
}

/** 22nd November 2026: English has ordinals, other languages write their own long date. */
function longDay(date: Date, context: FormatContext): string {
  const format = dateFormat(context, 'long', { day: 'numeric', month: 'long', year: 'numeric' });
  if (!context.locale.startsWith('en')) return format.format(date);
  const part = (name: string) => format.formatToParts(date).find(({ type }) => type === name)?.value;
  const number = Number(part('day'));
  const ending = (number > 10 && number < 14 ? undefined : ['st', 'nd', 'rd'][(number % 10) - 1]) ?? 'th';
  return `${number}${ending} ${part('month')} ${part('year')}`;
}

const isDay = (value: unknown): boolean => /^\d{4}-\d{2}-\d{2}$/.test(String(value));

/** A hyphen before a figure as a minus sign: English writes a hyphen. */
const withMinus = (written: string): string => written.replace('-', '−');

/** A size with its unit. Files below a megabyte are in whole kilobytes: none is of 0 MB. */
function inUnit(megabytes: number, format: 'bytes' | 'megabytes'): [amount: number, unit: string] {
  if (megabytes >= 1024) return [megabytes / 1024, 'gigabyte'];
  if (format === 'bytes' && megabytes < 1) return [Math.ceil(megabytes * 1024), 'kilobyte'];
  return [megabytes, 'megabyte'];
}

/**
 * Writes a value in a format (money, day, bytes) for a locale and currency; '' for no value, and plain text for a value
 * that the format cannot write.
 */
export function formatValue(value: unknown, format: FormatName | undefined, context: FormatContext): string {
  if (value === undefined || value === null || value === '') return '';
  switch (format) {
    case 'number':
      return typeof value === 'number'
        ? withMinus(cached(`n|${context.locale}`, () => new Intl.NumberFormat(context.locale)).format(value))
        : String(value);
    case 'percent':
      return typeof value === 'number'
        ? withMinus(
            cached(
              `p|${context.locale}`,
              () => new Intl.NumberFormat(context.locale, { style: 'percent', maximumFractionDigits: 2 }),
            ).format(value / 100),
          )
        : String(value);
    case 'currency':
    case 'change':
    case 'exact':
      return typeof value === 'number' || isDecimal(value)
        ? withMinus(
            cached(
              `${format}|${context.locale}|${context.currency}`,
              () =>
                new Intl.NumberFormat(context.locale, {
                  ...{ style: 'currency', currency: context.currency },
                  ...(format === 'exact' && { maximumFractionDigits: 20 }),
                  signDisplay: format === 'change' ? 'exceptZero' : 'auto',
                }),
            ).format(value),
          )
        : String(value);
    case 'megabytes':
    case 'bytes': {
      if (typeof value !== 'number') return String(value);
      const megabytes = format === 'bytes' ? value / 1_048_576 : value;
      const [amount, unit] = inUnit(megabytes, format);
      return cached(
        `u|${unit}|${context.locale}`,
        () => new Intl.NumberFormat(context.locale, { style: 'unit', unit, maximumFractionDigits: 1 }),
      ).format(amount);
    }
    case 'yes-no':
      return (value === true ? context.words?.yes : context.words?.no) ?? String(value);
    case 'date':
    case 'date-time':
    case 'long-date-time':
    case 'hyphen-date-time':
    case 'short-date':
    case 'friendly-date':
    case 'weekday':
    case 'month':
    case 'time': {
      const date = new Date(String(value));
      if (Number.isNaN(date.getTime())) return String(value);
      // A day without a time is that day in every time zone.
      const where = isDay(value) ? { ...context, timeZone: 'UTC' } : context;
      if (format === 'friendly-date') return friendly(date, where, !isDay(value));
      if (format === 'weekday')
        return dateFormat(where, format, { weekday: 'short', day: 'numeric', month: 'short' }).format(date);
      if (format === 'month') return dateFormat(where, format, { month: 'short', year: 'numeric' }).format(date);
      if (format === 'time') return dateFormat(where, 'time', time).format(date);
      if (format === 'short-date') return dateFormat(where, format, { ...day, year: '2-digit' }).format(date);
      // In whatever language: who recovers mail compares it with logs.
      if (format === 'hyphen-date-time')
        return formatValue(value, 'date-time', { ...context, locale: 'en-GB' }).replaceAll('/', '-');
      const written = format === 'long-date-time' ? longDay(date, where) : dateFormat(where, 'day', day).format(date);
      return format === 'date' ? written : `${written} ${dateFormat(where, 'time', time).format(date)}`;
    }
    case 'groups-of-four':
      return String(value).replace(/(.{4})(?=.)/g, '$1 ');
    default:
      if (Array.isArray(value)) return value.filter(item => typeof item !== 'object').join(', ');
      return typeof value === 'object' ? '' : String(value);
  }
}
