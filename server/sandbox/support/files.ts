import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { kindsOf } from '../../../shared/language/file-types.ts';
import { fileName } from '../../../shared/rules/file-name.ts';
import type { Caller } from '../auth/caller.ts';
import { CloudError, notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { date, id, integer, list } from '../http/schema.ts';
import { fields, type RowOf } from '../resource/fields.ts';
import type { Database, Write } from '../tables.ts';
import { attachmentTypes, KindJudge, typeOfName } from './file-kinds.ts';
import { type Scanner, scanFile } from './scanner.ts';
import { findTicket, ticketsOf } from './scope.ts';

/** Bytes of one file. */
export const largestAttachment = 25 * 1024 * 1024;
/** Files of one message. */
export const mostAttachments = 10;
/** Bytes that an account sends in 24 hours. */
const mostBytesInADay = 500 * 1024 * 1024;
const dayMilliseconds = 86_400_000;
/** Days after which a file that was never sent with a message is deleted, as what was typed is. */
const waitingDays = 14;
/** Bytes of a row: so much of a file is held in memory, either way. */
const partBytes = 262_144;

/** A file waits for a reply on a ticket, or for a new ticket, by what this is about. */
export type Waiting = { readonly ticketId: string; readonly kind: string; readonly of: string };

/** The column `origin` of a new ticket's files. */
export const originOf = ({ kind, of }: Omit<Waiting, 'ticketId'>): string => (kind === '' ? '' : `${kind}/${of}`);

/** SQL over a file `f`: it waits to be sent with the caller's reply or new ticket. */
const waitsFor = ({ accountId }: Caller, ticketId: number | null, origin: string) => sql<boolean>`(
  f.message_id is null and f.account_id = ${accountId} and f.is_whole
  and ${ticketId === null ? sql`f.ticket_id is null and f.origin = ${origin}` : sql`f.ticket_id = ${ticketId}`})`;

const waitingFile = fields('f', [
  { name: 'AttachmentId', shape: id, column: 'id' },
  { name: 'Name' },
  { name: 'Type' },
  { name: 'Bytes', shape: integer },
]);
const sentFile = fields('f', [
  ...waitingFile.list,
  { name: 'MessageId', shape: id },
  { name: 'Author' },
  { name: 'Sent', shape: date },
]);
export const waitingList = list(waitingFile.schema);
export const attachmentList = list(sentFile.schema);

/** Finds the ticket of a reply; null for a new ticket. @throws {CloudError} 404 for one that the caller does not see */
const ticketOf = async (db: Database, caller: Caller, { ticketId }: Waiting): Promise<number | null> =>
  ticketId === '' ? null : (await findTicket(db, caller, ticketId)).id;

/** Lists the files that wait to be sent with the caller's reply or new ticket. */
export async function listWaiting(db: Database, caller: Caller, waiting: Waiting) {
  const ticketId = await ticketOf(db, caller, waiting);
  const { rows } = await sql<RowOf<typeof waitingFile>>`
    select ${sql.join(waitingFile.columns)} from ticket_files f
    where ${waitsFor(caller, ticketId, originOf(waiting))} order by f.id`.execute(db);
  return rows;
}

/** Lists the files of a ticket, the oldest first. @throws {CloudError} 404 for a ticket that the caller does not see */
export async function listAttachments(db: Database, caller: Caller, key: string) {
  const { id: ticketId } = await findTicket(db, caller, key);
  const { rows } = await sql<RowOf<typeof sentFile>>`
    select ${sql.join(sentFile.columns)} from ticket_files f
    where f.ticket_id = ${ticketId} and f.message_id is not null order by f.id limit 1000`.execute(db);
  return rows;
}

async function* partsOf(db: Database, fileId: number): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const part = await db
      .selectFrom('ticket_file_parts')
      .select('content')
      .where('file_id', '=', fileId)
      .where('number', '=', number)
      .executeTakeFirst();
    if (!part) return;
    yield Buffer.from(part.content);
  }
}

/** Gives a file as it is read, part by part. */
export async function openAttachment(db: Database, isFound: ReturnType<typeof sql<boolean>>) {
  const { rows } = await sql<{ id: number; name: string; bytes: number }>`
    select f.id, f.name, f.bytes from ticket_files f where f.is_whole and ${isFound}`.execute(db);
  const [file] = rows;
  if (!file) throw notFound();
  return { name: file.name, bytes: file.bytes, content: Readable.from(partsOf(db, file.id), { objectMode: false }) };
}

/** SQL over a file `f`: the caller may have it, since the caller sees its ticket or is still to send it. */
export const attachmentFor = (caller: Caller, key: string) => sql<boolean>`f.id = ${idOf(key)} and case
  when f.message_id is null then f.account_id = ${caller.accountId}
  else exists (select from tickets t where t.id = f.ticket_id and ${ticketsOf(caller)}) end`;

