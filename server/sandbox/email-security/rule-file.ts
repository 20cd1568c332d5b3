import { parse } from 'csv-parse/sync';
import { originalCell } from '../../../shared/rules/csv-cell.ts';
import { CloudError } from '../http/errors.ts';
import { decodeText, describeCsvError, UnreadableFile } from '../imports/csv-text.ts';
import { type Entry, readEntry } from './list-entry.ts';
import type { LineOutcome } from './tables.ts';

/** Bytes and lines of a rule file at most. */
export const largestRuleFile = 2 * 1024 * 1024;
export const mostLines = 10_000;

/** A line of a rule file, with its place in the file. */
type Written = { readonly line: number; readonly typed: string; readonly note: string };
export type JudgedLine = Written & {
  readonly outcome: LineOutcome;
  /** Absent of a line that is no entry, of which `reason` says why. */
  readonly entry?: Entry;
  readonly reason: string;
};

const unreadable = (message: string) => new CloudError(400, 'Invalid', [message], { File: [message] });

/**
 * Reads a rule file: an entry a line, with a note in a second column if there is one. Empty lines, those that begin with
 * "#", and a head as of an exported list are passed over.
 * @throws {CloudError} 400 for what is no text, and for too many lines
 */
export function readRuleFile(bytes: Buffer): Written[] {
  const rows = readRows(bytes).flatMap(({ record: [typed = '', note = ''], info: { lines } }, index) => {
    const written = { line: lines, typed: originalCell(typed).slice(0, 320), note: originalCell(note).slice(0, 200) };
    return written.typed === '' || (index === 0 && /^address$/i.test(typed)) ? [] : [written];
  });
  if (rows.length > mostLines) throw unreadable(`The file has more than ${mostLines.toLocaleString('en-GB')} entries.`);
  if (rows.length === 0) throw unreadable('The file has no entries.');
  return rows;
}

type CsvRecord = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

function readRows(bytes: Buffer): readonly CsvRecord[] {
  try {
    return parse(decodeText(bytes), {
      ...{ bom: true, info: true, trim: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
      ...{ comment: '#', comment_no_infix: true, delimiter: [',', ';', '\t'], max_record_size: 10_000 },
    }) as unknown as CsvRecord[];
  } catch (error) {
    const said = error instanceof UnreadableFile ? error.message : describeCsvError(error);
    if (said === undefined) throw error;
    throw unreadable(said);
  }
}

/** Judges each line by what the list and the other one have, and by the lines before it. */
export function outcomesOf(
  lines: readonly Written[],
  held: ReadonlySet<string>,
  others: ReadonlySet<string>,
): JudgedLine[] {
  const seen = new Set<string>();
  return lines.map((written): JudgedLine => {
    const entry = readEntry(written.typed);
    if (typeof entry === 'string') return { ...written, outcome: 'Invalid', reason: entry };
    const { address } = entry;
    const isRepeated = seen.has(address);
    seen.add(address);
    const outcome = held.has(address) ? 'Held' : isRepeated ? 'Repeated' : others.has(address) ? 'Contradicts' : 'New';
    return { ...written, entry, outcome, reason: '' };
  });
}
