import { parse } from 'csv-parse/sync';
import { CloudError } from '../http/errors.ts';
import { decodeText, describeCsvError, UnreadableFile } from './csv-text.ts';
import type { FileColumn, FileRow, Import } from './declaration.ts';

/** Bytes of a file, and rows in it, at most. */
export const largestImport = 1024 * 1024;
const mostRows = 500;
/** Lines above the heads of the columns, such as a title, and lines by which the separator is recognised. */
const mostAbove = 10;

/** A record as the parser gives it with `info`; its types know only plain rows. */
type CsvRecord = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

/**
 * Reduces a column head of an import file to its letters, to compare it: "E-mail address" and "Email Address [Required]"
 * become "emailaddress", Entra's "First name [givenName]" becomes "firstname".
 */
export const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\[[^\]]*\](?:\s*required)?|\([^)]*\)/g, '')
    .replace(/[^a-z]/g, '');

const unreadable = (message: string) => new CloudError(400, 'Invalid', [message], { File: [message] });

/** A line by which spreadsheets say what separates the values: `sep=;`. */
const separatorLine = /^"?sep=([^\r\n])"?[^\S\r\n]*(?:\r\n|\n|\r|$)/i;

/** The sign that separates the values: as the file says it, or that of which a line at its top has the most. */
function delimiterOf(text: string): string {
  const [, said] = separatorLine.exec(text) ?? [];
  if (said !== undefined) return said;
  const lines = text.slice(0, 20_000).split(/\r\n|\n|\r/, mostAbove + 1);
  const most = (sign: string): number => Math.max(...lines.map(line => line.split(sign).length));
  return [',', ';', '\t', '|'].reduce((best, sign) => (most(sign) > most(best) ? sign : best));
}

function parseRecords(bytes: Buffer): readonly CsvRecord[] {
  try {
    const text = decodeText(bytes);
    const isSaid = separatorLine.test(text);
    const records = parse(text, {
      ...{ bom: true, info: true, trim: true, relax_column_count: true, skip_empty_lines: true },
      // A row of empty cells is what a spreadsheet keeps of a row that was cleared.
      skip_records_with_empty_values: true,
      delimiter: delimiterOf(text),
      max_record_size: 10_000,
    }) as unknown as CsvRecord[];
    return isSaid ? records.slice(1) : records;
  } catch (error) {
    const said = error instanceof UnreadableFile ? error.message : describeCsvError(error);
    if (said === undefined) throw error;
    throw unreadable(said);
  }
}

const columnOf = (file: readonly FileColumn[], title: string) =>
  file.find(({ letters }) => letters.includes(lettersOf(title)));

/**
 * The place of the record that heads the columns: of those at the top the one that names the most of them, else the
 * first that has as many values as most.
 */
function headAt(records: readonly CsvRecord[], file: readonly FileColumn[]): number {
  const counts = records
    .slice(0, mostAbove)
    .map(({ record }) => new Set(record.flatMap(title => columnOf(file, title)?.name ?? [])).size);
  const most = Math.max(...counts);
  // A single name above a table may be its title.
  if (most > 1) return counts.indexOf(most);
  const lengths = records.slice(0, 50).map(({ record }) => record.length);
  const times = (length: number): number => lengths.filter(one => one === length).length;
  const usual = lengths.reduce((best, length) => (times(length) > times(best) ? length : best), lengths[0]!);
  return lengths.slice(0, mostAbove).includes(usual) ? lengths.indexOf(usual) : 0;
}

/** The head of the columns and the rows below it, each with its line in the file. */
export type FileTable = {
  readonly head: readonly string[];
  readonly headLine: number;
  readonly rows: readonly { readonly line: number; readonly values: readonly string[] }[];
};

/** Which place in a row each column is read from, by its name; what no column is for is not there. */
export type Places = Readonly<Record<string, number>>;

/**
 * Reads the table of a CSV file of an import, and recognises its columns. `missing` says what keeps the rows from being
 * read before somebody says which column is which.
 * @throws {CloudError} 400 for a file that is no such table, or has fewer columns than are needed
 */
export function readTable<C extends object>(
  { file, nouns }: Import<C>,
  bytes: Buffer,
): { readonly table: FileTable; readonly places: Places; readonly missing: string | undefined } {
  const records = parseRecords(bytes);
  const at = records.length === 0 ? 0 : headAt(records, file);
  const found = records[at];
  if (!found) throw unreadable('The file is empty.');
  const head = found.record;
  const rows = records.slice(at + 1).map(({ record: values, info: { lines: line } }) => ({ line, values }));
  const places: Record<string, number> = {};
  let missing: string | undefined;
  for (const { name, head: meaning } of file) {
    const same = head.filter(title => columnOf(file, title)?.name === name);
    if (same.length === 1) places[name] = head.indexOf(same[0]!);
    if (same.length > 1)
      missing = `The columns ${same.map(title => `"${title}"`).join(' and ')} both mean ${meaning}. Keep one of them.`;
  }
  const needed = file.filter(({ isNeeded }) => isNeeded);
  const unknown = needed.filter(({ name }) => places[name] === undefined).map(({ head: title }) => title);
  if (unknown.length > 0) missing ??= `The file has no column ${unknown.join(', ')}.`;
  if (missing !== undefined && head.length < needed.length) throw unreadable(missing);
  if (rows.length === 0) throw unreadable(`The file has no ${nouns} below the heads of its columns.`);
  if (rows.length > mostRows)
    throw unreadable(`The file has ${rows.length} ${nouns}. Import at most ${mostRows} at once.`);
  return { table: { head, headLine: found.info.lines, rows }, places, missing };
}

/** Reads the rows of a table by the columns that are said. */
export const readRows = <C extends object>(declared: Import<C>, { head, rows }: FileTable, places: Places) =>
  rows.map(
    ({ line, values }): FileRow<C> => ({
      ...declared.read(name => values[places[name] ?? -1] ?? ''),
      line,
      isWhole: values.length === head.length,
    }),
  );

/** How a body names a column: "EmailAddress" for "Email address". */
export const propertyOf = ({ head }: FileColumn): string =>
  head.replace(/(?:^|\s+)(\p{L})/gu, (_, letter: string) => letter.toUpperCase());
