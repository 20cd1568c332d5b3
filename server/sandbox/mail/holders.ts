import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import type { Database } from '../tables.ts';

/** A mailbox or a distribution group: what has addresses of the customer's own domains. */
export type AddressHolder = {
  readonly id: number;
  /** The column of an address that names it. */
  readonly column: 'mailbox_id' | 'group_id';
  readonly customerId: string;
  /** Whose mailbox it is; null of one that several share, of a room and of a group. */
  readonly userId: number | null;
  /** The primary address. */
  readonly address: string;
};

/**
 * Finds what has an address at a customer.
 * @throws {CloudError} 404 when the caller does not see the customer, or nothing there has the address
 */
export async function findAddressHolder(
  db: Database,
  caller: Caller,
  key: string,
  address: string,
): Promise<AddressHolder> {
  const customerId = await customerIdOf(db, caller, key);
  const { rows } = await sql<{
    mailbox_id: number | null;
    group_id: number | null;
    userId: number | null;
    address: string;
  }>`
    select a.mailbox_id, a.group_id, m.user_id as "userId", p.address from mail_addresses a
    join mail_addresses p on p.is_primary and (p.mailbox_id = a.mailbox_id or p.group_id = a.group_id)
    left join mailboxes m on m.id = a.mailbox_id
    where a.customer_id = ${customerId} and lower(a.address) = lower(${address})`.execute(db);
  const [found] = rows;
  if (!found) throw notFound();
  const column = found.mailbox_id === null ? 'group_id' : 'mailbox_id';
  return { id: found[column]!, column, customerId, userId: found.userId, address: found.address };
}
