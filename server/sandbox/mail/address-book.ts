import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { differences, isSame, type State } from '../customers/activity.ts';
import { notFound } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import { filled, object, partial, phone, string, text } from '../http/schema.ts';
import type { Database } from '../tables.ts';
import { primaryOf } from './addresses.ts';
import { findMailbox, tellOfMailbox } from './mailbox.ts';

/** Document 2, section 3: what an address book says of a mailbox, with what the activity calls it. */
const labels = {
  FirstName: 'First name',
  Initial: 'Initial',
  LastName: 'Last name',
  DisplayName: 'Display name',
  Company: 'Company',
  Title: 'Title',
  Department: 'Department',
  StreetAddress: 'Street address',
  City: 'City',
  StateOrProvince: 'State or province',
  PostalCode: 'Postal code',
  Phone: 'Phone',
  MobilePhone: 'Mobile phone',
  Fax: 'Fax',
} as const;
type Field = keyof typeof labels;
const names = Object.keys(labels) as Field[];
export type AddressBook = Readonly<Record<Field, string>>;

const every = <S>(shape: S) => Object.fromEntries(names.map(name => [name, shape])) as Record<Field, S>;

export const addressBook = object({ ...every(string), Version: string });
/** As it is written; what is left out is empty afterwards. */
export const addressBookModel = partial(
  {
    FirstName: text(64),
    Initial: text(6),
    LastName: text(64),
    DisplayName: filled(256),
    Company: text(64),
    Title: text(128),
    Department: text(64),
    StreetAddress: text(1024),
    City: text(128),
    StateOrProvince: text(128),
    PostalCode: text(40),
    Phone: phone,
    MobilePhone: phone,
    Fax: phone,
    Version: text(100),
  },
  'DisplayName',
);

/** An address book before somebody edits it: from the user and the customer. */
const initial = sql`jsonb_build_object('FirstName', u.first_name, 'LastName', u.last_name,
  'DisplayName', coalesce(u.display_name, ${primaryOf(sql`m.id`)}), 'Company', c.name, 'Title', u.job_title,
  'Phone', u.phone)`;

const versionOf = (book: AddressBook): string =>
  createHash('sha256').update(JSON.stringify(book)).digest('base64url').slice(0, 16);

/** Reads what the address book says of a mailbox, with what a change is checked by. */
export async function readAddressBookVersion(db: Database, mailbox: { readonly id: number }) {
  const book = await readAddressBook(db, mailbox);
  return { ...book, Version: versionOf(book) };
}

/** Reads what the address book says of a mailbox. */
async function readAddressBook(db: Database, { id }: { readonly id: number }): Promise<AddressBook> {
  const { book } = await db
    .selectFrom('mailboxes as m')
    .innerJoin('customers as c', 'c.id', 'm.customer_id')
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .where('m.id', '=', id)
    .select(sql<Partial<Record<Field, string | null>>>`coalesce(m.address_book, ${initial})`.as('book'))
    .executeTakeFirstOrThrow(notFound);
  return Object.fromEntries(names.map(name => [name, book[name] ?? ''])) as AddressBook;
}

const inWords = (book: AddressBook): State =>
  Object.fromEntries(names.flatMap(name => (book[name] === '' ? [] : [[labels[name], book[name]]])));

/**
 * Replaces what the address book says of a mailbox, records what differs and tells open pages.
 * @throws {CloudError} 404 as `findMailbox`; 409 where somebody has changed it since `Version` was read
 */
export async function changeAddressBook(
  db: Database,
  caller: Caller,
  at: { readonly customerId: string; readonly mailbox: string },
  { Version, ...body }: Partial<AddressBook> & { readonly Version?: string },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const mailbox = await findMailbox(trx, caller, at.customerId, at.mailbox);
    await trx.selectFrom('mailboxes').select('id').where('id', '=', mailbox.id).forUpdate().execute();
    const before = await readAddressBook(trx, mailbox);
    if (Version !== undefined && Version !== versionOf(before))
      throw refuseConflict('AddressBookChanged', { Mailbox: mailbox.address });
    const after = Object.fromEntries(names.map(name => [name, (body[name] ?? '').trim()])) as AddressBook;
    const told = differences(inWords(before), inWords(after));
    if (isSame(told)) return;
    const address_book = JSON.stringify(after);
    await trx.updateTable('mailboxes').set({ address_book }).where('id', '=', mailbox.id).execute();
    await tellOfMailbox({ trx, caller, now }, mailbox, { action: 'Address book changed', ...told });
  });
}
