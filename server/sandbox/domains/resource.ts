import { type RawBuilder, type Selectable, sql } from 'kysely';
import { view } from '../auth/needs.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { boolean, date, id, orNull, string, text } from '../http/schema.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofCustomer } from '../resource/owners.ts';
import type { Database, Tables } from '../tables.ts';
import { readDomainName } from './names.ts';
import { domainStates } from './tables.ts';

export type Domain = Selectable<Tables['organisation_domains']>;

/** Domains that an organisation may have. */
export const mostDomains = 200;

/** True of the domain that the addresses of the customer's users end with; it comes and goes with the customer. */
const isMain = sql<boolean>`exists (select from customers c
  where c.id = organisation_domains.customer_id and lower(c.domain) = organisation_domains.ascii)`;

/** The domains of a customer's organisation. */
export const domains: Resource<Domain> = {
  noun: 'domain',
  tag: 'domains',
  table: 'organisation_domains',
  path: '/api/customers/:customerId/domains',
  key: 'domainId',
  owner: ofCustomer,
  title: 'Name',
  fields: [
    { name: 'DomainId', column: 'id', shape: id },
    { name: 'Name', rule: text(253), sorts: true, searched: true },
    // Of a domain of other letters alone.
    { name: 'Ascii', column: () => sql`nullif(ascii, name)`, shape: orNull(string), searched: true },
    { name: 'State', sorts: true },
    { name: 'IsMain', column: () => isMain, shape: boolean },
    { name: 'Created', shape: date, sorts: true, made: now => now },
  ],
  list: {
    needs: view('customers'),
    sort: 'Name',
    largestPage: 100,
    filters: { state: { enum: ['all', ...domainStates], default: 'all' } },
    counts: { filter: 'state', values: { All: 'all', Active: 'Active', Delayed: 'Delayed' } },
  },
  read: { needs: view('customers') },
  create: {
    needs: view('customerUsers'),
    takes: ['Name'],
    action: 'Domain added',
    async before({ trx, body, owned }) {
      const domain = readDomainName(String(body.Name));
      if (!domain) throw refuseField('Name', 'DomainMalformed');
      // Another organisation may be adding it now, or be one that a limited caller does not see.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`domain ${domain.ascii}`}, 0))`.execute(trx);
      const { rows } = await sql<{ holder: string | null }>`
        select holder_of_domain(${domain.ascii}) as holder`.execute(trx);
      const holder = rows[0]?.holder;
      if (holder) throw refuseField('Name', holder === owned.customer_id ? 'DomainHeld' : 'DomainOfOther');
      if ((await countDomains(trx, String(owned.customer_id))) >= mostDomains)
        throw refuseConflict('DomainsFull', { Most: String(mostDomains) });
      return domain;
    },
  },
  remove: {
    needs: view('customerUsers'),
    action: 'Domain deleted',
    async before({ trx, row }) {
      const { domain } = await trx
        .selectFrom('customers')
        .where('id', '=', row.customer_id)
        .select('domain')
        .executeTakeFirstOrThrow();
      if (domain.toLowerCase() === row.ascii) throw refuseConflict('DomainMain');
      const { addresses, first } = await readUse(trx, row);
      if (first !== null) throw refuseConflict('DomainInUse', { Addresses: String(addresses), First: first });
      return undefined;
    },
  },
};

/** Counts the domains of a customer's organisation. */
export async function countDomains(db: Database, customerId: string): Promise<number> {
  const { all } = await db
    .selectFrom('organisation_domains')
    .where('customer_id', '=', customerId)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  return Number(all);
}

/** SQL for the domain of a mail address. */
const domainOf = (address: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`split_part(lower(${address}), '@', 2)`;

/** SQL that is true of an address whose domain receives no mail yet. */
export const isOfDelayedDomain = (address: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from organisation_domains d where d.ascii = ${domainOf(address)} and d.state = 'Delayed')`;

/** Counts the customer's addresses of a domain, with the first of them. */
async function readUse(db: Database, { customer_id, ascii }: Domain) {
  const address = sql.ref('a.address');
  const { rows } = await sql<{ addresses: number; first: string | null }>`
    select count(*)::int as addresses, min(lower(address) collate "C") as first from mail_addresses a
    where customer_id = ${customer_id} and contact_id is null and ${domainOf(address)} = ${ascii}`.execute(db);
  return rows[0]!;
}
