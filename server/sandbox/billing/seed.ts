import { sql } from 'kysely';
import type { Write } from '../tables.ts';
import { billSeededMonths } from './run.ts';

/** Services that were ordered before the end of a month and cancelled after it, by how many months ago that was. */
const cancelled = [3, 9];

/**
 * Inserts the invoices and credit memos of the months before the seed, computed from what customers held and used then.
 */
export async function insertInvoices(trx: Write, now: Date): Promise<void> {
  const billed = await trx.selectFrom('billing_runs').select('period').limit(1).executeTakeFirst();
  if (!billed) await insertCancelled(trx, now);
  // As with the business system, this account is on the monolith.
  await sql`
    insert into feature_overrides (account_id, feature_name, enabled)
    select id, 'BillingPlatformReporting', false from accounts where username = 'rival@southridge.test'
    on conflict do nothing`.execute(trx);
  await billSeededMonths(trx, now);
  await insertCardPayments(trx, now);
}

/**
 * Inserts what resellers with a stored card paid with it until the seed: automatically on the day of the term, or by a press
 * on the day it was due, but that one in six came some weeks late.
 */
async function insertCardPayments(trx: Write, now: Date): Promise<void> {
  await sql`
    with come as (
      select i.*, s.default_payment_method_id as method, s.auto_pay, case
        when s.auto_pay then i.due
        when ('x' || substr(md5(i.reseller_id || ' ' || i.period), 1, 7))::bit(28)::int % 6 = 0 then i.due + 20
        else i.due end as day
      from invoices i join payment_settings s on s.reseller_id = i.reseller_id
      where i.kind = 'Invoice' and i.paid_on is null and s.default_payment_method_id is not null
    ), kept as (
      insert into payments (reseller_id, account_id, method_id, amount, currency, invoice_id, means, press, status,
        created, settled)
      select reseller_id, case when not auto_pay then (
          select min(id) from accounts a where a.reseller_id = come.reseller_id and a.user_type = 'reseller') end,
        method, ((gross - prepaid - paid) * 100)::bigint, currency, id, 'Card', 'seed-invoice-' || number, 'Paid',
        day::timestamp at time zone 'UTC', day::timestamp at time zone 'UTC'
      from come where day < (${now}::timestamptz at time zone 'UTC')::date and gross - prepaid - paid > 0
    )
    update invoices set paid = invoices.gross - invoices.prepaid, paid_on = come.day
    from come where come.id = invoices.id and come.day < (${now}::timestamptz at time zone 'UTC')::date`.execute(trx);
}

/** Inserts services that were cancelled within the first seven days, so that there are credit memos. */
async function insertCancelled(trx: Write, now: Date): Promise<void> {
  await sql`
    insert into service_instances (reseller_id, customer_id, service_id, sub_id, status, quantity, monthly_price,
      term_id, billing_id, created, last_change)
    select c.reseller_id, c.id, p.service_id, p.sub_id, 'Deleted', 12, p.monthly_price, 'monthly', 'monthly',
      month - interval '4 days', month + interval '2 days'
    from (
      select date_trunc('month', ${now}::timestamptz at time zone 'UTC') at time zone 'UTC'
        - ago * interval '1 month' as month, place
      from unnest(${cancelled}::int[]) with ordinality as wanted (ago, place)
    ) months
    cross join lateral (
      select id, reseller_id from customers
      where reseller_id = 1001 and not suspended and domain <> 'contoso.test' and created < month - interval '30 days'
      order by organisation_id offset months.place limit 1
    ) c
    join products p on p.service_id = 13 and p.sub_id = 1`.execute(trx);
}

/** Inserts what resellers sell for: a third more than they pay, but for some products. */
export async function insertSellingPrices(trx: Write): Promise<void> {
  await sql`
    insert into reseller_prices (reseller_id, service_id, sub_id, term_id, price)
    select r.id, p.service_id, p.sub_id, 'monthly',
      case when (p.service_id + p.sub_id) % 11 = 0 then round(own.price * 0.98, 2) else round(own.price * 4 / 3, 1) end
    from resellers r cross join products p
    cross join lateral (
      select case r.currency when 'EUR' then p.monthly_price_eur else p.monthly_price end as price) own
    where r.id in (1001, 1002, 1005, 1008) and (p.service_id + p.sub_id) % 5 <> 0
    on conflict do nothing`.execute(trx);
}
