import { type RawBuilder, sql } from 'kysely';
import { isHeld } from '../services/held.ts';
import { billingOfService } from '../services/term.ts';
import type { Write } from '../tables.ts';

/**
 * Adds the orders of services that somebody's manager is told to have ordered without placing an order here: of each
 * chosen service `i` that has none, as old as the service and as far as it has come, so that the list of orders tells
 * what the services tell.
 */
export async function insertPastOrders(trx: Write, chosen: RawBuilder<unknown>): Promise<void> {
  await sql`
    with placed as (
      insert into orders (reseller_id, customer_id, account_id, ordered_by, instance_id, action, service_id, sub_id,
        quantity, term_id, billing_id, fields, unit_price, monthly_price, first_charge, first_charge_date,
        cancel_free_until, currency, status, created)
      select i.reseller_id, i.customer_id, a.id, coalesce(a.display_name, 'Cloud'), i.id, 'Add', i.service_id, i.sub_id,
        i.quantity, coalesce(i.term_id, 'monthly'),
        ${billingOfService},
        i.fields, i.monthly_price, i.quantity * i.monthly_price, i.quantity * i.monthly_price,
        i.created + interval '8 days', i.created + interval '7 days', r.currency,
        case when i.was_active then 'Done' when i.status = 'Activating' then 'Placed' else 'Failed' end, i.created
      from service_instances i
      join resellers r on r.id = i.reseller_id
      join customers c on c.id = i.customer_id
      left join lateral (
        select id, display_name from accounts
        where reseller_id = i.reseller_id and customer_id is null
        order by display_name <> c.account_manager, id limit 1
      ) a on true
      where i.order_id is null and ${isHeld('i')} and (${chosen})
        and not exists (select from orders o where o.customer_id = i.customer_id and o.instance_id = i.id and o.action = 'Add')
      order by i.created, i.id
      returning id, instance_id
    ), noted as (
      update jobs j set order_id = placed.id from placed where j.instance_id = placed.instance_id and j.order_id is null
    )
    update service_instances i set order_id = placed.id from placed where i.id = placed.instance_id`.execute(trx);
}

/** SQL for services `i` whose order is not carried out: they are being activated, or were never active. */
export const isUnsettled: RawBuilder<unknown> = sql`i.status in ('Activating', 'ActivationFailed') and not i.was_active`;
