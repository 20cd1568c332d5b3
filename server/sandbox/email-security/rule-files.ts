import { type Selectable, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { recordActivity } from '../customers/activity.ts';
import { conflict } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import { date, id, integer, string } from '../http/schema.ts';
import type { Writing } from '../mail/mailbox.ts';
import type { Resource } from '../resource/declaration.ts';
import { fields, type RowOf } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import type { Path } from '../resource/owners.ts';
import { findRow, ofRow } from '../resource/rows.ts';
import { containing, searchKeyOf } from '../search.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { type Entry, readEntry } from './list-entry.ts';
import { columnsOf, countEntries, mostEntries, securityDomains } from './resource.ts';
import { outcomesOf, readRuleFile } from './rule-file.ts';
import { type FileList, fileLists, fileStates, type ListName, lineOutcomes } from './tables.ts';

type RuleFile = Selectable<Tables['security_files']>;

/** Days for which a loaded file can be taken back, and one that waits is kept. */
export const keptDays = 7;
const day = 86_400_000;

const count = (outcome: string) => () =>
  sql`(select count(*) from security_file_lines l
  where l.file_id = security_files.id and l.outcome = ${sql.lit(outcome)})`;

/** Rule files of a domain: those that wait to be loaded, and those that were. */
export const ruleFilesOfDomain: Resource<RuleFile> = {
  noun: 'rule file',
  tag: 'email security',
  table: 'security_files',
  path: `${securityDomains.path}/:filteredId/rule-files`,
  key: 'ruleFileId',
  owner: ofRow(securityDomains, 'security_domain_id'),
  title: 'Name',
  fields: [
    { name: 'FileId', column: 'id', shape: id },
    { name: 'Name', sorts: true },
    { name: 'List', shape: { ...string, enum: fileLists } },
    { name: 'Status', shape: { ...string, enum: fileStates } },
    ...lineOutcomes.map(name => ({ name, column: count(name), shape: integer })),
    { name: 'Sent', shape: date, sorts: true },
    { name: 'SentBy' },
  ],
  list: { needs: view('customerUsers'), sort: '-Sent', largestPage: 100 },
  read: { needs: view('customerUsers') },
};

const line = fields('l', [
  { name: 'Line', shape: integer },
  { name: 'Typed' },
  { name: 'Address' },
  { name: 'Note' },
  { name: 'Outcome', shape: { ...string, enum: lineOutcomes } },
  { name: 'Reason' },
]);
export const lineSchema = line.schema;

type LineQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly outcome?: (typeof lineOutcomes)[number];
};

/** Lists a page of the lines of a file, those first that need a look. */
export async function listLines(
  db: Database,
  caller: Caller,
  at: Path,
  query: LineQuery,
): Promise<{ readonly Items: readonly RowOf<typeof line>[]; readonly Total: number }> {
  const { id: fileId } = await findRow(db, ruleFilesOfDomain, caller, at);
  return await listPage(db, query, {
    fields: line,
    from: sql`security_file_lines l`,
    where: sql`l.file_id = ${fileId}`,
    filters: {
      search: words => sql`${searchKeyOf(sql`l.typed || ' ' || l.address || ' ' || l.note`)} like ${containing(words)}`,
      outcome: outcome => sql`l.outcome = ${outcome}`,
    },
    order: sql`array_position(${['Invalid', 'Contradicts']}::text[], l.outcome) nulls last, l.line`,
  });
}

/** The entries of a list as a rule file: with a head, in the order of their addresses. */
export async function exportList(db: Database, caller: Caller, at: Path, list: FileList): Promise<string[][]> {
  const { id } = await findRow(db, securityDomains, caller, at);
  const rows = await db
    .selectFrom('security_entries')
    .select(['address', 'note'])
    .where('security_domain_id', '=', id)
    .where('list', '=', list)
    .orderBy('address')
    .execute();
  return [['Address', 'Note'], ...rows.map(({ address, note }) => [address, note])];
}

const other = { White: 'Black', Black: 'White' } as const;

async function addressesOf(trx: Database, domainId: number, list: ListName): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('security_entries')
    .select('address')
    .where('security_domain_id', '=', domainId)
    .where('list', '=', list)
    .execute();
  return new Set(rows.map(({ address }) => address));
}

/**
 * Finds out what a rule file would add to a list, line by line, and keeps that for a week. Nothing is added yet.
 * @throws {CloudError} 404 when the caller does not see the domain, 400 for what is no rule file
 */
