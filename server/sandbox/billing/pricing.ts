import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { refuseField } from '../http/refusals.ts';
import { visibleProducts } from '../marketplace/products.ts';
import { containing, searchKeyOf } from '../search.ts';
import { isHeld } from '../services/held.ts';
import type { Database } from '../tables.ts';

export const marginFilters = ['none', 'below'] as const;
/** How a price stands to what is paid: above it or the same, below it, or not set. */
export const priceStates = ['Covered', 'Below', 'Unset'] as const;

export type PricingQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly margin?: (typeof marginFilters)[number] | undefined;
};

/**
 * Lists a page of the caller's price list by product: what it pays for a unit a month, how many its customers hold, what
 * it sells for, and the margin between.
 */
export async function listPrices(db: Database, caller: Caller, { page, pageSize, search, margin }: PricingQuery) {
  const products = await visibleProducts(db, caller);
  const listed = sql`
    select p.key as "Key", p.name as "Name", p.icon as "Icon", p.unit as "Unit", p.cost::numeric(10, 2) as cost,
      s.price, coalesce(held.quantity, 0)::int as "InUse", p.service_id, p.sub_id
    from unnest(${products.map(({ key }) => key)}::text[], ${products.map(({ name }) => name)}::text[],
      ${products.map(({ icon }) => icon)}::text[], ${products.map(({ offer }) => offer.Unit)}::text[],
      ${products.map(({ price }) => price)}::numeric[], ${products.map(({ serviceId }) => serviceId)}::int[],
      ${products.map(({ subId }) => subId)}::int[]) as p (key, name, icon, unit, cost, service_id, sub_id)
    left join reseller_prices s on s.reseller_id = ${caller.resellerId} and s.service_id = p.service_id
      and s.sub_id = p.sub_id and s.term_id = 'monthly'
    left join (
      select service_id, sub_id, sum(quantity) as quantity from service_instances
      where reseller_id = ${caller.resellerId} and was_active and ${isHeld('service_instances')}
      group by service_id, sub_id
    ) held on held.service_id = p.service_id and held.sub_id = p.sub_id
    where (${search} = '' or ${searchKeyOf(sql`p.name`)} like ${containing(search)})
      ${margin === 'none' ? sql`and s.price is null` : margin === 'below' ? sql`and s.price < p.cost` : sql``}`;
  const { rows } = await sql<Record<string, unknown>>`
    select "Key", "Name", "Icon", "Unit", "InUse", cost::text as "Cost", price::text as "Price",
      (price - cost)::text as "Margin",
      case when price > 0 then round((price - cost) / price * 100, 1) end as "Percent",
      case when price is null then 'Unset' when price < cost then 'Below' else 'Covered' end as "State"
    from (${listed}) l order by "Name", "Key" limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  const { rows: counts } = await sql<{ Total: number }>`select count(*)::int as "Total" from (${listed}) l`.execute(db);
  return { Items: rows.map(row => ({ ...row, Currency: caller.currency })), Total: counts[0]?.Total ?? 0 };
}

/**
 * Sets the price for which the caller's reseller sells a product.
 * @throws {CloudError} 404 for a product that it does not see, 400 for what is no price and for 0.00
 */
export async function setPrice(db: Database, caller: Caller, key: string, price: string): Promise<void> {
  const product = (await visibleProducts(db, caller)).find(one => one.key === key);
  if (product === undefined) throw notFound();
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(price)) throw refuseField('Price', 'PriceMalformed');
  if (Number(price) === 0) throw refuseField('Price', 'PriceZero');
  await db
    .insertInto('reseller_prices')
    .values({
      reseller_id: caller.resellerId,
      service_id: product.serviceId,
      sub_id: product.subId,
      term_id: 'monthly',
      price,
    })
    .onConflict(on => on.columns(['reseller_id', 'service_id', 'sub_id', 'term_id']).doUpdateSet({ price }))
    .execute();
}

/**
 * Removes the price for which the caller's reseller sells a product.
 * @throws {CloudError} 404 for a product that it does not see or has no price for
 */
export async function removePrice(db: Database, caller: Caller, key: string): Promise<void> {
  const product = (await visibleProducts(db, caller)).find(one => one.key === key);
  const { numDeletedRows } = await db
    .deleteFrom('reseller_prices')
    .where('reseller_id', '=', caller.resellerId)
    .where('service_id', '=', product?.serviceId ?? -1)
    .where('sub_id', '=', product?.subId ?? -1)
    .where('term_id', '=', 'monthly')
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound();
}
