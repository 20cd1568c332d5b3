import { type Insertable, type Selectable, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { permission } from '../auth/needs.ts';
import { recordActivity } from '../customers/activity.ts';
import { conflict } from '../http/errors.ts';
import { date, day, id, integer, orNull, string } from '../http/schema.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofCustomer, type Path } from '../resource/owners.ts';
import { findRow, ofRow } from '../resource/rows.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { type LoadSums, replaceByStaged, takeBack } from './load.ts';

type UsageFile = Selectable<Tables['usage_files']>;

/** Files of one customer that wait to be loaded, at most: the oldest go. */
const mostWaiting = 5;
const dayMilliseconds = 86_400_000;

export const loads = permission('addOrEditCustomers');
export const cost = { type: 'number', description: 'In the currency of the reseller; not rounded.' } as const;

/** SQL: an invoice has charged usage of the file's months since it was loaded. Files of before have no first day. */
const isBilled = sql<boolean>`exists (
  select from usage_subscriptions s join invoice_usage u on u.subscription_id = s.id
  where s.customer_id = usage_files.customer_id and u.line_id > usage_files.lines_before
    and (first_day is null or u.month between date_trunc('month', first_day::timestamp)::date and last_day))`;

const status = sql<string>`case when undone is not null then 'Undone' when upload is not null then 'Waiting'
  when ${isBilled} then 'Billed' else 'Loaded' end`;

/** Fields of the changes of a file, in all or to a subscription. */
const changes = [
  { name: 'Added', shape: integer },
  { name: 'Replaced', shape: integer },
  { name: 'Unchanged', shape: integer },
  { name: 'Gone', shape: integer },
  { name: 'Before', column: 'cost_before', shape: cost },
  { name: 'After', column: 'cost_after', shape: cost },
  { name: 'Change', column: () => sql`cost_after - cost_before`, shape: cost },
  { name: 'Currency', column: ({ currency }: Caller) => sql`${currency}::text` },
] as const;

/** The usage files of a customer: those that wait to be loaded for a day, and those that were. */
export const usageFiles: Resource<UsageFile> = {
  noun: 'usage file',
  tag: 'usage',
  table: 'usage_files',
  path: '/api/customers/:customerId/usage/files',
  key: 'fileId',
  owner: ofCustomer,
  title: 'Name',
  fields: [
    { name: 'FileId', column: 'id', shape: id },
    { name: 'Name', sorts: true },
    { name: 'Rows', shape: integer },
    { name: 'Status', column: () => status, shape: { enum: ['Waiting', 'Loaded', 'Billed', 'Undone'] } },
    { name: 'Sent', shape: date, sorts: true },
    { name: 'SentBy' },
    { name: 'From', column: () => sql`first_day::text`, shape: orNull(day) },
    { name: 'To', column: () => sql`last_day::text`, shape: orNull(day) },
    { name: 'FileCurrency', shape: orNull(string) },
    { name: 'Rate', column: () => sql`rate::text`, shape: orNull(string) },
    ...changes,
  ],
  list: { needs: loads, sort: '-Sent', largestPage: 100 },
  read: { needs: loads },
};

/** Changes of a usage file, by subscription. */
export const usageFileSums: Resource = {
  noun: 'subscription of a usage file',
  tag: 'usage',
  table: 'usage_file_sums',
  path: '/api/customers/:customerId/usage/files/:fileId/subscriptions',
  key: 'sumId',
  owner: ofRow(usageFiles, 'file_id'),
  title: 'Subscription',
  fields: [
    { name: 'SumId', column: 'id', shape: id },
    { name: 'SubscriptionId', shape: string },
    { name: 'Subscription', sorts: true },
    ...changes,
  ],
  list: { needs: loads, sort: 'Subscription', largestPage: 100 },
};

/** Writes down a file. @returns its id */
export async function addFile(db: Database, file: Insertable<Tables['usage_files']>): Promise<number> {
  const { id } = await db.insertInto('usage_files').values(file).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Sums the charges that were staged under `upload`. */
export async function sumStaged(db: Database, upload: string) {
  return await db
    .selectFrom('usage_staged')
    .where('upload', '=', upload)
    .select([
      sql<string>`min(day)::text`.as('first_day'),
      sql<string>`max(day)::text`.as('last_day'),
      sql<number>`sum(cost)`.as('Spend'),
      sql<number>`count(*)::int`.as('rows'),
    ])
    .executeTakeFirstOrThrow();
}

/** Carries what a file would change out of the transaction, which it rolls back. */
class Previewed extends Error {
  readonly sums: readonly LoadSums[];
  constructor(sums: readonly LoadSums[]) {
    super();
    this.sums = sums;
  }
}

/** The file on which something is done, and by whom. */
export type Acting = { readonly db: Database; readonly caller: Caller; readonly path: Path; readonly now: Date };

/**
 * Finds out what a waiting file would change, and writes it down with the file; nothing else is changed. Older files of
 * the customer that wait are forgotten beyond the newest five.
 */
export async function previewFile({ db, caller, path }: Acting) {
  const sums = await db
    .transaction()
    .execute(async trx => {
      const { id, customer_id, upload } = await findRow(trx, usageFiles, caller, path);
      throw new Previewed(await replaceByStaged(trx, customer_id, upload!, id));
    })
    .catch(seen => {
      if (seen instanceof Previewed) return seen.sums;
      throw seen;
    });
  return await db.transaction().execute(async trx => {
    const { id, customer_id } = await findRow(trx, usageFiles, caller, path);
    await sql`
      with old as (
        delete from usage_files where id in (
          select id from usage_files where customer_id = ${customer_id} and upload is not null
          order by id desc offset ${mostWaiting})
        returning upload)
      delete from usage_staged where upload in (select upload from old)`.execute(trx);
    return await writeSums(trx, id, sums);
  });
}

/**
 * Loads a file that waits. With `asShown` nothing is loaded where it would change something else than its preview said,
 * and the preview is brought up to date.
 * @throws {CloudError} 404 for no file of the customer, 409 where it was loaded before or changes something else
 */
export async function loadWaiting({ db, caller, path, now }: Acting, { asShown }: { readonly asShown: boolean }) {
  const load = async (trx: Write) => {
    const { id, customer_id, upload, name, rows, first_day, last_day } = await findRow(trx, usageFiles, caller, path);
    if (upload === null) throw conflict('This file was loaded before.');
    const sums = await replaceByStaged(trx, customer_id, upload, id);
    if (asShown && !(await isAsShown(trx, id, sums))) throw new Previewed(sums);
    await sql`
      update usage_files
      set loaded = ${now}, upload = null, lines_before = (select coalesce(max(id), 0) from invoice_lines)
      where id = ${id}`.execute(trx);
    const detail = `${rows} rows from ${dayIn(first_day)} to ${dayIn(last_day)}`;
    await recordActivity(trx, customer_id, caller, now, { action: 'Usage loaded', target: name, detail });
    return await writeSums(trx, id, sums);
  };
  try {
    return await db.transaction().execute(load);
  } catch (seen) {
    if (!(seen instanceof Previewed)) throw seen;
    await db.transaction().execute(async trx => {
      const { id } = await findRow(trx, usageFiles, caller, path);
      await writeSums(trx, id, seen.sums);
    });
    throw conflict('Other usage was loaded since this file was checked. Look at what it changes now.');
  }
}

const dayIn = (at: unknown): string => (at instanceof Date ? at.toISOString().slice(0, 10) : String(at));

async function isAsShown(trx: Write, fileId: number, sums: readonly LoadSums[]): Promise<boolean> {
  const { rows: shown } = await sql<LoadSums>`
    select subscription_id, subscription, added, replaced, unchanged, gone, cost_before::text, cost_after::text
    from usage_file_sums where file_id = ${fileId} order by subscription_id collate "C"`.execute(trx);
  const told = ({ subscription: _, ...sum }: LoadSums) => sum;
  return JSON.stringify(shown.map(told)) === JSON.stringify(sums.filter(isOfOne).map(told));
}

const isOfOne = (sum: LoadSums): sum is LoadSums & { subscription_id: string; subscription: string } =>
  sum.subscription_id !== null;

/** Writes down what a file changes, by subscription and of all. @returns what it changes of all */
export async function writeSums(trx: Write, fileId: number, sums: readonly LoadSums[]) {
  await trx.deleteFrom('usage_file_sums').where('file_id', '=', fileId).execute();
  const ofOnes = sums.filter(isOfOne).map(sum => ({ ...sum, file_id: fileId }));
  if (ofOnes.length > 0) await trx.insertInto('usage_file_sums').values(ofOnes).execute();
  const { subscription_id: _, subscription: __, ...all } = sums.at(-1)!;
  const { change } = await trx
    .updateTable('usage_files')
    .set(all)
    .where('id', '=', fileId)
    .returning(sql<number>`cost_after - cost_before`.as('change'))
    .executeTakeFirstOrThrow();
  return { ...all, change };
}

/**
 * Takes a loaded file back.
 * @throws {CloudError} 404 for no file of the customer, 409 where it is not loaded, has been billed, or a later file has
 * changed some of what it changed
 */
export async function undoFile({ db, caller, path, now }: Acting): Promise<void> {
  await db.transaction().execute(async trx => {
    const { id, customer_id, name, upload, undone } = await findRow(trx, usageFiles, caller, path);
    if (undone) throw conflict('This file was taken back before.');
    if (upload !== null) throw conflict('This file was not loaded.');
    const { billed } = await trx
      .selectFrom('usage_files')
      .select(isBilled.as('billed'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (billed)
      throw conflict(
        'What this file says has been billed. Load a corrected file: the next invoice has the difference.',
      );
    if (!(await takeBack(trx, id)))
      throw conflict('A later file has changed what this one says: take that one back first.');
    await trx.updateTable('usage_files').set({ undone: now }).where('id', '=', id).execute();
    await recordActivity(trx, customer_id, caller, now, { action: 'Usage taken back', target: name });
  });
}

/** Forgets what has waited for more than a day, charges of a load that was killed included. */
export async function forgetWaiting(db: Database, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - dayMilliseconds);
  await db.deleteFrom('usage_files').where('upload', 'is not', null).where('sent', '<', yesterday).execute();
  await db.deleteFrom('usage_staged').where('staged', '<', yesterday).execute();
}
