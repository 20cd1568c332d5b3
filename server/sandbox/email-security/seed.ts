import { sql } from 'kysely';
import type { Write } from '../tables.ts';

const entries = [
  ['White', '@paperline.test', 'Domain', 'Invoices of our printer'],
  ['White', 'billing@northernrail.test', 'Address', ''],
  ['Black', '@cheap-watches.test', 'Domain', 'Came through four times'],
  ['Black', '*.bulk-offers.test', 'Subdomains', ''],
  ['Archive', '@northernrail.test', 'Domain', 'Contracts'],
] as const;

/** Filters the mail of Contoso, with a few entries in its lists. */
export async function insertSecurityDomains(trx: Write, now: Date): Promise<void> {
  await sql`
    insert into security_domains (id, customer_id, name, created)
    select d.id, d.customer_id, d.name, ${now}::timestamptz from organisation_domains d
    join customers c on c.id = d.customer_id and lower(c.domain) = d.ascii
    where c.name = 'Contoso' on conflict do nothing`.execute(trx);
  const [lists, addresses, kinds, notes] = [0, 1, 2, 3].map(index => entries.map(entry => entry[index]));
  await sql`
    insert into security_entries (customer_id, security_domain_id, list, address, kind, note, author, created)
    select s.customer_id, s.id, e.list, e.address, e.kind, e.note, 'Northwind', ${now}::timestamptz - interval '40 days'
    from security_domains s, unnest(${lists}::text[], ${addresses}::text[], ${kinds}::text[], ${notes}::text[])
      as e (list, address, kind, note)
    on conflict do nothing`.execute(trx);
}
