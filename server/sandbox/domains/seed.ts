import { sql } from 'kysely';
import type { Write } from '../tables.ts';
import { wantedRecords } from './wanted-records.ts';

/** Customer with a second domain, whose mail does not arrive yet. */
const delayed = { customer: 'Contoso', domain: 'contoso-events.test' };

/** Lets the domains of seeded customers receive mail, and inserts one that does not yet. */
export async function insertDomains(trx: Write, now: Date): Promise<void> {
  await sql`update organisation_domains set state = 'Active'`.execute(trx);
  await sql`
    insert into organisation_domains (customer_id, name, ascii, created)
    select id, ${delayed.domain}, ${delayed.domain}, ${now}::timestamptz - interval '2 days'
    from customers where name = ${delayed.customer} on conflict do nothing`.execute(trx);
}

/**
 * Inserts DNS records: those of the main domains of customers whose users have mailboxes as they should be, one of Contoso's
 * second domain as its last provider left it.
 */
export async function insertDnsRecords(trx: Write): Promise<void> {
  const wanted = wantedRecords(seededCloud);
  await sql`
    insert into dns_records (name, type, value)
    select case when w.host = '@' then d.ascii else w.host || '.' || d.ascii end, w.type, w.value
    from (select id, ascii from organisation_domains
      where state = 'Active' and exists (select from mailboxes m where m.customer_id = organisation_domains.customer_id)
      order by id limit ${mostSeeded}) d,
      unnest(${wanted.map(({ host }) => host)}::text[], ${wanted.map(({ type }) => type)}::text[],
        ${wanted.map(({ value }) => value)}::text[]) as w (host, type, value)
    order by d.id on conflict do nothing`.execute(trx);
  const old = [
    { name: delayed.domain, type: 'MX', value: '10 mail.old-provider.test' },
    { name: delayed.domain, type: 'TXT', value: 'v=spf1 include:spf.old-provider.test ~all' },
  ] as const;
  await trx
    .insertInto('dns_records')
    .values(old)
    .onConflict(known => known.doNothing())
    .execute();
}

/** Domains of which the seed has records, and the domain of the cloud that they name. */
const mostSeeded = 200;
const seededCloud = 'fernhill.test';
