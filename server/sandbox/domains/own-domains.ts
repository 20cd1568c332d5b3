import type { Database } from '../tables.ts';

/** Reads the domains at which a customer has mail, by what DNS calls them. */
export async function readOwnDomains(db: Database, customerId: string) {
  const rows = await db
    .selectFrom('organisation_domains')
    .select(['name', 'ascii', 'state'])
    .where('customer_id', '=', customerId)
    .orderBy('state')
    .orderBy('name')
    .execute();
  return new Map(rows.map(row => [row.ascii, row]));
}
