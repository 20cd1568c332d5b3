import { sql } from 'kysely';
import { hasHidden } from '../../../shared/rules/hidden-characters.ts';
import { permission } from '../auth/needs.ts';
import { asConflict } from '../http/errors.ts';
import { isDomain, isEmail, isPhone } from '../http/formats.ts';
import { id, orNull } from '../http/schema.ts';
import { type FileRow, type Import, RowRefused } from '../imports/declaration.ts';
import { ofReseller } from '../resource/owners.ts';
import type { Database } from '../tables.ts';
import { checkDeletion, removeCustomer } from './delete.ts';
import { normaliseName, validateCustomerName } from './name.ts';
import type { ImportedCustomer } from './tables.ts';
import { createCustomer } from './write.ts';

/** Why a row is not carried out. */
const reasons = [
  ...['ColumnsWrong', 'NameMissing', 'NameWrong', 'NameTwice', 'NameTaken', 'DomainMissing', 'DomainWrong'],
  ...['ContactMissing', 'ContactTooLong', 'ContactWrong', 'EmailMissing', 'EmailWrong', 'PhoneWrong'],
  ...['Unavailable', 'HasUsers', 'HasServices'],
] as const;
type Reason = (typeof reasons)[number];

const longestContact = 100;

/** A domain that begins so fails once, so that trying again can be tried (README). */
const failsOnce = (domain: string): boolean => domain.startsWith('fail-once');

/** The organisation of the customer that a row has made; null once it is deleted. */
const organisation = () => sql`(select organisation_id from customers c where c.id = customer_import_rows.customer_id)`;

/** The import of a reseller's customers. */
export const customerImport: Import<ImportedCustomer> = {
  nouns: 'customers',
  tag: 'customers',
  path: '/api/customer-imports',
  needs: permission('addOrEditCustomers'),
  owner: ofReseller,
  tables: { imports: 'customer_imports', rows: 'customer_import_rows', made: 'customer_id' },
  file: [
    { head: 'Customer name', name: 'name', isNeeded: true, letters: ['customername', 'name', 'customer', 'company'] },
    { head: 'Domain', name: 'domain', isNeeded: true, letters: ['domain', 'maindomain'] },
    { head: 'Contact name', name: 'contact', isNeeded: true, letters: ['contactname', 'contact'] },
    { head: 'Contact email', name: 'email', isNeeded: true, letters: ['contactemail', 'email', 'emailaddress'] },
    { head: 'Phone', name: 'phone', letters: ['phone', 'phonenumber'] },
  ],
  example: [
    ['Byron Engines Ltd', 'byron-engines.example.com', 'Ada Byron', 'ada@byron-engines.example.com', '01134960101'],
    ['Babbage & Sons', 'babbage.example.com', 'Charles Babbage', 'charles@babbage.example.com', ''],
  ],
  reasons,
  fields: [
    { name: 'Name', sorts: true, searched: true },
    { name: 'Domain', sorts: true, searched: true },
    { name: 'ContactName' },
    { name: 'ContactEmail' },
    { name: 'Phone' },
    { name: 'OrganisationId', column: organisation, shape: orNull(id) },
  ],
  read: value => ({
    name: normaliseName(value('name')),
    domain: value('domain').toLowerCase(),
    contact_name: value('contact'),
    contact_email: value('email'),
    phone: value('phone'),
  }),
  async check({ db, caller }, rows) {
    const names = rows.map(({ name }) => name);
    const known = await keysOfNames(db, names);
    const taken = await takenAmong(db, caller.resellerId, names);
    const before = new Set<string>();
    return rows.map(row => {
      const fault = faultOf(row);
      if (fault !== undefined) return fault;
      const key = known.get(row.name)!;
      if (taken.has(key)) return 'NameTaken';
      if (before.has(key)) return 'NameTwice';
      before.add(key);
      return undefined;
    });
  },
  async create({ trx, caller, now }, row) {
    if (row.status === 'Ready' && failsOnce(row.domain)) throw new RowRefused('Unavailable');
    const { name: Name, domain: Domain, contact_name: ContactName, contact_email: ContactEmail, phone: Phone } = row;
    const made = await createCustomer(trx, caller, { Name, Domain, ContactName, ContactEmail, Phone }, now);
    return made.customerId;
  },
  // Those that have users, services or orders since stay.
  async undo({ trx, caller, now }, made) {
    const { Users, CanDelete } = await checkDeletion(trx, caller, String(made), now);
    if (!CanDelete) throw new RowRefused('HasServices');
    if (Users > 0) throw new RowRefused('HasUsers');
    await removeCustomer(trx, caller, String(made), now);
  },
  reasonOf: (error): Reason | undefined => (asConflict(error) === undefined ? undefined : 'NameTaken'),
};

/** Finds the faults of a row that can be told without looking at any other. */
function faultOf(row: FileRow<ImportedCustomer>): Reason | undefined {
  const { name, domain, contact_name: contact, contact_email: email, phone, isWhole } = row;
  if (!isWhole) return 'ColumnsWrong';
  if (name === '') return 'NameMissing';
  if (validateCustomerName(name) !== undefined) return 'NameWrong';
  if (domain === '') return 'DomainMissing';
  if (!isDomain(domain)) return 'DomainWrong';
  if (contact === '') return 'ContactMissing';
  if (contact.length > longestContact) return 'ContactTooLong';
  if (hasHidden(contact)) return 'ContactWrong';
  if (email === '') return 'EmailMissing';
  if (!isEmail(email)) return 'EmailWrong';
  return isPhone(phone) ? undefined : 'PhoneWrong';
}

const inOneCase = sql<string>`lower(t.name collate "und-x-icu")`;

/** Names by the key that the table tells them apart by: the database's own small letters. */
async function keysOfNames(db: Database, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ readonly name: string; readonly key: string }>`
    select t.name, ${inOneCase} as key from unnest(${[...names]}::text[]) as t(name)`.execute(db);
  return new Map(rows.map(({ name, key }) => [name, key]));
}

/** The keys of those names that a customer of the reseller has, be it one that the caller does not see. */
async function takenAmong(db: Database, resellerId: number, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly key: string }>`
    select lower(c.name) as key from customer_names c
    where c.reseller_id = ${resellerId}
      and lower(c.name) in (select ${inOneCase} from unnest(${[...names]}::text[]) as t(name))`.execute(db);
  return new Set(rows.map(({ key }) => key));
}
