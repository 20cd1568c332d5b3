import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { sql } from 'kysely';
import { CloudError, conflict, notFound } from '../http/errors.ts';
import { decodeStream, describeCsvError, UnreadableFile } from '../imports/csv-text.ts';
import type { Database, Write } from '../tables.ts';
import { createFocusReader, type FocusReader } from './focus.ts';
import { addFile, dropStagedCharges, replaceByStaged, type Staged, stageCharges, takeBack } from './load.ts';

export type FileOptions = {
  readonly name: string;
  /** Currency that the customer's reseller is billed in. */
  readonly currency: string;
  /** How much one of the file's currency is in that of the reseller; a decimal. Absent: the file has to have that one. */
  readonly rate?: string;
  /** True to move all days so that the newest is yesterday. */
  readonly shift: boolean;
  /** True to say what the file would change, and change nothing. */
  readonly preview: boolean;
};

/** Rows written at a time, and bad rows that are told. */
const batch = 2000;
const told = 20;

/** Carries the reply of a preview out of the transaction, which it rolls back. */
class Previewed<Reply> extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super();
    this.reply = reply;
  }
}

/**
 * Loads a FOCUS file (the standard format of cloud cost data) as it streams in, all of it or nothing. It replaces what
 * the same source said of the same subscriptions and days: exports of a month to date may follow each other.
 * @returns the id of the file (null for a preview) and what it changes
 * @throws {CloudError} 400 with a message for each of the first bad rows, by the line on which it ends
 */
export async function loadFile(db: Database, customerId: string, file: Readable, options: FileOptions, now: Date) {
  const upload = randomUUID();
  try {
    const rows = await stageFile(db, upload, file, options);
    if (options.shift) await shiftStaged(db, upload, now);
    const load = async (trx: Write) => {
      await holdCustomer(trx, customerId);
      const sums = await sumStaged(trx, upload);
      const id = await addFile(trx, { customer_id: customerId, name: options.name, rows, loaded: now });
      const counts = await replaceByStaged(trx, customerId, upload, id);
      const reply = { FileId: options.preview ? null : String(id), Rows: rows, ...sums, ...counts };
      if (options.preview) throw new Previewed(reply);
      return reply;
    };
    return await db
      .transaction()
      .execute(load)
      .catch(error => {
        if (error instanceof Previewed) return error.reply as Awaited<ReturnType<typeof load>>;
        throw error;
      });
  } finally {
    file.resume();
    await dropStagedCharges(db, upload);
  }
}

/**
 * Takes a loaded file back.
 * @throws {CloudError} 404 for no file of the customer, 409 where it was taken back before, or a later file has changed
 * some of what it changed
 */
export async function undoFile(db: Database, customerId: string, fileId: string, now: Date): Promise<void> {
  if (!/^\d{1,15}$/.test(fileId)) throw notFound();
  await db.transaction().execute(async trx => {
    await holdCustomer(trx, customerId);
    const found = await trx
      .selectFrom('usage_files')
      .select(['id', 'undone'])
      .where('id', '=', Number(fileId))
      .where('customer_id', '=', customerId)
      .executeTakeFirstOrThrow(notFound);
    if (found.undone) throw conflict('This file was taken back before.');
    if (!(await takeBack(trx, found.id)))
      throw conflict('A later file has changed what this one says: take that one back first.');
    await trx.updateTable('usage_files').set({ undone: now }).where('id', '=', found.id).execute();
  });
}

/** Files of one customer are loaded one after the other. */
async function holdCustomer(trx: Write, customerId: string): Promise<void> {
  await trx
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customerId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
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
