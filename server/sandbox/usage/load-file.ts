import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { sql } from 'kysely';
import { CloudError } from '../http/errors.ts';
import { decodeStream, describeCsvError, UnreadableFile } from '../imports/csv-text.ts';
import type { Database, Write } from '../tables.ts';
import { createFocusReader, type FocusReader } from './focus.ts';
import { addStagedCharges, dropStagedCharges, type Staged, stageCharges } from './load.ts';

export type FileOptions = {
  readonly name: string;
  /** Currency that the customer's reseller is billed in. */
  readonly currency: string;
  /** How much one of the file's currency is in that of the reseller; a decimal. Absent: the file has to have that one. */
  readonly rate?: string;
  /** True to move all days so that the newest is yesterday. */
  readonly shift: boolean;
};

/** Rows written at a time, and bad rows that are told. */
const batch = 2000;
const told = 20;

/**
 * Loads a FOCUS file (the standard format of cloud cost data) as it streams in, all of it or nothing. The same file
 * counts once, however often it is loaded.
 * @throws {CloudError} 400 with a message for each of the first bad rows, by the line on which it ends
 */
export async function loadFile(db: Database, customerId: string, file: Readable, options: FileOptions, now: Date) {
  const upload = randomUUID();
  const digest = createHash('sha256');
  file.on('data', (chunk: Buffer) => digest.update(chunk));
  try {
    const rows = await stageFile(db, upload, file, options);
    if (options.shift) await shiftStaged(db, upload, now);
    return await db.transaction().execute(async trx => {
      const file = { customer_id: customerId, digest: digest.digest('hex'), name: options.name, rows, loaded: now };
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('usage_files')
        .values(file)
        .onConflict(conflicting => conflicting.doNothing())
        .executeTakeFirst();
      const Added = numInsertedOrUpdatedRows === 1n;
      const sums = await sumStaged(trx, upload);
      if (Added) await addStagedCharges(trx, customerId, upload);
      return { Added, Rows: rows, ...sums };
    });
  } finally {
    file.resume();
    await dropStagedCharges(db, upload);
  }
}

async function stageFile(db: Database, upload: string, file: Readable, options: FileOptions): Promise<number> {
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
  return rows;
}

const invalidFile = (messages: readonly string[]) =>
  new CloudError(400, 'Invalid', ['Nothing was loaded.', ...messages]);

async function shiftStaged(db: Database, upload: string, now: Date): Promise<void> {
  await sql`
    update usage_staged set day = day + (${now.toISOString().slice(0, 10)}::date - 1 - newest)
    from (select max(day) as newest from usage_staged where upload = ${upload}::uuid) n
    where upload = ${upload}::uuid`.execute(db);
}

async function sumStaged(trx: Write, upload: string) {
  return await trx
    .selectFrom('usage_staged')
    .where('upload', '=', upload)
    .select([
      sql<string>`min(day)::text`.as('From'),
      sql<string>`max(day)::text`.as('To'),
      sql<number>`sum(cost)`.as('Spend'),
    ])
    .executeTakeFirstOrThrow();
}
