import { neutraliseCell } from '../../../shared/rules/csv-cell.ts';

function writeCell(text: string): string {
  const safe = neutraliseCell(text);
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Writes the results of an action on several rows as CSV (RFC 4180), with a byte order mark so that spreadsheets read
 * UTF-8.
 */
export const writeResults = (lines: readonly (readonly string[])[]): string =>
  `\uFEFF${lines.map(cells => `${cells.map(writeCell).join(',')}\r\n`).join('')}`;
