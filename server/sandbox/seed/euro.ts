import { sql } from 'kysely';
import { insertSignatures } from '../agreements/seed.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { insertMonthlyFigures } from '../customers/seed.ts';
import { insertCard, insertTopUps } from '../payments/seed.ts';
import type { Write } from '../tables.ts';
import { insertAccount, insertReseller, resellerRights } from './accounts.ts';

const reseller = { id: 1008, name: 'Corrib', currency: 'EUR' } as const;
const username = 'reseller@corrib.test';

/** Customers with their town, and how many months ago they came. */
const customers = [
  { name: 'Aran Ferries', town: 'Galway', months: 15 },
  { name: 'Burren Dairy', town: 'Ennis', months: 14 },
  { name: 'Claddagh Jewellers', town: 'Galway', months: 11 },
  { name: 'Erne Boatyard', town: 'Sligo', months: 7 },
  { name: 'Moycullen Vets', town: 'Galway', months: 4 },
  { name: 'Shannon Freight', town: 'Limerick', months: 2 },
];
/** Products that a reseller in euros may see, the earlier ones held by more of the customers. */
const products = ['1-1', '8-1', '23-1', '13-1', '19-1'];

/**
 * Inserts a reseller that buys in euros, with customers, users, services, a stored card and credit; the billing run adds
 * its invoices.
 */
export async function insertEuroReseller(trx: Write, now: Date, passwordHash: string): Promise<void> {
  await insertReseller(trx, reseller);
  await insertAccount(
    trx,
    { username, display_name: 'Aoife Lynch', user_type: 'reseller', reseller_id: reseller.id, rights: resellerRights },
    passwordHash,
  );
  await insertSignatures(trx, reseller.id);
  const { rows } = await sql<{ id: string; created: Date }>`
    insert into customers (id, reseller_id, name, domain, town_city, account_manager, contact_name, contact_email, created,
      last_change)
    select md5(${username} || name)::uuid, ${reseller.id}, name, domain, town, 'Aoife Lynch', 'Office', 'office@' || domain,
      created, created
    from unnest(${customers.map(({ name }) => name)}::text[], ${customers.map(({ town }) => town)}::text[],
        ${customers.map(({ months }) => months)}::int[]) as c (name, town, months),
      lateral (select lower(replace(name, ' ', '-')) || '.test' as domain,
        ${now}::timestamptz - months * interval '30 days' as created) made
    order by months desc
    on conflict do nothing
    returning id, created`.execute(trx);
  await sql`
    insert into users (customer_id, first_name, last_name, display_name, email, type, created)
    select c.id, first, last, first || ' ' || last, lower(first || '.' || last) || '@' || c.domain,
      case when place = 1 then 'endUserAdmin' else 'endUser' end, c.created
    from customers c, unnest(array['Niamh', 'Cian', 'Orla', 'Ruairi'], array['Burke', 'Daly', 'Keane', 'Walsh'])
      with ordinality as p (first, last, place)
    where c.reseller_id = ${reseller.id}
    order by c.organisation_id, place
    on conflict do nothing`.execute(trx);
  await sql`
    insert into service_instances (reseller_id, customer_id, service_id, sub_id, status, quantity, monthly_price, term_id,
      billing_id, created, last_change)
    select ${reseller.id}, c.id, p.service_id, p.sub_id, 'Active', 3 + (c.n * 5 + w.place * 3) % 17, p.monthly_price_eur,
      'monthly', 'monthly', started, started
    from (select *, row_number() over (order by organisation_id) as n from customers where reseller_id = ${reseller.id}) c
    cross join unnest(${products}::text[]) with ordinality as w (product, place)
    join products p on p.service_id || '-' || p.sub_id = w.product
    cross join lateral (select c.created + (w.place * 9 % 26) * interval '1 day' as started) s
    where w.place <= 2 + c.n % 4 and not exists (select from service_instances i where i.customer_id = c.id)
    order by c.organisation_id, w.place`.execute(trx);
  for (const { id, created } of rows) await refreshCustomer(trx, id, created);
  await insertMonthlyFigures(trx, now);
  const card = { reseller: reseller.id, brand: 'Visa', last4: '3056', holder: 'Corrib IT Ltd', age: 420, left: 500 };
  const method = await insertCard(trx, card, reseller.currency, now);
  if (method === undefined) return;
  await trx
    .insertInto('payment_settings')
    .values({ reseller_id: reseller.id, auto_pay: false, payment_term: 'Days30', default_payment_method_id: method })
    .onConflict(known => known.doNothing())
    .execute();
  await insertTopUps(trx, { username, method, days: [75], currency: reseller.currency }, now);
}
