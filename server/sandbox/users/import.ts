import { sql } from 'kysely';
import { hasHidden } from '../../../shared/rules/hidden-characters.ts';
import type { Caller } from '../auth/caller.ts';
import { managesUsers } from '../auth/needs.ts';
import { asConflict, CloudError } from '../http/errors.ts';
import { isEmail, isPhone } from '../http/formats.ts';
import { orNull, string } from '../http/schema.ts';
import { type FileRow, type Import, RowRefused } from '../imports/declaration.ts';
import { lettersOf } from '../imports/file.ts';
import { joinGroups } from '../mail/group-members.ts';
import { withoutRowType } from '../resource/declaration.ts';
import { ofCustomer } from '../resource/owners.ts';
import { writeRow } from '../resource/rows.ts';
import { holdOwnReseller } from '../roles/change.ts';
import type { Database } from '../tables.ts';
import { isOfDomain, readDomain } from './accounts.ts';
import { users } from './resource.ts';
import type { ImportedUser, UserRow } from './tables.ts';

/** Why a row is not carried out. */
const reasons = [
  ...['ColumnsWrong', 'FirstNameMissing', 'LastNameMissing', 'NameTooLong', 'NameWrong', 'EmailMissing', 'EmailWrong'],
  ...['DomainUnknown', 'EmailTwice', 'EmailTaken', 'PhoneWrong', 'RoleUnknown', 'RoleNotPermitted', 'RoleWaits'],
  ...['GroupUnknown'],
  ...['Unavailable', 'SignedIn', 'HasServices'],
] as const;
type Reason = (typeof reasons)[number];

const longestName = 50;
/** As Google, Entra and Microsoft 365 call the address as well. */
const emailHeads = ['email', 'emailaddress', 'username', 'userprincipalname'];
const roles: Readonly<Record<string, ImportedUser['type']>> = {
  ...{ '': 'endUser', user: 'endUser', enduser: 'endUser' },
  ...{ administrator: 'endUserAdmin', customeradministrator: 'endUserAdmin', enduseradmin: 'endUserAdmin' },
};

/** An address that begins so fails once, so that trying again can be tried (README). */
const failsOnce = (email: string): boolean => email.startsWith('fail-once');

/** The names of a row that no group has, where it is not carried out because of them. */
const unknownGroups = () => sql`case when reason = 'GroupUnknown' then (
  select string_agg(given, '; ') from unnest(groups) given where lower(given) not in (
    select lower(g.name) from distribution_groups g join user_imports f on f.customer_id = g.customer_id
    where f.id = import_id)) end`;

