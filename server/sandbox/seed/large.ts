import { sql } from 'kysely';
import { insertSignatures } from '../agreements/seed.ts';
import { insertMonthlyFigures } from '../customers/seed.ts';
import { phasesOf } from '../jobs/phases.ts';
import { insertPastOrders, isUnsettled } from '../orders/past-orders.ts';
import type { Write } from '../tables.ts';
import { insertAccount, insertReseller, resellerRights } from './accounts.ts';

export const places =
  'Abbots Alder Amber Arden Ash Beacon Birch Black Bram Brook Castle Cedar Chal Clay Copper Crow Dale Down East Elm Fair Fen Fern Glen Green Hart Hazel Heath High Holly Iron Kings Lark Lind Long Maple Marsh Mill Moor North Oak Old Park Quarry Red Rose Sand South Stone West';
export const endings = 'bridge field ford gate ham hurst ley ton well worth';
export const trades =
  'Accountants,Builders,Care,Dental,Engineering,Foods,Garages,Housing,Interiors,Joinery,Kitchens,Legal,Logistics,Media,Nurseries,Opticians,Print,Recruitment,Surveyors,Travel';
const forms = ',Ltd,LLP,Group,& Co,Partners,Services,Trust,UK,Holdings';

/**
 * One reseller with 100,000 customers (or fewer), made inside the database: 50 × 10 × 20 × 10 names that all differ.
 * Counts, spend and status are computed as `refreshCustomer` would.
 */
export async function insertLargeReseller(
  trx: Write,
  now: Date,
  passwordHash: string,
  customers = 100_000,
): Promise<void> {
  const reseller = 1003;
  await insertReseller(trx, { id: reseller, name: 'Bigreseller', currency: 'GBP' });
  const account = { display_name: 'Lena Archer', user_type: 'reseller', reseller_id: reseller } as const;
  await insertAccount(trx, { username: 'large@bigreseller.test', ...account, rights: resellerRights }, passwordHash);
  await insertSignatures(trx, reseller);
  await sql`
    with words as (
      select string_to_array(${places}, ' ') as place, string_to_array(${endings}, ' ') as ending,
        string_to_array(${trades}, ',') as trade, string_to_array(${forms}, ',') as form
    ), numbered as (
      select n, md5('customer ' || n)::uuid as id, 1 + n % 3 as services, 1 + n % 4 as users,
        ${now}::timestamptz - (n * 7919 % 100000) * interval '23 minutes' as changed,
        place[1 + n % 50] || ending[1 + n / 50 % 10] as place,
        trade[1 + n / 500 % 20] as trade, form[1 + n / 10000] as form,
        case when n % 100 = 3 then 'ActivationFailed' when n % 250 = 6 then 'DeletionFailed'
          when n % 100 = 11 then 'Activating' when n % 250 = 17 then 'Deleting'
          when n % 50 = 20 then 'Suspended' else 'Active' end as status
      from generate_series(0, ${customers}::int - 1) n, words
    )
    insert into customers (id, organisation_id, reseller_id, name, domain, status, suspended, services, users,
      monthly_spend, created, last_change, contact_name, contact_email, account_manager)
    select id, 1000000 + n, ${reseller}, trim(place || ' ' || trade || ' ' || form),
      lower(place || '-' || trade) || '-' || n || '.test', status, status = 'Suspended', services, users,
      (services - case when status in ('ActivationFailed', 'Activating') then 1 else 0 end) * 5 * 3.95, changed - interval '200 days', changed, 'Office', 'office@' || n || '.test', 'Lena Archer'
    from numbered`.execute(trx);
  await sql`
    insert into service_instances (reseller_id, customer_id, service_id, sub_id, status, quantity, monthly_price,
      created, last_change, reason)
    select c.reseller_id, c.id, case when s = 1 and c.status in ('ActivationFailed', 'DeletionFailed') then 13
        else (array[1, 3, 9])[s] end, 1,
      case when s = 1 and c.status <> 'Suspended' then c.status else 'Active' end, 5, 3.95, c.created, c.last_change,
      case when s > 1 then null when c.status = 'ActivationFailed' then 'The number port was refused.'
        when c.status = 'DeletionFailed' then 'A number is being ported away.' end
    from customers c, generate_series(1, c.services) s where c.reseller_id = ${reseller}
    order by c.organisation_id, s`.execute(trx);
  await startChanges(trx, reseller, now);
  await insertPastOrders(trx, sql`${isUnsettled} and i.reseller_id = ${reseller}`);
  await sql`
    insert into users (customer_id, first_name, last_name, display_name, email, type, created)
    select c.id, 'Member', u::text, 'Member ' || u, 'member' || u || '@' || c.domain,
      case when u = 1 then 'endUserAdmin' else 'endUser' end, c.created
    from customers c, generate_series(1, c.users) u where c.reseller_id = ${reseller}
    order by c.organisation_id, u`.execute(trx);
  await insertMonthlyFigures(trx, now);
}

/** Inserts jobs of changing services, done but for the last phase, which falls due one after the other over a week. */
async function startChanges(trx: Write, reseller: number, now: Date): Promise<void> {
  await sql`
    insert into jobs (instance_id, kind, done, due)
    select id, kind, array_fill(last_change, array[case kind when 'delete' then ${phasesOf.delete.length - 1}::int
        else ${phasesOf.activate.length - 1}::int end]),
      ${now}::timestamptz + interval '7 days' * (row_number() over (order by md5(id::text))) / (count(*) over ())
    from service_instances, lateral (select case status when 'Deleting' then 'delete' else 'activate' end as kind) change
    where reseller_id = ${reseller} and status in ('Activating', 'Deleting')`.execute(trx);
}
