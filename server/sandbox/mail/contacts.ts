import { type Selectable, sql } from 'kysely';
import { view } from '../auth/needs.ts';
import { differences, isSame, recordActivity, type State } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { readOwnDomains } from '../domains/own-domains.ts';
import { type refusalData, refuseConflict, refuseField } from '../http/refusals.ts';
import { boolean, date, filled, id, list, object, partial, phone, string, text } from '../http/schema.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofCustomer, type Path } from '../resource/owners.ts';
import { findRow } from '../resource/rows.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { isMailAddress, normaliseAddress } from './address-form.ts';
import { findHolderName } from './aliases.ts';
import { tellPages, type Writing } from './mailbox.ts';

type MailContact = Selectable<Tables['mail_contacts']>;

/** Mail-enabled contacts that an organisation may have. */
const mostContacts = 5000;

const own = sql.ref('mail_contacts.id');
const address = () => sql`(select a.address from mail_addresses a where a.contact_id = ${own})`;
const groupsOf = () => sql`(select coalesce(json_agg(json_build_object('GroupId', g.id::text, 'Name', g.name)
  order by lower(g.name)), '[]') from group_members gm join distribution_groups g on g.id = gm.group_id
  where gm.contact_id = ${own})`;

const forwardedBy = () => sql`(select coalesce(json_agg(json_build_object('EmailAddress', p.address)
  order by lower(p.address)), '[]') from mail_addresses a
  join mail_forwards f on f.customer_id = a.customer_id and lower(f.address) = lower(a.address)
  join mail_addresses p on p.mailbox_id = f.mailbox_id and p.is_primary where a.contact_id = ${own})`;

/** The mail-enabled contacts of a customer: people outside who stand in its address book. */
export const contacts: Resource<MailContact> = {
  noun: 'contact',
  tag: 'mail',
  table: 'mail_contacts',
  path: '/api/customers/:customerId/mail-enabled-contacts',
  key: 'contactId',
  owner: ofCustomer,
  title: 'Name',
  fields: [
    { name: 'ContactId', column: 'id', shape: id },
    { name: 'Name', sorts: true, searched: true },
    { name: 'EmailAddress', column: address, sorts: true, searched: true },
    { name: 'FirstName' },
    { name: 'LastName' },
    { name: 'Company', sorts: true, searched: true },
    { name: 'Phone' },
    { name: 'Hidden', shape: boolean },
    { name: 'Groups', column: groupsOf, shape: list(object({ GroupId: id, Name: string })) },
    { name: 'ForwardedBy', column: forwardedBy, shape: list(object({ EmailAddress: string })), only: 'details' },
    { name: 'Created', shape: date, sorts: true },
  ],
  list: { needs: view('customerUsers'), sort: 'Name', largestPage: 100 },
  read: { needs: view('customerUsers') },
  remove: {
    needs: view('customerUsers'),
    tells: ['Name'],
    action: 'Contact deleted',
    after: ({ trx, caller, row }) => tellPages(trx, caller, row.customer_id),
  },
};

/** A contact as it is written; what is left out is empty afterwards. */
export const contactModel = partial(
  {
    Name: filled(128),
    EmailAddress: text(320),
    FirstName: text(64),
    LastName: text(64),
    Company: text(64),
    Phone: phone,
    Hidden: boolean,
  },
  'Name',
  'EmailAddress',
);
export type ContactBody = {
  readonly Name: string;
  readonly EmailAddress: string;
  readonly FirstName?: string;
  readonly LastName?: string;
  readonly Company?: string;
  readonly Phone?: string;
  readonly Hidden?: boolean;
};

const columnsOf = (body: ContactBody) => ({
  name: body.Name.trim(),
  first_name: (body.FirstName ?? '').trim(),
  last_name: (body.LastName ?? '').trim(),
  company: (body.Company ?? '').trim(),
  phone: (body.Phone ?? '').trim(),
  hidden: body.Hidden ?? false,
});

const inWords = (row: ReturnType<typeof columnsOf>, address: string): State =>
  Object.fromEntries(
    Object.entries({
      Name: row.name,
      'Email address': address,
      'First name': row.first_name,
      'Last name': row.last_name,
      Company: row.company,
      Phone: row.phone,
      'Hidden from the address book': row.hidden ? 'Yes' : '',
    }).filter(([, value]) => value !== ''),
  );

type Refusal = {
  readonly code: keyof typeof refusalData & `Contact${string}`;
  readonly data?: Readonly<Record<string, string>>;
};

/** Reads the address of a contact, or says why it cannot be one; `self` is the address that the contact has. */
async function readAddress(
  trx: Write,
  customerId: string,
  given: string,
  self?: string,
): Promise<{ readonly address: string; readonly refusal?: Refusal }> {
  const address = normaliseAddress(given.trim());
  if (!isMailAddress(address)) return { address, refusal: { code: 'ContactMalformed' } };
  const domain = (await readOwnDomains(trx, customerId)).get(address.slice(address.lastIndexOf('@') + 1));
  if (domain) return { address, refusal: { code: 'ContactOwnDomain', data: { Domain: domain.name } } };
  if (address.toLowerCase() === self?.toLowerCase()) return { address };
  const holder = await findHolderName(trx, address, customerId);
  // What is somebody else's here is outside all the same.
  return holder ? { address, refusal: { code: 'ContactTaken', data: { By: holder } } } : { address };
}

