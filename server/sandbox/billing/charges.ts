import { type RawBuilder, sql } from 'kysely';
import { isHeld } from '../services/held.ts';
import { billingOfService } from '../services/term.ts';
import type { Write } from '../tables.ts';

/** Customers of a reseller whose charges are computed in one transaction, by id. */
export type CustomerPage = { readonly resellerId: number; readonly customers: readonly string[] };

/**
 * A month that is billed, as its first day and that of the next one. What happened on `knownUntil` or later is not known
 * yet: a pre-bill is made before the month is over.
 */
export type Period = { readonly start: string; readonly end: string; readonly knownUntil?: string };

/** Digits behind the point of a part of a month, which may have no end: 27 of 31 days. */
const partScale = 12;

/** Columns of a charge: a line of an invoice before it is taxed and rounded. */
const columns =
  sql.raw(`key, kind, customer_id, organisation_id, customer, service, instance_id, order_id, starts, ends,
  quantity, unit_price, days, month_days, exact`);

const dayOf = (moment: RawBuilder<unknown>) => sql`(${moment} at time zone 'UTC')::date`;

/** Until when a service can be cancelled free of charge; the seed has services without an order. */
const freeUntil = sql`coalesce(placed.cancel_free_until, i.created + interval '7 days')`;

/** SQL for the orders `o` that changed the quantity or the price of a service. */
const isChangeOf = (service: RawBuilder<unknown>) =>
  sql`o.customer_id = ${service}.customer_id and o.instance_id = ${service}.id and o.action = 'Modify'
    and o.status = 'Done'`;

/**
 * The services of customers with their products and orders, as they were known on a day of a month or when it ended.
 * `name` is the same on every run, which an id is not: a killed process leaves a gap in the ids.
 */
const services = ({ resellerId, customers }: CustomerPage, known: string) => sql`
  select i.id, concat_ws(' ', i.customer_id, i.service_id || '-' || i.sub_id, extract(epoch from i.created),
      row_number() over (partition by i.customer_id, i.service_id, i.sub_id, i.created order by i.id)) as name,
    i.customer_id, i.quantity, i.monthly_price, i.created, i.order_id, i.term_began,
    ${billingOfService} as billing_id, coalesce(i.term_id, 'monthly') as term_id,
    c.organisation_id, c.name as customer, p.name as service, p.service_id || '-' || p.sub_id as product,
    ${dayOf(sql`i.created`)} as starts,
    case when not ${isHeld('i')} and ${dayOf(sql`i.last_change`)} < ${known}::date
      then ${dayOf(sql`i.last_change`)} else 'infinity'::date end as ends,
    i.status = 'Deleted' and i.last_change <= ${freeUntil}
      and ${dayOf(sql`i.last_change`)} < ${known}::date as is_free
  from service_instances i
  join customers c on c.id = i.customer_id
  join products p on p.service_id = i.service_id and p.sub_id = i.sub_id
  left join orders placed on placed.id = i.order_id and placed.action <> 'Modify'
  where i.customer_id = any(${customers}::uuid[]) and i.reseller_id = ${resellerId} and i.was_active
    and ${dayOf(sql`i.created`)} < ${known}::date`;

/**
 * Gives SQL for what customers are charged for a month: services by the days (UTC) held, in parts where quantity or
 * price changed; terms paid at once and one-time purchases, with their order; and usage in the invoice's draft. What
 * was cancelled free of charge is left out.
 */
