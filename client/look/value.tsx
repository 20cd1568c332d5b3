import type { ReactNode } from 'react';
import type { FormatName } from '../../shared/rules/format.ts';

type Write = (value: unknown, format: FormatName | undefined) => string;

/** Formats of days and moments. */
const dated = /date|time|month/;
const isoDate = /^\d{4}-\d\d-\d\d(T?)/;

/**
 * Draws a value in a format (text, money, day). A day or moment becomes a `<time>`, machine-readable and exact on
 * hover.
 */
export function drawValue(value: unknown, format: FormatName | undefined, write: Write): ReactNode {
  const text = write(value, format);
  const date = dated.test(format ?? '') && isoDate.exec(`${value}`);
  if (!date) return text;
  const exact = write(value, date[1] ? 'date-time' : 'date');
  return (
    <time dateTime={`${value}`} title={exact === text ? undefined : exact}>
      {text}
    </time>
  );
}
