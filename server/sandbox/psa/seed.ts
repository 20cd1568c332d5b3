import { sql } from 'kysely';
import { endings, places, trades } from '../seed/large.ts';
import type { Write } from '../tables.ts';
import type { Credentials, PsaProduct } from './tables.ts';

/** The reseller with so much to match, and how many customers that is. */
export const fairbank = 1007;
const manyCustomers = 2000;

/** Business systems of the resellers that have one: ConnectWise but for Southridge's Autotask. */
const tenants: readonly { name: string; reseller: number; product: PsaProduct; credentials: Credentials }[] = [
  { name: 'northwind', reseller: 1001, product: 6, credentials: manageKeys('northwind') },
  {
    name: 'southridge',
    reseller: 1002,
    product: 1,
    credentials: {
      UserName: 'portal@southridge.test',
      Secret: 'southridge-secret',
      ApiIntegrationCode: 'SOUTHRIDGEPORTAL',
    },
  },
  { name: 'fairbank', reseller: fairbank, product: 6, credentials: manageKeys('fairbank') },
];

function manageKeys(companyId: string): Credentials {
  return { companyId, publicKey: `${companyId}-public`, privateKey: `${companyId}-private`, clientId: 'portal' };
}

/** Inserts seeded business systems with their records, and some matches. */
export async function insertPsa(trx: Write, now: Date): Promise<void> {
  if (await trx.selectFrom('psa_stand_in_tenants').select('name').executeTakeFirst()) return;
  const resellers = new Set((await trx.selectFrom('resellers').select('id').execute()).map(({ id }) => id));
  if (resellers.has(fairbank)) await insertManyCustomers(trx, now);
  for (const [index, { name, reseller, product, credentials }] of tenants.entries()) {
    if (!resellers.has(reseller)) continue;
    const json = JSON.stringify(credentials);
    await trx.insertInto('psa_stand_in_tenants').values({ name, product, credentials: json }).execute();
    await trx
      .insertInto('psa_connections')
      .values({ reseller_id: reseller, product, base_url: null, credentials: json, state: 'completed' })
      .execute();
    await insertRecords(trx, name, reseller, (index + 1) * 100_000);
    await insertCopy(trx, name, reseller, new Date(now.getTime() - 10 * 60_000));
    await insertMatches(trx, reseller, (index + 1) * 100_000);
  }
  await sql`
    insert into feature_overrides (account_id, feature_name, enabled)
    select id, 'UseNewPSAService', false from accounts where username = 'rival@southridge.test'
    on conflict do nothing`.execute(trx);
}

/** Customers that hold nothing, made inside the database. Their ids lie below those of the others. */
async function insertManyCustomers(trx: Write, now: Date): Promise<void> {
  await sql`
    with words as (
      select string_to_array(${places}, ' ') as place, string_to_array(${endings}, ' ') as ending,
        string_to_array(${trades}, ',') as trade
    ), numbered as (
      select n, place[1 + n % 50] || ending[1 + n / 50 % 10] as place, trade[1 + n / 500 % 20] as trade
      from generate_series(1, ${manyCustomers}::int) n, words
    )
    insert into customers (id, organisation_id, reseller_id, name, domain, created, last_change)
    select md5('match ' || n)::uuid, 7000 + n, ${fairbank}, place || ' ' || trade,
      lower(place || '-' || trade) || '.test', ${now}::timestamptz - interval '200 days', ${now}::timestamptz
    from numbered`.execute(trx);
}

/**
 * Of the customers, most under the same name, some written otherwise, one in ten not at all, and one in ten as two that
 * cannot be told apart; of what is sold most, under its name or another.
 */
async function insertRecords(trx: Write, tenant: string, reseller: number, base: number): Promise<void> {
  await sql`
    with own as (
      select name, row_number() over (order by organisation_id) as n from customers where reseller_id = ${reseller}
    )
    insert into psa_stand_in_records (id, tenant, kind, name, active)
    select ${base}::int + n * 10 + copy, ${tenant}, 'customers',
      case when copy = 1 then name || ' Limited' when n % 10 in (1, 7) then name || ' Ltd.'
        when n % 10 = 4 then upper(name) else name end,
      true
    from own, generate_series(0, 1) copy
    where n % 10 <> 0 and (copy = 0 or n % 10 = 7)
    union all
    select ${base}::int + 90000 + n, ${tenant}, 'customers', name, name <> 'Closed Down Traders'
    from unnest(array['Aldgate Consulting', 'Cash sales', 'Closed Down Traders']) with ordinality as strangers (name, n)`.execute(
    trx,
  );
  await sql`
    with own as (
      select name, monthly_price, row_number() over (order by service_id, sub_id) as n from products
    )
    insert into psa_stand_in_records (id, tenant, kind, name, price)
    select ${base}::int + 95000 + n, ${tenant}, 'services',
      case n % 4 when 1 then name when 2 then upper(name) else 'Managed ' || name end, round(monthly_price * 1.25, 2)
    from own where n % 7 <> 0`.execute(trx);
}

async function insertCopy(trx: Write, tenant: string, reseller: number, completed: Date): Promise<void> {
  await trx
    .insertInto('psa_syncs')
    .values(
      (['customers', 'services'] as const).map(kind => ({
        reseller_id: reseller,
        kind,
        status: 'Completed' as const,
        started: completed,
        completed,
        failure: null,
      })),
    )
    .execute();
  await sql`
    insert into psa_records (reseller_id, kind, id, name, price)
    select ${reseller}, kind, id::text, name, price from psa_stand_in_records
    where tenant = ${tenant} and active`.execute(trx);
}

/** A quarter of the customers and of what is sold is matched; a few are ignored. */
async function insertMatches(trx: Write, reseller: number, base: number): Promise<void> {
  await sql`
    with own as (
      select organisation_id, row_number() over (order by organisation_id) as n
      from customers where reseller_id = ${reseller}
    )
    insert into psa_matches (reseller_id, kind, own_id, psa_id, psa_name, ignored)
    select ${reseller}, 'customers', o.organisation_id::text, r.id, r.name, o.n % 25 = 6
    from own o left join psa_records r on r.reseller_id = ${reseller} and r.kind = 'customers'
      and r.id = (${base}::int + o.n * 10)::text and o.n % 4 = 2
    where r.id is not null or o.n % 25 = 6`.execute(trx);
  await sql`
    with own as (
      select service_id || '-' || sub_id as key, row_number() over (order by service_id, sub_id) as n from products
    )
    insert into psa_matches (reseller_id, kind, own_id, psa_id, psa_name)
    select ${reseller}, 'services', o.key, r.id, r.name
    from own o join psa_records r on r.reseller_id = ${reseller} and r.kind = 'services'
      and r.id = (${base}::int + 95000 + o.n)::text
    where o.n % 4 = 3`.execute(trx);
}