export function chargesOf(page: CustomerPage, draftId: number, { start, end, knownUntil: known = end }: Period) {
  const inMonth = (moment: RawBuilder<unknown>) =>
    sql`${dayOf(moment)} >= ${start}::date and ${dayOf(moment)} < ${known}::date`;
  return sql`
    with held as (${services(page, known)}),
    in_month as (
      select * from held where not is_free and starts < ${end}::date and ends > ${start}::date
    ),
    bounds as (
      select h.*, b.day as part_starts from in_month h cross join lateral (
        select greatest(h.starts, ${start}::date) as day
        union
        select ${dayOf(sql`o.created`)} from orders o
        where ${isChangeOf(sql`h`)} and ${dayOf(sql`o.created`)} > greatest(h.starts, ${start}::date)
          and ${dayOf(sql`o.created`)} < least(h.ends, ${known}::date)
      ) b
    ),
    parts as (
      select *, least(ends, ${end}::date, lead(part_starts) over (partition by id order by part_starts)) as part_ends
      from bounds
    ),
    priced as (
      select parts.*, coalesce(next.quantity_before, parts.quantity) as held_quantity,
        coalesce(next.price_before, parts.monthly_price) as price,
        coalesce(latest.id, parts.order_id) as cause,
        case when parts.billing_id = 'once' or (parts.billing_id = 'upfront' and not is_switched) then parts.billing_id
          else coalesce(latest.billing_id, parts.billing_id) end as paid_by,
        part_ends - part_starts as days, ${end}::date - ${start}::date as month_days
      from parts
      left join lateral (
        select quantity_before, price_before from orders o
        where ${isChangeOf(sql`parts`)} and ${dayOf(sql`o.created`)} > parts.part_starts
        order by o.created, o.id limit 1
      ) next on true
      left join lateral (
        select id, billing_id from orders o
        where o.customer_id = parts.customer_id and o.instance_id = parts.id and o.status = 'Done'
          and ${dayOf(sql`o.created`)} <= parts.part_starts
        order by o.created desc, o.id desc limit 1
      ) latest on true
      cross join lateral (
        select exists (
          select from orders o
          where o.customer_id = parts.customer_id and o.instance_id = parts.id and o.status = 'Done'
            and o.billing_id = 'upfront' and ${dayOf(sql`o.created`)} > parts.part_starts) as is_switched
      ) later
    ),
    once as (
      select o.*, held.name, held.organisation_id, held.customer, held.service, held.product,
        case when o.billing_id = 'upfront' then 'Term' else 'Once' end as kind,
        row_number() over (partition by o.instance_id order by o.created, o.id) as place
      from orders o join held on held.id = o.instance_id and held.customer_id = o.customer_id
      where o.billing_id in ('upfront', 'once') and o.status = 'Done' and o.first_charge <> 0
        and not held.is_free and ${inMonth(sql`o.created`)}
    ),
    renewed as (
      select held.*, months from held, lateral (
        select case term_id when 'annual' then 12 when 'triennial' then 36 end as months,
          ${dayOf(sql`held.term_began`)} as since
      ) term
      where billing_id = 'upfront' and months is not null and not is_free and ends > ${start}::date
        and since < ${start}::date
        and ((extract(year from ${start}::date) - extract(year from since)) * 12
          + extract(month from ${start}::date) - extract(month from since))::int % months = 0
    ),
    telephones as (
      select v.*, c.organisation_id, c.name as customer, v.delivery_cost + coalesce((
        select sum(h.quantity * h.price) from voice_order_hardware h where h.voice_order_id = v.id), 0) as charge
      from voice_orders v join customers c on c.id = v.customer_id
      where v.customer_id = any(${page.customers}::uuid[]) and ${inMonth(sql`v.created`)}
    ),
    all_charges as (
      select concat_ws(' ', 'service', name, part_starts) as key,
        case when days = month_days then 'Month' else 'Part' end as kind, customer_id, organisation_id, customer,
        product, service, id as instance_id, cause as order_id, part_starts as starts, part_ends - 1 as ends,
        held_quantity::numeric as quantity, price as unit_price, days, month_days,
        case when days = month_days then held_quantity * price
          else round(held_quantity * price * days / month_days, ${sql.lit(partScale)}) end as exact
      from priced where paid_by not in ('upfront', 'once')
      union all
      select concat_ws(' ', 'order', name, ${start}::date, place), kind, customer_id, organisation_id, customer, product, service,
        instance_id, id,
        ${dayOf(sql`created`)}, ${dayOf(sql`created`)}, quantity, unit_price, null, null, first_charge from once
      union all
      select concat_ws(' ', 'bought', name), 'Once', customer_id, organisation_id, customer, product, service, id, null,
        starts, starts, quantity, monthly_price, null, null, quantity * monthly_price
      from in_month where billing_id = 'once' and order_id is null and starts >= ${start}::date
      union all
      select concat_ws(' ', 'term', name, ${start}::date), 'Term', customer_id, organisation_id, customer, product,
        service, id, order_id, ${start}::date, ${end}::date - 1, quantity, monthly_price, null, null,
        quantity * monthly_price * months from renewed
      union all
      select concat_ws(' ', 'telephones', reference), 'Once', customer_id, organisation_id, customer, '15-1',
        'Voice Handsets', null, order_id, ${dayOf(sql`created`)}, ${dayOf(sql`created`)}, 1, charge, null, null, charge
      from telephones where charge <> 0
      union all
      select ${keyOfUsage(sql`u`)}, 'Usage', u.customer_id, c.organisation_id, c.name, '6-1', u.subscription, null, null,
        min(u.starts), max(u.ends), 1, sum(u.cost), null, null, sum(u.cost)
      from billing_draft_usage u join customers c on c.id = u.customer_id
      where u.draft_id = ${draftId} and u.customer_id = any(${page.customers}::uuid[])
      group by u.customer_id, c.organisation_id, c.name, u.subscription
    )
    select ${columns}, product, null::bigint as against from all_charges`;
}

