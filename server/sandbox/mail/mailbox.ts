import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { invalid, notFound } from '../http/errors.ts';
import { boolean, list, object, partial, string } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Database, Write } from '../tables.ts';
import { primaryOf } from './addresses.ts';

/** Addresses that one call may name. */
const mostAddresses = 20_000;
/** Room for that many. */
export const roomyBody = 2 * 1024 ** 2;

const entry = partial({ EmailAddress: { type: 'string', maxLength: 254 }, IsSelected: boolean }, 'EmailAddress');
/** Entries of a list as they are written. */
export const given = { ...list(entry), maxItems: mostAddresses } as const;
/** As they are read. */
export const entries = list(object({ EmailAddress: string }));

export type Mailbox = {
  readonly id: number;
  readonly customerId: string;
  /** Whose it is; null of one that several share, and of a room. */
  readonly userId: number | null;
  readonly address: string;
};

/**
 * Finds a mailbox of a customer by one of its addresses.
 * @throws {CloudError} 404 when the caller does not see the customer, or it has no such mailbox
 */
export async function findMailbox(db: Database, caller: Caller, key: string, address: string): Promise<Mailbox> {
  const customerId = await customerIdOf(db, caller, key);
  return await db
    .selectFrom('mailboxes as m')
    .innerJoin('mail_addresses as named', 'named.mailbox_id', 'm.id')
    .where('m.customer_id', '=', customerId)
    .where(sql`lower(named.address)`, '=', address.toLowerCase())
    .select(['m.id', 'm.customer_id as customerId', 'm.user_id as userId', primaryOf(sql`m.id`).as('address')])
    .executeTakeFirstOrThrow(notFound);
}

/**
 * Reads a mailbox: the address that it writes from, whose it is, its size and how much is used.
 * @throws {CloudError} 404 as `findMailbox`
 */
export async function readMailbox(db: Database, caller: Caller, key: string, address: string) {
  const { id } = await findMailbox(db, caller, key, address);
  return await db
    .selectFrom('mailboxes as m')
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .where('m.id', '=', id)
    .select([
      primaryOf(sql`m.id`).as('Address'),
      'm.user_id as UserId',
      sql<string>`coalesce(u.display_name, m.name)`.as('Name'),
    ])
    .select(['m.quota_mb as QuotaMb', 'm.used_mb as UsedMb'])
    .executeTakeFirstOrThrow(notFound);
}

/** The users whose activity tells what is done to a mailbox. */
export const usersOf = ({ userId }: Pick<Mailbox, 'userId'>): number[] => (userId === null ? [] : [userId]);

export type Writing = { readonly trx: Write; readonly caller: Caller; readonly now: Date };

/** Records a change of a mailbox or of a group's addresses and tells open pages. */
export async function tellOfMailbox(
  { trx, caller, now }: Writing,
  mailbox: Pick<Mailbox, 'customerId' | 'userId' | 'address'>,
  told: Readonly<Record<string, string>>,
) {
  const { action = '', ...more } = told;
  const event = { action, target: mailbox.address, ...more, users: usersOf(mailbox) };
  await recordActivity(trx, mailbox.customerId, caller, now, event);
  await tellPages(trx, caller, mailbox.customerId);
}

/** Tells open pages that something of a customer's mail has changed. */
export async function tellPages(trx: Write, { resellerId: reseller }: Caller, customer: string): Promise<void> {
  const { organisation_id } = await trx
    .selectFrom('customers')
    .select('organisation_id')
    .where('id', '=', customer)
    .executeTakeFirstOrThrow();
  await sendHint(trx, { reseller, customer }, { kind: 'service-changed', organisationId: String(organisation_id) });
}

/**
 * Gives the addresses in lower case.
 * @throws {CloudError} 400 at `field` when one is named twice
 */
export function requireDistinct(field: string, named: readonly string[]): string[] {
  const all = named.map(address => address.toLowerCase());
  const once = new Set(all);
  if (once.size < all.length) throw invalid({ [field]: ['Each address can be named once only.'] });
  return all;
}

const most = 10;

/** Writes the first addresses and the number of the others: "a@b.test, c@d.test and 4,998 more". */
export function summariseAddresses(all: readonly string[]): string {
  const told = all.slice(0, most).join(', ');
  return all.length > most ? `${told} and ${(all.length - most).toLocaleString('en-GB')} more` : told;
}
