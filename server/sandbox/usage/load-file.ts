import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { sql } from 'kysely';
import { CloudError } from '../http/errors.ts';
import { decodeStream, describeCsvError, UnreadableFile } from '../imports/csv-text.ts';
import type { Database } from '../tables.ts';
import { type Acting, addFile, loadWaiting, previewFile, sumStaged } from './files.ts';
import { createFocusReader, type FocusReader } from './focus.ts';
import { dropStagedCharges, type Staged, stageCharges } from './load.ts';

export type FileOptions = {
  readonly name: string;
  /** Currency that the customer's reseller is billed in. */
  readonly currency: string;
  /** How much one of the file's currency is in that of the reseller; a decimal above zero. Absent: the file has to have that one. */
  readonly rate?: string;
  /** True to move all days so that the newest is yesterday. */
  readonly shift: boolean;
  /** True to say what the file would change, and change nothing. */
  readonly preview: boolean;
};

/** Rows written at a time, and bad rows that are told. */
const batch = 2000;
const told = 20;

/**
 * Loads a FOCUS file (the standard format of cloud cost data) as it streams in, all of it or nothing. It replaces what
 * the same source said of the same subscriptions and days: exports of a month to date may follow each other. A preview
 * keeps the file for a day, to be loaded by `loadWaiting`.
 * @returns the id of the file and what it changes
 * @throws {CloudError} 400 with a message for each of the first bad rows, by the line on which it ends
 */
export async function loadFile(
  { db, caller, now }: Omit<Acting, 'path'>,
  customerId: string,
  file: Readable,
  options: FileOptions,
) {
  if (options.rate !== undefined && Number(options.rate) === 0) throw invalidFile(['The rate is zero.']);
  const upload = randomUUID();
  let isWaiting = false;
  try {
    const { rows, file_currency } = await stageFile(db, upload, file, options);
    if (options.shift) await shiftStaged(db, upload, now);
    const { first_day, last_day, Spend } = await sumStaged(db, upload);
    const sent = { customer_id: customerId, name: options.name, rows, sent: now, sent_by: caller.displayName, upload };
    const costs = { file_currency, rate: options.rate ?? null };
    const fileId = await addFile(db, { ...sent, ...costs, first_day, last_day });
    isWaiting = true;
    const acting = { db, caller, now, path: { customerId, fileId } };
    const sums = await (options.preview ? previewFile(acting) : loadWaiting(acting, { asShown: false }));
    const { added: Added, replaced: Replaced, unchanged: Unchanged, gone: Gone, change: Change } = sums;
    const period = { From: first_day, To: last_day, Spend };
    return { FileId: String(fileId), Rows: rows, ...period, Added, Replaced, Unchanged, Gone, Change };
  } finally {
    file.resume();
    if (!isWaiting) await dropStagedCharges(db, upload);
  }
}

async function stageFile(db: Database, upload: string, file: Readable, options: FileOptions) {
  const decoded = decodeStream();
  const parser = parse({ info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: 1_000_000 });
  // No pipeline: it would hang up on who waits to be told what is wrong.
  file.on('error', error => decoded.destroy(error)).pipe(decoded);
  decoded.on('error', error => parser.destroy(error)).pipe(parser);
  let reader: FocusReader | undefined;
  let rows = 0;
  let bad = 0;
  const faults: string[] = [];
  let waiting: Staged[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (reader === undefined) {
        const made = createFocusReader(record, options.rate !== undefined, options.currency);
        if (typeof made === 'string') throw invalidFile([made]);
        reader = made;
        continue;
      }
      rows += 1;
      const charge = reader.read(record);
      if (typeof charge === 'string') {
        bad += 1;
        if (bad <= told) faults.push(`Line ${info.lines}: ${charge}.`);
      } else if (bad === 0) waiting.push(charge);
      if (waiting.length < batch) continue;
      await stageCharges(db, upload, waiting, options.rate);
      waiting = [];
    }
  } catch (error) {
    const said = error instanceof UnreadableFile ? error.message : describeCsvError(error);
    if (said === undefined) throw error;
    throw invalidFile([...faults, said]);
  }
  if (bad > told) faults.push(`And ${bad - told} more.`);
  if (rows === 0) faults.push('The file has no rows.');
  if (faults.length > 0) throw invalidFile(faults);
  await stageCharges(db, upload, waiting, options.rate);
  return { rows, file_currency: reader?.currency() ?? null };
}

const invalidFile = (messages: readonly string[]) =>
  new CloudError(400, 'Invalid', ['Nothing was loaded.', ...messages]);

async function shiftStaged(db: Database, upload: string, now: Date): Promise<void> {
  await sql`
    update usage_staged set day = day + (${now.toISOString().slice(0, 10)}::date - 1 - newest)
    from (select max(day) as newest from usage_staged where upload = ${upload}::uuid) n
    where upload = ${upload}::uuid`.execute(db);
}
