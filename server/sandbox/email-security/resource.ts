import { type Selectable, sql } from 'kysely';
import { view } from '../auth/needs.ts';
import { readDomainName } from '../domains/names.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { boolean, date, id, integer, string, text } from '../http/schema.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofCustomer } from '../resource/owners.ts';
import { findRow } from '../resource/rows.ts';
import type { Database, Tables } from '../tables.ts';
import { type Entry, readEntry } from './list-entry.ts';
import { archiveLevels, entryKinds, type ListName, spamLevelNames, virusNotifications } from './tables.ts';

export type SecurityDomain = Selectable<Tables['security_domains']>;
export type SecurityEntry = Selectable<Tables['security_entries']>;

/** Entries that one list of a domain has at most. */
export const mostEntries = 10_000;

const count = (list: ListName) => () =>
  sql`(select count(*) from security_entries e
  where e.security_domain_id = security_domains.id and e.list = ${sql.lit(list)})`;

/** Domains of a customer whose mail is filtered. */
export const securityDomains: Resource<SecurityDomain> = {
  noun: 'filtered domain',
  tag: 'email security',
  table: 'security_domains',
  path: '/api/customers/:customerId/email-security/domains',
  key: 'filteredId',
  owner: ofCustomer,
  title: 'Name',
  fields: [
    { name: 'DomainId', column: 'id', shape: id },
    { name: 'Name', rule: text(253), sorts: true, searched: true },
    { name: 'SpamLevel', shape: { ...string, enum: spamLevelNames }, sorts: true },
    { name: 'ArchiveLevel', shape: { ...string, enum: archiveLevels } },
    { name: 'VirusNotification', shape: { ...string, enum: virusNotifications }, only: 'details' },
    { name: 'InboundHost', only: 'details' },
    { name: 'JournalAddress', only: 'details' },
    { name: 'Backscatter', shape: boolean, only: 'details' },
    { name: 'Allowed', column: count('White'), shape: integer },
    { name: 'Blocked', column: count('Black'), shape: integer },
    { name: 'Archived', column: count('Archive'), shape: integer },
    { name: 'Created', shape: date, sorts: true, made: now => now },
  ],
  list: { needs: view('customers'), sort: 'Name', largestPage: 100 },
  read: { needs: view('customers') },
  create: {
    needs: view('customerUsers'),
    takes: ['Name'],
    action: 'Email security switched on',
    async before({ trx, body, owned }) {
      const ascii = readDomainName(String(body.Name))?.ascii ?? '';
      const found = await trx
        .selectFrom('organisation_domains as d')
        .leftJoin('security_domains as s', 's.id', 'd.id')
        .where('d.customer_id', '=', String(owned.customer_id))
        .where('d.ascii', '=', ascii)
        .select(['d.id', 'd.name', 's.id as filtered'])
        .executeTakeFirst();
      if (!found) throw refuseField('Name', 'SecurityDomainForeign');
      if (found.filtered !== null) throw refuseField('Name', 'SecurityDomainHeld');
      return { id: found.id, name: found.name };
    },
  },
  remove: { needs: view('customerUsers'), action: 'Email security switched off' },
};

/** Addresses of the lists of a domain. */
export const listPaths = { White: 'whitelist', Black: 'blacklist', Archive: 'archive-rules' } as const;
const added = { White: 'Allowed sender added', Black: 'Blocked sender added', Archive: 'Archive rule added' } as const;

/** A list of a domain: who wrote which entry, and why. */
const entriesOf = (list: ListName): Resource<SecurityEntry> => ({
  noun: 'entry',
  tag: 'email security',
  table: 'security_entries',
  path: `${securityDomains.path}/:filteredId/${listPaths[list]}`,
  key: 'entryId',
  owner: {
    async of(db, caller, path) {
      const { id, customer_id } = await findRow(db, securityDomains, caller, path);
      return { security_domain_id: id, customer_id, list };
    },
    seeded: async () => undefined,
  },
  title: 'Address',
  fields: [
    { name: 'EntryId', column: 'id', shape: id },
    { name: 'Address', rule: text(320), sorts: true, searched: true },
    { name: 'Kind', shape: { ...string, enum: entryKinds } },
    { name: 'Note', rule: text(200), searched: true },
    { name: 'Author', sorts: true, searched: true, made: (_, caller) => caller?.displayName ?? 'Cloud' },
    { name: 'Created', shape: date, sorts: true, made: now => now },
  ],
  list: { needs: view('customers'), sort: 'Address', largestPage: 100 },
  create: {
    needs: view('customerUsers'),
    takes: ['Address', 'Note?'],
    action: added[list],
    async before({ trx, body, owned }) {
      const entry = readEntry(String(body.Address));
      if (typeof entry === 'string') throw refuseField('Address', entry);
      const { security_domain_id } = owned as Pick<SecurityEntry, 'security_domain_id'>;
      const held = await trx
        .selectFrom('security_entries')
        .select('author')
        .where('security_domain_id', '=', security_domain_id)
        .where('list', '=', list)
        .where('address', '=', entry.address)
        .executeTakeFirst();
      if (held) throw refuseField('Address', 'EntryHeld', { By: held.author });
      if ((await countEntries(trx, security_domain_id, list)) >= mostEntries)
        throw refuseConflict('EntriesFull', { Most: mostEntries.toLocaleString('en-GB') });
      return columnsOf(entry);
    },
  },
});

/** What is stored of an entry. */
export const columnsOf = ({ kind, address, range }: Entry) => ({
  ...{ kind, address, version: range?.version ?? null },
  ...{ low: range ? `${range.from}` : null, high: range ? `${range.to}` : null },
});

export const securityLists = {
  White: entriesOf('White'),
  Black: entriesOf('Black'),
  Archive: entriesOf('Archive'),
} as const satisfies Record<ListName, Resource<SecurityEntry>>;

export async function countEntries(db: Database, domainId: number, list: ListName): Promise<number> {
  const { all } = await db
    .selectFrom('security_entries')
    .where('security_domain_id', '=', domainId)
    .where('list', '=', list)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  return Number(all);
}
