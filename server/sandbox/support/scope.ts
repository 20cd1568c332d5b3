import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { anyOf, type Need, permission, view } from '../auth/needs.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { Database } from '../tables.ts';

/** The right that opens the tickets of the whole organisation, where others see their own alone. */
const ofAll = 'submitAndRespondToAllTickets';
export const answersAll: Need = permission(ofAll);
/** The right to write tickets. */
export const writesTickets: Need = anyOf(view('support'), answersAll);

/**
 * SQL over a ticket `t`: those that the caller sees. Its own; with the permission those of its organisation, which are
 * for the reseller's people also those of its customers.
 */
export function ticketsOf({ accountId, customerId, resellerId, permissions }: Caller): RawBuilder<boolean> {
  const within =
    customerId === null ? sql`t.reseller_id = ${resellerId}` : sql`t.author_customer_id = ${customerId}::uuid`;
  return permissions.includes(ofAll) ? sql`${within}` : sql`(${within} and t.account_id = ${accountId})`;
}

/** SQL over a customer `c`: it has this OrganisationId. */
export const hasNumber = (key = ''): RawBuilder<boolean> =>
  /^\d{1,15}$/.test(key) ? sql`c.organisation_id = ${Number(key)}` : sql`false`;

/**
 * Finds a ticket that the caller sees; inside a transaction it is held until the end.
 * @throws {CloudError} 404 for any other
 */
export async function findTicket(db: Database, caller: Caller, key: string) {
  const query = db.selectFrom('tickets as t').selectAll('t').where('t.id', '=', idOf(key)).where(ticketsOf(caller));
  return await (db.isTransaction ? query.forUpdate() : query).executeTakeFirstOrThrow(notFound);
}

export type Ticket = Awaited<ReturnType<typeof findTicket>>;
