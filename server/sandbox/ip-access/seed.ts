import { sql } from 'kysely';
import type { Write } from '../tables.ts';
import { keptDays } from './uses.ts';

/** From where people came: the office, at home, and once abroad. Addresses are of the ranges for documentation. */
const places: Readonly<Record<string, readonly { readonly address: string; readonly every: number }[]>> = {
  'reseller@northwind.test': [
    { address: '203.0.113.24', every: 1 },
    { address: '198.51.100.7', every: 6 },
  ],
  'engineer@northwind.test': [{ address: '203.0.113.31', every: 1 }],
  'bookkeeper@northwind.test': [
    { address: '203.0.113.40', every: 2 },
    { address: '2001:db8:40::15', every: 7 },
  ],
  'mfa@northwind.test': [{ address: '192.0.2.88', every: 9 }],
};

/** Puts in from where some people of Northwind came in the days that are kept. */
export async function insertUses(trx: Write, now: Date): Promise<void> {
  for (const [username, used] of Object.entries(places))
    for (const { address, every } of used)
      await sql`
        insert into address_uses (account_id, day, address, last_used)
        select a.id, d.day::date, ${address}, d.day::date + time '09:10' at time zone 'UTC'
        from accounts a, generate_series(${now}::timestamptz - ${keptDays - 1} * interval '1 day',
          ${now}::timestamptz - interval '1 day', ${every} * interval '1 day') as d (day)
        where a.username = ${username} and a.customer_id is null
        on conflict do nothing`.execute(trx);
}
