import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { refuseConflict } from '../http/refusals.ts';
import { tellPage } from '../notifications/digest.ts';
import { sendHint } from '../notifications/hints.ts';
import { notify } from '../notifications/store.ts';
import { putMail } from '../outbox/mail.ts';
import type { Write } from '../tables.ts';
import { sendWaiting } from './files.ts';
import type { Ticket } from './scope.ts';
import type { MessageKind, TicketState } from './tables.ts';

/** So many days after it was closed a ticket can be reopened. */
export const reopenDays = 14;

/** True while a closed ticket can be reopened. */
export const mayReopen = (closed: Date | null, now: Date): boolean =>
  closed !== null && now.getTime() < closed.getTime() + reopenDays * 86_400_000;

/** The people of support, as tickets name them. */
export const supportName = 'Support';

/** Something that is done to a ticket, by a caller or, without one, by support. */
export type Acting = { readonly trx: Write; readonly caller?: Caller; readonly now: Date };

/** Tells open pages that tickets changed: those of the reseller's people and of the customer whose ticket it is. */
export const hintTickets = (
  trx: Write,
  { reseller_id, author_customer_id }: Pick<Ticket, 'reseller_id' | 'author_customer_id'>,
): Promise<void> =>
  sendHint(trx, { reseller: reseller_id, customer: author_customer_id ?? '' }, { kind: 'tickets-changed' });

/** Records what was done to a ticket: its customer sees it where it is theirs, else the reseller's people alone. */
export async function recordTicket(
  { trx, caller, now }: Acting,
  ticket: Pick<Ticket, 'id' | 'subject' | 'reseller_id' | 'customer_id' | 'author_customer_id'>,
  action: string,
): Promise<void> {
  const about = ticket.author_customer_id ?? ticket.customer_id ?? { resellerId: ticket.reseller_id };
  const views = ticket.author_customer_id === null ? (['support'] as const) : [];
  const by = caller ?? { displayName: supportName, userType: 'admin' as const, actorName: null };
  await recordActivity(trx, about, by, now, { action, target: `${ticket.id}: ${ticket.subject}`, views });
}

const notes = {
  Answer: { message: 'Support has answered', category: 'success' },
  Question: { message: 'Support asks you something', category: 'warning' },
  Reply: { message: 'Somebody wrote on your ticket', category: 'info' },
  Reopened: { message: 'Your ticket was reopened', category: 'info' },
  Closed: { message: 'Your ticket was closed', category: 'info' },
} as const;

/** Tells the author by notification and mail, unless it was the author who wrote. */
async function tellAuthor(
  { trx, caller, now }: Acting,
  ticket: Ticket,
  kind: keyof typeof notes,
  content: string,
): Promise<void> {
  const { account_id, customer_id } = ticket;
  if (account_id === null || account_id === caller?.accountId) return;
  const author = await trx
    .selectFrom('accounts as a')
    .leftJoin('notification_ways as w', join =>
      join.onRef('w.account_id', '=', 'a.id').on('w.category', '=', notes[kind].category),
    )
    .select(['a.email', 'a.display_name as name', 'a.enabled', 'w.mail'])
    .select(
      sql<number | null>`(select organisation_id from customers where id = ${customer_id}::uuid)`.as('organisation'),
    )
    .where('a.id', '=', account_id)
    .executeTakeFirst();
  if (!author?.enabled) return;
  const { message, category } = notes[kind];
  const title = `${ticket.id}: ${ticket.subject}`;
  const note = { message, category, content: title, service_name: supportName, ticket_id: ticket.id };
  await notify(trx, [account_id], { ...note, organisation_id: author.organisation }, now);
  // An account that has notifications of the kind mailed has one already.
  if (author.mail) return;
  const page = await tellPage(trx, `/support/ticket-detail/${ticket.id}`);
  const body = [`Hello ${author.name},`, `${message}, ticket ${title}.`, content, `Read and reply${page}`];
  const mail = { recipient: author.email, subject: `Ticket ${title}`, body: body.filter(Boolean).join('\n\n') };
  await putMail(trx, mail, now);
}