/** The import of a customer's users. */
export const userImport: Import<ImportedUser> = {
  nouns: 'users',
  tag: 'users',
  path: '/api/customers/:customerId/user-imports',
  needs: managesUsers,
  owner: ofCustomer,
  tables: { imports: 'user_imports', rows: 'user_import_rows', made: 'user_id' },
  file: [
    { head: 'First name', name: 'first', isNeeded: true, letters: ['firstname', 'givenname', 'forename'] },
    { head: 'Last name', name: 'last', isNeeded: true, letters: ['lastname', 'surname', 'familyname'] },
    { head: 'Email address', name: 'email', isNeeded: true, letters: emailHeads },
    { head: 'Role', name: 'role', letters: ['role', 'type'] },
    { head: 'Phone', name: 'phone', letters: ['phone', 'phonenumber', 'mobilephone', 'mobile'] },
    { head: 'Groups', name: 'groups', letters: ['groups', 'group', 'distributiongroups', 'memberof'] },
  ],
  example: [
    ['Ada', 'Byron', 'ada.byron@example.com', 'User', '01134960101', 'Sales; Everybody'],
    ['Charles', 'Babbage', 'charles.babbage@example.com', 'Administrator', '01134960102', ''],
  ],
  reasons,
  fields: [
    { name: 'DisplayName', column: () => sql`trim(first_name || ' ' || last_name)`, sorts: true, searched: true },
    { name: 'Email', sorts: true, searched: true },
    { name: 'Phone' },
    { name: 'Type', shape: orNull(string) },
    { name: 'Groups', column: () => sql`array_to_string(groups, '; ')` },
    { name: 'UnknownGroups', column: unknownGroups, shape: orNull(string) },
  ],
  read: value => ({
    first_name: value('first'),
    last_name: value('last'),
    email: value('email').toLowerCase(),
    phone: value('phone'),
    type: roles[lettersOf(value('role'))] ?? null,
    groups: splitGroups(value('groups')),
  }),
  async check({ db, caller, owned }, rows) {
    const domain = await readDomain(db, owned);
    const addresses = rows.map(({ email }) => email);
    const taken = await takenAmong(db, addresses);
    const groups = await readGroupNames(db, String(owned.customer_id));
    const before = new Set<string>();
    return rows.map(row => {
      const fault = faultOf(row, domain, caller);
      if (fault !== undefined) return fault;
      if (row.groups.some(name => !groups.has(name.toLowerCase()))) return 'GroupUnknown';
      if (taken.has(row.email)) return 'EmailTaken';
      if (before.has(row.email)) return 'EmailTwice';
      before.add(row.email);
      return undefined;
    });
  },
  async create({ path, ...writing }, row) {
    const { email: Email, first_name: FirstName, last_name: LastName, phone: Phone, type: Type, groups } = row;
    if (row.status === 'Ready' && failsOnce(Email)) throw new RowRefused('Unavailable');
    const body = { FirstName, LastName, Email, Phone, Type };
    const user = await writeRow(withoutRowType(users), 'create', { ...writing, body }, path);
    // They may have gone since the file was checked.
    if (!(await joinGroups(writing.trx, user as UserRow, groups))) throw new RowRefused('GroupUnknown');
    return Number(user.id);
  },
  // Those who have signed in or hold services since stay.
  async undo({ path, ...writing }, made) {
    const id = Number(made);
    await holdOwnReseller(writing);
    const user = await writing.trx
      .selectFrom('users')
      .select('last_sign_in')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (user.last_sign_in !== null) throw new RowRefused('SignedIn');
    const services = writing.trx.selectFrom('user_services').select('user_id').where('user_id', '=', id);
    if ((await services.limit(1).execute()).length > 0) throw new RowRefused('HasServices');
    const at = { ...path, userId: String(id) };
    await writeRow(withoutRowType(users), 'remove', { ...writing, body: {} }, at);
  },
  reasonOf(error): Reason | undefined {
    if (asConflict(error) !== undefined) return 'EmailTaken';
    if (!(error instanceof CloudError)) return undefined;
    if (error.refusals.some(({ Code }) => Code === 'AdministratorWaits')) return 'RoleWaits';
    return error.status === 403 ? 'RoleNotPermitted' : undefined;
  },
};

/** Reads the names of groups that a value lists: semicolons or bars stand between them. */
const splitGroups = (value: string): string[] => [
  ...new Set(
    value
      .split(/[;|]/)
      .map(name => name.trim())
      .filter(name => name !== ''),
  ),
];

/** The names of the distribution groups of a customer, in small letters. */
async function readGroupNames(db: Database, customerId: string): Promise<ReadonlySet<string>> {
  const groups = db.selectFrom('distribution_groups').select('name').where('customer_id', '=', customerId);
  return new Set((await groups.execute()).map(({ name }) => name.toLowerCase()));
}

/** Finds the faults of a row that can be told without looking at any other. */
function faultOf(row: FileRow<ImportedUser>, domain: string, caller: Caller): Reason | undefined {
  const { first_name: first, last_name: last, email, phone, type } = row;
  if (!row.isWhole) return 'ColumnsWrong';
  if (first === '') return 'FirstNameMissing';
  if (last === '') return 'LastNameMissing';
  if (first.length > longestName || last.length > longestName) return 'NameTooLong';
  if (hasHidden(first + last)) return 'NameWrong';
  if (email === '') return 'EmailMissing';
  if (!isEmail(email)) return 'EmailWrong';
  if (!isOfDomain(email, domain)) return 'DomainUnknown';
  if (!isPhone(phone)) return 'PhoneWrong';
  if (type === null) return 'RoleUnknown';
  return type === 'endUserAdmin' && !caller.permissions.includes('createCustomerAdmin')
    ? 'RoleNotPermitted'
    : undefined;
}

/** Of some addresses, in small letters, those that a user or an account has. */
async function takenAmong(db: Database, emails: readonly string[]): Promise<ReadonlySet<string>> {
  const found = db
    .selectFrom('users')
    .select(sql<string>`lower(email)`.as('email'))
    .where(sql`lower(email)`, 'in', emails);
  const accounts = db
    .selectFrom('accounts')
    .select(sql<string>`lower(username)`.as('email'))
    .where(sql`lower(username)`, 'in', emails);
  return new Set((await found.union(accounts).execute()).map(({ email }) => email));
}
