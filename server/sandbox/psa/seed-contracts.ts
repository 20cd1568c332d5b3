import { sql } from 'kysely';
import type { Write } from '../tables.ts';

/**
 * Inserts a seeded contract for each matched customer with a matched service. Most bill what the customer has; some
 * bill one more, some a service that is gone, and some one that nobody has.
 */
export async function insertContracts(trx: Write, now: Date): Promise<void> {
  if (await trx.selectFrom('psa_stand_in_contracts').select('id').limit(1).executeTakeFirst()) return;
  // What was just inserted is many rows, which the database cannot know: it would compare each with each.
  await sql`analyze psa_matches, customers, service_instances`.execute(trx);
  await sql`
    with matched as (
      select m.*, t.name as tenant from psa_matches m
      join psa_connections p using (reseller_id)
      join psa_stand_in_tenants t on t.credentials = p.credentials
      where m.psa_id is not null and not m.ignored
    ), held as (
      select cm.tenant, cm.psa_id as customer, sm.psa_id as service, sum(i.quantity)::int as quantity,
        row_number() over (partition by cm.tenant order by cm.psa_id, sm.psa_id) as n
      from matched cm
      join customers c on c.reseller_id = cm.reseller_id and c.organisation_id::text = cm.own_id
      join service_instances i on i.customer_id = c.id and i.status = 'Active'
      join matched sm on sm.tenant = cm.tenant and sm.kind = 'services' and sm.own_id = i.service_id || '-' || i.sub_id
      where cm.kind = 'customers'
      group by 1, 2, 3
    ), extra as (
      select c.tenant, c.psa_id as customer, s.psa_id as service
      from (select *, row_number() over (partition by tenant order by own_id) as n from matched where kind = 'customers') c
      join (select distinct on (tenant) * from matched where kind = 'services' order by tenant, own_id) s using (tenant)
      where c.n % 10 = 1
    ), billed as (
      select tenant, customer, service, quantity + (n % 3 = 0)::int as quantity, n % 5 = 4 as is_over from held
      union all
      select tenant, customer, service, 2, false from extra
      where not exists (select from held h where (h.tenant, h.customer, h.service) = (extra.tenant, extra.customer, extra.service))
    ), contracts as (
      insert into psa_stand_in_contracts (tenant, customer, name)
      select distinct b.tenant, b.customer::bigint, r.name || ' managed services'
      from billed b join psa_stand_in_records r on r.id = b.customer::bigint
      returning id, tenant, customer
    )
    insert into psa_stand_in_lines (contract, service, quantity, starts, ends)
    select k.id, b.service::bigint, b.quantity, ${now}::timestamptz - interval '190 days',
      case when b.is_over then ${now}::timestamptz - interval '20 days' end
    from billed b join contracts k on k.tenant = b.tenant and k.customer = b.customer::bigint`.execute(trx);
  await insertUnbilled(trx);
  await insertCopy(trx, new Date(now.getTime() - 10 * 60_000));
}

/** In ConnectWise: additions of which the agreement includes some, and others that are recorded and not billed. */
async function insertUnbilled(trx: Write): Promise<void> {
  await sql`
    with lines as (
      select l.* from psa_stand_in_lines l join psa_stand_in_contracts k on k.id = l.contract
      join psa_stand_in_tenants t on t.name = k.tenant and t.product = 6
    ), recorded as (
      insert into psa_stand_in_lines (contract, service, quantity, starts, bill_customer)
      select contract, service, 3, starts, case id % 2 when 0 then 'DoNotBill' else 'NoCharge' end
      from lines where id % 10 = 3 and ends is null
    )
    update psa_stand_in_lines l set quantity = l.quantity + 2, less_included = 2
    from lines where lines.id = l.id and l.id % 7 = 0`.execute(trx);
}

/** The copy of what runs, as it is taken over HTTP later. */
async function insertCopy(trx: Write, completed: Date): Promise<void> {
  await sql`
    insert into psa_syncs (reseller_id, kind, status, started, completed)
    select reseller_id, 'contracts', 'Completed', ${completed}, ${completed} from psa_connections
    on conflict (reseller_id, kind) do update set status = excluded.status, completed = excluded.completed`.execute(
    trx,
  );
  await sql`
    with own as (
      select p.reseller_id, k.* from psa_stand_in_contracts k
      join psa_stand_in_tenants t on t.name = k.tenant
      join psa_connections p on p.credentials = t.credentials
    ), contracts as (
      insert into psa_contracts (reseller_id, id, name, customer)
      select reseller_id, id::text, name, customer::text from own
    )
    insert into psa_lines (reseller_id, contract, service, quantity)
    select own.reseller_id, own.id::text, l.service::text, l.quantity - l.less_included
    from own join psa_stand_in_lines l on l.contract = own.id
    where l.ends is null and l.bill_customer = 'Billable'`.execute(trx);
}

/**
 * Inserts what a unit costs the reseller according to its business system: what it really pays, but an outdated price
 * for one line in four.
 */
export async function insertCosts(trx: Write): Promise<void> {
  await sql`
    with paid as (
      select distinct on (k.id, l.id) k.tenant, k.id as contract, l.id, p.reseller_id,
        case r.currency when 'EUR' then coalesce(own.monthly_price_eur, own.monthly_price) else own.monthly_price end as price
      from psa_stand_in_lines l
      join psa_stand_in_contracts k on k.id = l.contract
      join psa_stand_in_tenants t on t.name = k.tenant
      join psa_connections p on p.credentials = t.credentials
      join resellers r on r.id = p.reseller_id
      join psa_matches m on m.reseller_id = p.reseller_id and m.kind = 'services' and m.psa_id = l.service::text
      join products own on own.service_id || '-' || own.sub_id = m.own_id
      order by k.id, l.id, m.own_id
    ), costs as (
      update psa_stand_in_lines l
      set cost = case when l.id % 4 = 0 then round(paid.price * 0.95, 2) else paid.price end
      from paid where paid.id = l.id and l.cost is null
      returning l.id, paid.reseller_id, l.contract, l.service, l.starts, l.cost, l.ends, l.bill_customer
    )
    update psa_lines k set line = costs.id::text, since = costs.starts, cost = costs.cost from costs
    where k.reseller_id = costs.reseller_id and k.contract = costs.contract::text and k.service = costs.service::text
      and costs.ends is null and costs.bill_customer = 'Billable'`.execute(trx);
}