async function refuseFull(db: Database, customerId: string, adding: number): Promise<void> {
  const { all } = await db
    .selectFrom('mail_contacts')
    .where('customer_id', '=', customerId)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  if (Number(all) + adding > mostContacts)
    throw refuseConflict('ContactsFull', { Most: mostContacts.toLocaleString('en-GB') });
}

async function insertContact(trx: Write, customer_id: string, body: ContactBody, address: string, created: Date) {
  const columns = columnsOf(body);
  const { id: contact_id } = await trx
    .insertInto('mail_contacts')
    .values({ customer_id, ...columns, created })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = { customer_id, contact_id, address, is_primary: true, created };
  await trx.insertInto('mail_addresses').values(row).execute();
  return { id: contact_id, columns };
}

/**
 * Adds a contact and records the activity; gives its id.
 * @throws {CloudError} 404 when the caller does not see the customer; 400 for an address that is none, of an own domain or
 * taken; 409 for too many
 */
export async function addContact({ trx, caller, now }: Writing, key: string, body: ContactBody): Promise<number> {
  const customerId = await customerIdOf(trx, caller, key);
  await refuseFull(trx, customerId, 1);
  const { address, refusal } = await readAddress(trx, customerId, body.EmailAddress);
  if (refusal) throw refuseField('EmailAddress', refusal.code, refusal.data as never);
  const { id: made, columns } = await insertContact(trx, customerId, body, address, now);
  const event = { action: 'Contact added', target: columns.name, ...differences({}, inWords(columns, address)) };
  await recordActivity(trx, customerId, caller, now, event);
  await tellPages(trx, caller, customerId);
  return made;
}

/**
 * Replaces what is known of a contact and records the activity.
 * @throws {CloudError} 404 when the caller does not see the contact; 400 as `addContact`
 */
export async function changeContact({ trx, caller, now }: Writing, path: Path, body: ContactBody): Promise<void> {
  const row = await findRow(trx, contacts, caller, path);
  const { address: self } = await trx
    .selectFrom('mail_addresses')
    .where('contact_id', '=', row.id)
    .select('address')
    .executeTakeFirstOrThrow();
  const { address, refusal } = await readAddress(trx, row.customer_id, body.EmailAddress, self);
  if (refusal) throw refuseField('EmailAddress', refusal.code, refusal.data as never);
  const columns = columnsOf(body);
  const told = differences(inWords(row, self), inWords(columns, address));
  if (isSame(told)) return;
  await trx.updateTable('mail_contacts').set(columns).where('id', '=', row.id).execute();
  await trx.updateTable('mail_addresses').set({ address }).where('contact_id', '=', row.id).execute();
  await recordActivity(trx, row.customer_id, caller, now, { action: 'Contact changed', target: row.name, ...told });
  await tellPages(trx, caller, row.customer_id);
}

/** A line is "Ada Byron <ada@example.org>", "Ada Byron; ada@example.org" with a comma or tab as well, or an address. */
function readLine(line: string): ContactBody {
  const [, name = '', address = line] = /^(.*?)[\s,;]*<?([^\s<>,;]+@[^\s<>,;]+)>?[\s,;]*$/.exec(line) ?? [];
  const written = name.replace(/^"|"$/g, '').trim();
  return { Name: written === '' ? address : written, EmailAddress: address };
}

/**
 * Adds the contacts of a list, a contact on each line, all or none. Who is there already is left as it is. Gives how many
 * were added and how many were there.
 * @throws {CloudError} 404 when the caller does not see the customer; 400 with the first line that is wrong
 */
export async function addContacts({ trx, caller, now }: Writing, key: string, typed: string) {
  const customerId = await customerIdOf(trx, caller, key);
  const lines = typed.split(/\r\n|\r|\n/).map((line, index) => ({ number: String(index + 1), line: line.trim() }));
  const given = lines.filter(({ line }) => line !== '').map(one => ({ ...one, body: readLine(one.line) }));
  if (given.length === 0) throw refuseField('Contacts', 'ContactsMissing');
  await refuseFull(trx, customerId, given.length);
  const before = await readContactAddresses(trx, customerId);
  let added = 0;
  for (const { number: Line, body } of given) {
    if (body.Name.length > 128) throw refuseField('Contacts', 'ContactsNameLong', { Line });
    if (before.has(normaliseAddress(body.EmailAddress).toLowerCase())) continue;
    const { address, refusal } = await readAddress(trx, customerId, body.EmailAddress);
    if (refusal) {
      const Address = body.EmailAddress.slice(0, 100);
      if (refusal.code === 'ContactMalformed') throw refuseField('Contacts', 'ContactsMalformed', { Line });
      if (refusal.code === 'ContactOwnDomain') throw refuseField('Contacts', 'ContactsOwnDomain', { Line, Address });
      throw refuseField('Contacts', 'ContactsTaken', { Line, Address, By: refusal.data?.By ?? '' });
    }
    await insertContact(trx, customerId, body, address, now);
    before.add(address.toLowerCase());
    added += 1;
  }
  if (added > 0) {
    const event = { action: 'Contacts added', target: String(added), after: `Added: ${added}` } as const;
    await recordActivity(trx, customerId, caller, now, event);
    await tellPages(trx, caller, customerId);
  }
  return { Added: added, Already: given.length - added };
}

async function readContactAddresses(db: Database, customerId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('mail_addresses')
    .where('customer_id', '=', customerId)
    .where('contact_id', 'is not', null)
    .select(sql<string>`lower(address)`.as('address'))
    .execute();
  return new Set(rows.map(row => row.address));
}