/** Gives SQL for the key of an invoice line that charges the usage `u`. */
export const keyOfUsage = (usage: RawBuilder<unknown>) =>
  sql`'usage ' || ${usage}.customer_id || ' ' || ${usage}.subscription`;

/**
 * Gives SQL for what customers used before a day and no invoice has charged yet, by subscription, month and meter; below
 * zero for what was charged and is used no longer, since a later file says otherwise.
 */
export const unbilledUsageOf = ({ customers }: CustomerPage, until: string) => sql`
  select s.customer_id, s.id as subscription_id, s.name as subscription, month, meter_id, coalesce(starts, month) as starts,
    coalesce(ends, (month + interval '1 month - 1 day')::date) as ends,
    coalesce(used.quantity, 0) - coalesce(billed.quantity, 0) as quantity,
    coalesce(used.cost, 0) - coalesce(billed.cost, 0) as cost
  from (
    select s.id, date_trunc('month', d.day::timestamp)::date as month, d.meter_id, min(d.day) as starts,
      max(d.day) as ends, sum(d.quantity) as quantity, sum(d.cost) as cost
    from usage_subscriptions s
    join usage_groups g on g.subscription_id = s.id
    join usage_meter_days d on d.group_id = g.id
    where s.customer_id = any(${customers}::uuid[]) and d.day < ${until}::date
    group by 1, 2, 3
  ) used
  full join (
    select s.id, u.month, u.meter_id, sum(u.quantity) as quantity, sum(u.cost) as cost
    from usage_subscriptions s join invoice_usage u on u.subscription_id = s.id
    where s.customer_id = any(${customers}::uuid[]) and u.month < ${until}::date
    group by 1, 2, 3
  ) billed using (id, month, meter_id)
  join usage_subscriptions s using (id)
  where billed.cost is null or coalesce(used.cost, 0) <> billed.cost or coalesce(used.quantity, 0) <> billed.quantity`;

/**
 * Writes into an invoice's draft what customers used until the end of a month and no invoice has charged yet, usage
 * that was loaded late included.
 */
export async function addUsage(
  trx: Write,
  page: CustomerPage,
  draftId: number,
  { end, knownUntil = end }: Period,
): Promise<void> {
  await sql`
    insert into billing_draft_usage (draft_id, customer_id, subscription_id, subscription, month, meter_id, starts, ends,
      quantity, cost)
    select ${draftId}::bigint, u.* from (${unbilledUsageOf(page, knownUntil)}) u`.execute(trx);
}

/**
 * Gives SQL for the credits of a month: what earlier invoices charged for services that were then cancelled free of
 * charge, each credited once.
 */
export const creditsOf = (page: CustomerPage, { end }: Period) => sql`
  with held as (${services(page, end)})
  select ${columns}, product, against from (
    select 'credit ' || l.key as key, 'Credit' as kind, l.customer_id, l.organisation_id, l.customer, held.product,
      l.service, l.instance_id, l.order_id, l.starts, l.ends, l.quantity, l.unit_price, l.days, l.month_days,
      l.amount as exact, l.invoice_id as against
    from held join invoice_lines l on l.customer_id = held.customer_id and l.instance_id = held.id
    where held.is_free and l.kind <> 'Credit'
  ) l
  where not exists (
    select from invoice_lines credited
    where credited.customer_id = l.customer_id and credited.key = l.key)`;