/** Deletes a file that was not sent yet. @throws {CloudError} 404 for any other, and for those of others */
export async function removeWaiting(trx: Write, { accountId }: Caller, key: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('ticket_files')
    .where('id', '=', idOf(key))
    .where('account_id', '=', accountId)
    .where('message_id', 'is', null)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}

/** Sends the files that wait for it along with a message, in the transaction that writes that. */
export async function sendWaiting(
  trx: Write,
  caller: Caller,
  message: { readonly ticketId: number; readonly messageId: number },
  origin?: string,
): Promise<void> {
  await sql`update ticket_files f set ticket_id = ${message.ticketId}, message_id = ${message.messageId}
    where ${waitsFor(caller, origin === undefined ? message.ticketId : null, origin ?? '')}`.execute(trx);
}

type Sending = { readonly db: Database; readonly caller: Caller; readonly now: Date; readonly scanner: Scanner };

/** Makes room for one more file of the caller; one that still arrives counts as the largest. @throws {CloudError} 409 where there are as many as may be */
async function reserve({ db, caller, now }: Sending, waiting: Waiting, name: string, type: string): Promise<number> {
  const ticket_id = await ticketOf(db, caller, waiting);
  const { accountId: account_id, displayName: author } = caller;
  const origin = originOf(waiting);
  return await db.transaction().execute(async trx => {
    // Two files at once are counted one after the other.
    await sql`select from accounts where id = ${account_id} for no key update`.execute(trx);
    const { rows } = await sql<{ here: number; bytes: number }>`
      select count(*) filter (where f.message_id is null and f.origin = ${origin}
          and f.ticket_id is not distinct from ${ticket_id}::bigint)::int as here,
        coalesce(sum(case when f.is_whole then f.bytes else ${largestAttachment} end), 0)::float8 as bytes
      from ticket_files f
      where f.account_id = ${account_id} and (f.message_id is null or f.sent > ${new Date(now.getTime() - dayMilliseconds)})`.execute(
      trx,
    );
    const { here = 0, bytes = 0 } = rows[0] ?? {};
    if (here >= mostAttachments) throw refuseConflict('AttachmentsMany', { Most: String(mostAttachments) });
    if (bytes >= mostBytesInADay) throw refuseConflict('AttachmentsOften', { Most: '500 MB' });
    const file = { account_id, author, ticket_id, origin, name, type, sent: now };
    return (await trx.insertInto('ticket_files').values(file).returning('id').executeTakeFirstOrThrow()).id;
  });
}

/** Writes the parts of a file as they arrive. @throws {CloudError} 400 for what it is not to be */
async function store(db: Database, fileId: number, file: Readable, judge: KindJudge): Promise<number> {
  let number = 0;
  let bytes = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const write = async () => {
    const content = Buffer.concat(held);
    [held, heldBytes] = [[], 0];
    await db.insertInto('ticket_file_parts').values({ file_id: fileId, number, content }).execute();
    number += 1;
  };
  // A body that is destroyed takes the connection along, on which the refusal is to go out.
  for await (const part of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > largestAttachment) throw refuseField('File', 'AttachmentLarge', { Most: '25 MB' });
    judge.take(part);
    held.push(part);
    heldBytes += part.length;
    if (heldBytes >= partBytes) await write();
  }
  if (heldBytes > 0) await write();
  judge.judge();
  return bytes;
}

/**
 * Takes a file for a reply or a new ticket as it streams in: it waits until that is sent. What breaks off, is of another
 * kind than its name says or does not pass the scanner leaves nothing behind.
 * @returns its id
 * @throws {CloudError} 400 with why it is not taken
 */
export async function takeFile(sending: Sending, waiting: Waiting, given: string, file: Readable): Promise<number> {
  const { db, scanner } = sending;
  let fileId: number | undefined;
  let isTaken = false;
  try {
    const type = typeOfName(given);
    if (!type) throw refuseField('File', 'AttachmentUnknown', { Kinds: kindsOf(attachmentTypes) });
    fileId = await reserve(sending, waiting, fileName(given, type), type);
    const bytes = await store(db, fileId, file, new KindJudge(type));
    await scanFile(scanner, partsOf(db, fileId));
    await db.updateTable('ticket_files').set({ bytes, is_whole: true }).where('id', '=', fileId).execute();
    isTaken = true;
    return fileId;
  } catch (error) {
    if (error instanceof CloudError || !file.errored) throw error;
    throw new CloudError(400, 'Invalid', ['The file broke off.']);
  } finally {
    // A browser that is still sending hears of a refusal once all is sent.
    file.resume();
    if (fileId !== undefined && !isTaken) await db.deleteFrom('ticket_files').where('id', '=', fileId).execute();
  }
}

/** Deletes the files that nobody sent with a message, and those that a stop of the process broke off. */
export async function dropWaiting(db: Database, now: Date): Promise<void> {
  await sql`delete from ticket_files where message_id is null and (sent < ${new Date(now.getTime() - waitingDays * dayMilliseconds)}
    or (not is_whole and sent < ${new Date(now.getTime() - 3_600_000)}))`.execute(db);
}
