import { sql } from 'kysely';
import type { Write } from '../tables.ts';

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
