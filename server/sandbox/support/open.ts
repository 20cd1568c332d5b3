import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { Database } from '../tables.ts';
import { type Acting, hintTickets, recordTicket } from './change.ts';
import { sendWaiting } from './files.ts';
import type { Priority } from './tables.ts';
import type { Context } from './ticket-context.ts';

/** Contents of a new ticket; '' stands for nothing. */
export type NewTicket = {
  readonly Subject: string;
  readonly Description: string;
  readonly Priority: Priority;
  readonly OrganisationId: string;
  readonly UserId: string;
  readonly Product: string;
  readonly Phone?: string;
  /** Says which of the caller's waiting files go along: see `originOf`. */
  readonly origin: string;
};

/** Finds a user of a customer. @throws {CloudError} 404 for none of this customer */
async function userOf(db: Database, customerId: string | null, key: string): Promise<number | null> {
  if (key === '') return null;
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', idOf(key))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow(notFound);
  return id;
}

/**
 * Opens a ticket of the caller about one of the customers that it sees, or itself, with the first message.
 * @returns its id
 * @throws {CloudError} 404 for a customer that the caller does not see, or a user of another
 */
export async function openTicket(
  acting: Acting & { readonly caller: Caller },
  asked: NewTicket,
  context: Context,
): Promise<number> {
  const { trx, caller, now } = acting;
  // People of a customer write about their own organisation.
  const key = caller.customerId ?? (asked.OrganisationId || context.OrganisationId || '');
  const customer_id = key === '' ? null : await customerIdOf(trx, caller, key);
  const ticket = {
    reseller_id: caller.resellerId,
    customer_id,
    user_id: await userOf(trx, customer_id, asked.UserId || context.UserId || ''),
    account_id: caller.accountId,
    author: caller.displayName,
    author_customer_id: caller.customerId,
    product: asked.Product || context.Product,
    subject: asked.Subject.trim(),
    priority: asked.Priority,
    screen: context.Screen,
    reference: context.Reference,
    failure: context.Failure,
    phone: asked.Phone ?? '',
  };
  const { id } = await trx
    .insertInto('tickets')
    .values({ ...ticket, status: 'Open', created: now, updated: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const message = { ticket_id: id, at: now, account_id: caller.accountId, author: caller.displayName };
  const { id: messageId } = await trx
    .insertInto('ticket_messages')
    .values({ ...message, kind: 'Opened', content: asked.Description.trim() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sendWaiting(trx, caller, { ticketId: id, messageId }, asked.origin);
  await hintTickets(trx, ticket);
  await recordTicket(acting, { id, ...ticket }, 'Ticket opened');
  return id;
}

/** Tickets that an account may open in 24 hours. */
export const mostInADay = 100;

/** Counts the tickets that an account has opened in the last 24 hours. */
export async function countOpened(db: Database, { accountId }: Caller, now: Date): Promise<number> {
  const { opened } = await db
    .selectFrom('tickets')
    .select(sql<number>`count(*)::int`.as('opened'))
    .where('account_id', '=', accountId)
    .where('created', '>', new Date(now.getTime() - 86_400_000))
    .executeTakeFirstOrThrow();
  return opened;
}