/** Writes on a ticket. @returns the id of the message */
async function write(
  acting: Acting,
  ticket: Ticket,
  kind: MessageKind,
  content: string,
  status: TicketState,
): Promise<number> {
  const { trx, caller, now } = acting;
  const author = caller?.displayName ?? supportName;
  const { id: messageId } = await trx
    .insertInto('ticket_messages')
    .values({ ticket_id: ticket.id, at: now, account_id: caller?.accountId ?? null, author, kind, content })
    .returning('id')
    .executeTakeFirstOrThrow();
  const closed = status === 'Closed' ? now : null;
  await trx.updateTable('tickets').set({ status, closed, updated: now }).where('id', '=', ticket.id).execute();
  await hintTickets(trx, ticket);
  if (kind !== 'Opened') await tellAuthor(acting, ticket, kind, content);
  return messageId;
}

/** `seen`: how many messages its author had seen. */
type Reply = { readonly content: string; readonly seen?: number | undefined };

/**
 * Adds a reply of one of the ticket's people, in a transaction that holds it. It waits for support again; a closed one is
 * reopened.
 * @returns the state, how many messages others wrote meanwhile that the author of this had not seen, and who wrote the last
 * @throws {CloudError} 409 for one that was closed too long ago, and for who has written too much
 */
export async function replyToTicket(
  acting: Acting & { readonly caller: Caller },
  ticket: Ticket,
  { content, seen }: Reply,
) {
  const { trx, caller, now } = acting;
  const isClosed = ticket.status === 'Closed';
  if (isClosed && !mayReopen(ticket.closed, now)) throw refuseConflict('TicketClosed', { Days: String(reopenDays) });
  await refuseManyMessages(acting);
  const since =
    seen === undefined
      ? []
      : await trx
          .selectFrom('ticket_messages')
          .select(['author', 'account_id'])
          .where('ticket_id', '=', ticket.id)
          .orderBy('id')
          .offset(seen)
          .limit(1000)
          .execute();
  const crossed = since.filter(({ account_id }) => account_id !== caller.accountId);
  const messageId = await write(acting, ticket, isClosed ? 'Reopened' : 'Reply', content, 'Open');
  await sendWaiting(trx, caller, { ticketId: ticket.id, messageId });
  if (isClosed) await recordTicket(acting, ticket, 'Ticket reopened');
  return { Status: 'Open' as const, Crossed: crossed.length, CrossedBy: crossed.at(-1)?.author ?? null };
}

/** Messages that an account may write in 24 hours. */
export const mostMessages = 300;

/** @throws {CloudError} 409 for an account that has written as much as it may */
async function refuseManyMessages({ trx, caller, now }: Acting & { readonly caller: Caller }): Promise<void> {
  const { written } = await trx
    .selectFrom('ticket_messages')
    .select(sql<number>`count(*)::int`.as('written'))
    .where('account_id', '=', caller.accountId)
    .where('at', '>', new Date(now.getTime() - 86_400_000))
    .executeTakeFirstOrThrow();
  if (written >= mostMessages) throw refuseConflict('TicketMessagesOften', { Most: String(mostMessages) });
}

/** Answers for support, in a transaction that holds the ticket; as a question it waits for the ticket's people. */
export async function answerTicket(
  acting: Omit<Acting, 'caller'>,
  ticket: Ticket,
  content: string,
  kind: 'Answer' | 'Question',
): Promise<void> {
  if (ticket.status === 'Closed') throw refuseConflict('TicketEnded');
  await write(acting, ticket, kind, content, kind === 'Answer' ? 'Answered' : 'Waiting');
}

/**
 * Closes a ticket, in a transaction that holds it.
 * @throws {CloudError} 409 for one that is closed
 */
export async function closeTicket(acting: Acting, ticket: Ticket): Promise<void> {
  if (ticket.status === 'Closed') throw refuseConflict('TicketEnded');
  await write(acting, ticket, 'Closed', '', 'Closed');
  await recordTicket(acting, ticket, 'Ticket closed');
}
