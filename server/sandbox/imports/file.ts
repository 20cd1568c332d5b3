import { parse } from 'csv-parse/sync';
import { CloudError } from '../http/errors.ts';
import type { FileRow, Import } from './declaration.ts';

/** Bytes of a file, and rows in it, at most. */
export const largestImport = 1024 * 1024;
const mostRows = 500;

/** What the parser gives with `info`; its types know only plain rows. */
type CsvRecord = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

/** Reduces a column head of an import file to its letters, to compare it: "E-mail address" becomes "emailaddress". */
export const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

const unreadable = (message: string) => new CloudError(400, 'Invalid', [message], { File: [message] });

/** Spreadsheets save as UTF-8, as UTF-16 ("Unicode text"), or in the code page of old Windows. */
function decode(file: Buffer): string {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le').decode(file);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

/** The sign that most of the head's values are parted by: a comma, or what spreadsheets of other locales write. */
function delimiterOf(text: string): string {
  const [head = ''] = text.split(/\r\n|\n|\r/, 1);
  const countOf = (sign: string): number => head.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best));
}

/**
 * Reads the rows of a CSV file of an import.
 * @throws {CloudError} 400 for a file that is no such table
 */
export function readImportFile<C extends object>(declared: Import<C>, bytes: Buffer): FileRow<C>[] {
  const { file, nouns } = declared;
  const text = decode(bytes);
  if (text.includes('\0')) throw unreadable('This is no CSV file.');
  let records: readonly CsvRecord[];
  try {
    records = parse(text, {
      ...{ bom: true, info: true, trim: true, relax_column_count: true, skip_empty_lines: true },
      // A row of empty cells is what a spreadsheet keeps of a row that was cleared.
      skip_records_with_empty_values: true,
      delimiter: delimiterOf(text),
      max_record_size: 10_000,
    }) as unknown as CsvRecord[];
  } catch (error) {
    const { code, lines } = error as { code?: string; lines?: number };
    if (!code?.startsWith('CSV_')) throw error;
    throw unreadable(`Line ${lines} cannot be read: check its quotes.`);
  }
  const [head, ...rows] = records;
  if (!head) throw unreadable('The file is empty.');
  const places = head.record.map(title => file.find(({ letters }) => letters.includes(lettersOf(title)))?.name);
  const missing = file
    .filter(({ isNeeded, name }) => isNeeded && !places.includes(name))
    .map(({ head: title }) => title);
  if (missing.length > 0) throw unreadable(`The first line has no column ${missing.join(', ')}.`);
  if (rows.length === 0) throw unreadable(`The file has no ${nouns} below its first line.`);
  if (rows.length > mostRows)
    throw unreadable(`The file has ${rows.length} ${nouns}. Import at most ${mostRows} at once.`);
  return rows.map(({ record, info: { lines: line } }) => ({
    ...declared.read(name => record[places.indexOf(name)] ?? ''),
    line,
    isWhole: record.length === head.record.length,
  }));
}
