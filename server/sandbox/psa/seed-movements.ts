import { sql } from 'kysely';
import type { Write } from '../tables.ts';
import { fairbank } from './seed.ts';

/**
 * Inserts half a year of product movement for two in five of the large reseller's customers: services that were added,
 * changed and deleted. Made inside the database.
 */
export async function insertMovements(trx: Write, now: Date): Promise<void> {
  const held = trx.selectFrom('service_instances').select('id').where('reseller_id', '=', fairbank).limit(1);
  if (await held.executeTakeFirst()) return;
  await sql`
    with own as (
      select id, n from (
        select id, row_number() over (order by organisation_id) as n from customers where reseller_id = ${fairbank}
      ) numbered where n % 5 in (2, 3)
    ), sold as (
      select service_id, sub_id, monthly_price, row_number() over (order by service_id, sub_id) - 1 as place,
        count(*) over () as places
      from products
    )
    insert into service_instances (reseller_id, customer_id, service_id, sub_id, status, quantity, monthly_price,
      created, last_change)
    select ${fairbank}, id, service_id, sub_id, case when ends < ${now}::timestamptz then 'Deleted' else 'Active' end,
      quantity, monthly_price, starts, case when ends < ${now}::timestamptz then ends else starts end
    from (
      select own.id, own.n, s, sold.*, 3 + (n * 7 + s) % 20 as quantity,
        ${now}::timestamptz - (n * 37 + s * 61) % 195 * interval '1 day' - interval '90 minutes' as starts,
        ${now}::timestamptz - (n * 37 + s * 61) % 195 * interval '1 day'
          + case when (n + s) % 7 = 0 then interval '45 days' else interval '10 years' end as ends
      from own, generate_series(1, 2) s
      join sold on true
      where sold.place = (own.n + s * 5) % sold.places
    ) services
    order by n, s`.execute(trx);
  // A change takes two away or adds three.
  await sql`
    insert into orders (reseller_id, customer_id, ordered_by, instance_id, action, service_id, sub_id, quantity,
      quantity_before, price_before, term_id, billing_id, fields, unit_price, monthly_price, first_charge,
      first_charge_date, cancel_free_until, currency, status, created)
    select i.reseller_id, i.customer_id, 'Faye Banks', i.id, 'Modify', i.service_id, i.sub_id, i.quantity,
      case when i.id % 2 = 0 then i.quantity + 2 else greatest(i.quantity - 3, 1) end, i.monthly_price, 'monthly',
      'monthly', '{}', i.monthly_price, i.quantity * i.monthly_price, 0, at, at + interval '7 days', r.currency,
      'Done', at
    from service_instances i
    join resellers r on r.id = i.reseller_id,
      lateral (select i.created + interval '30 days' as at) changed
    where i.reseller_id = ${fairbank} and i.status = 'Active' and i.id % 4 < 2 and at < ${now}::timestamptz`.execute(
    trx,
  );
  await sql`
    update customers c set services = held.services, monthly_spend = held.spend
    from (
      select customer_id, count(*) as services, sum(monthly_charge) as spend
      from service_instances where reseller_id = ${fairbank} and status = 'Active' group by 1
    ) held
    where c.id = held.customer_id`.execute(trx);
}