export async function checkRuleFile(
  { trx, caller, now }: Writing,
  at: Path,
  { list, name, bytes }: { readonly list: FileList; readonly name: string; readonly bytes: Buffer },
): Promise<string> {
  const { id: domainId, customer_id } = await findRow(trx, securityDomains, caller, at);
  const held = await addressesOf(trx, domainId, list);
  const lines = outcomesOf(readRuleFile(bytes), held, await addressesOf(trx, domainId, other[list]));
  await trx
    .deleteFrom('security_files')
    .where('security_domain_id', '=', domainId)
    .where('status', '=', 'Waiting')
    .where('sent', '<', new Date(now.getTime() - keptDays * day))
    .execute();
  const { id: fileId } = await trx
    .insertInto('security_files')
    .values({ customer_id, security_domain_id: domainId, list, name, sent: now, sent_by: caller.displayName })
    .returning('id')
    .executeTakeFirstOrThrow();
  const column = (of: (one: (typeof lines)[number]) => unknown) => lines.map(of);
  await sql`
    insert into security_file_lines (file_id, line, typed, note, address, outcome, reason)
    select ${fileId}, * from unnest(${column(one => one.line)}::int[], ${column(one => one.typed)}::text[],
      ${column(one => one.note)}::text[], ${column(one => one.entry?.address ?? '')}::text[],
      ${column(one => one.outcome)}::text[], ${column(one => one.reason)}::text[])`.execute(trx);
  return String(fileId);
}

/**
 * Adds the entries of a file that waits, all or none.
 * @throws {CloudError} 404 when the caller does not see it; 409 where it is loaded, has lines that are no entries, or would
 *   make the list too long
 */
export async function loadRuleFile({ trx, caller, now }: Writing, at: Path): Promise<void> {
  const { id: domainId, name: domain, customer_id } = await findRow(trx, securityDomains, caller, at);
  const file = await findRow(trx, ruleFilesOfDomain, caller, at);
  if (file.status !== 'Waiting') throw conflict('The file does not wait to be loaded.');
  const lines = await trx
    .selectFrom('security_file_lines')
    .select(['address', 'note', 'outcome'])
    .where('file_id', '=', file.id)
    .orderBy('line')
    .execute();
  const invalid = lines.filter(({ outcome }) => outcome === 'Invalid').length;
  if (invalid > 0) throw refuseConflict('RuleFileInvalid', { Lines: String(invalid) });
  // Others may have written entries since.
  const held = await addressesOf(trx, domainId, file.list);
  const added = lines
    .filter(({ address, outcome }) => (outcome === 'New' || outcome === 'Contradicts') && !held.has(address))
    .map(({ address, note }) => ({ note, ...columnsOf(readEntry(address) as Entry) }));
  if ((await countEntries(trx, domainId, file.list)) + added.length > mostEntries)
    throw refuseConflict('EntriesFull', { Most: mostEntries.toLocaleString('en-GB') });
  await insertEntries(trx, { ...file, customer_id, security_domain_id: domainId }, caller, now, added);
  await trx.updateTable('security_files').set({ status: 'Loaded', sent: now }).where('id', '=', file.id).execute();
  const event = { action: 'Rule file loaded', target: domain, detail: file.name, after: told(added.length) };
  await recordActivity(trx, customer_id, caller, now, event);
}

const told = (entries: number): string => `${entries.toLocaleString('en-GB')} ${entries === 1 ? 'entry' : 'entries'}`;

async function insertEntries(
  trx: Write,
  { id, customer_id, security_domain_id, list }: RuleFile,
  caller: Caller,
  now: Date,
  added: readonly ({ readonly note: string } & ReturnType<typeof columnsOf>)[],
): Promise<void> {
  await sql`
    insert into security_entries
      (customer_id, security_domain_id, list, file_id, author, created, address, kind, note, version, low, high)
    select ${customer_id}, ${security_domain_id}, ${list}, ${id}, ${caller.displayName}, ${now}, e.*
    from unnest(${added.map(one => one.address)}::text[], ${added.map(one => one.kind)}::text[],
      ${added.map(one => one.note)}::text[], ${added.map(one => one.version)}::int[],
      ${added.map(one => one.low)}::numeric[], ${added.map(one => one.high)}::numeric[]) e`.execute(trx);
}

/**
 * Takes a loaded file back: the entries that it added and nobody has removed since.
 * @throws {CloudError} 404 when the caller does not see it, 409 where it is not loaded or its week is over
 */
export async function undoRuleFile({ trx, caller, now }: Writing, at: Path): Promise<void> {
  const { name: domain, customer_id } = await findRow(trx, securityDomains, caller, at);
  const file = await findRow(trx, ruleFilesOfDomain, caller, at);
  if (file.status !== 'Loaded') throw conflict('The file is not loaded.');
  if (now.getTime() - file.sent.getTime() > keptDays * day) throw refuseConflict('UndoOver');
  const gone = await trx.deleteFrom('security_entries').where('file_id', '=', file.id).returning('id').execute();
  await trx.updateTable('security_files').set({ status: 'Undone' }).where('id', '=', file.id).execute();
  const event = { action: 'Rule file taken back', target: domain, detail: file.name, before: told(gone.length) };
  await recordActivity(trx, customer_id, caller, now, event);
}
