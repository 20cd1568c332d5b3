import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { refuseField } from '../http/refusals.ts';
import type { TypeOf } from '../http/route.ts';
import { id, integer, list, money, number, object, orNull, pageQuery, search, string } from '../http/schema.ts';
import { visibleProducts } from '../marketplace/products.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, searchKeyOf } from '../search.ts';
import { isHeld } from '../services/held.ts';
import type { Database } from '../tables.ts';

export const marginFilters = ['none', 'below'] as const;
/** How a price stands to what is paid: above it or the same, below it, or not set. */
export const priceStates = ['Covered', 'Below', 'Unset'] as const;

export const pricesQuery = pageQuery({ search, margin: { enum: marginFilters } });
const price = fields('p', [
  { name: 'Key', shape: id },
  { name: 'Name' },
  { name: 'Icon' },
  { name: 'Unit' },
  { name: 'InUse', shape: integer, column: sql`coalesce(held.quantity, 0)::int` },
  { name: 'Cost', shape: money },
  { name: 'Price', shape: orNull(money), column: sql`s.price` },
  { name: 'Margin', shape: orNull(money), column: sql`s.price - p.cost` },
  {
    name: 'Percent',
    shape: orNull(number),
    column: sql`case when s.price > 0 then round((s.price - p.cost) / s.price * 100, 1) end`,
  },
  {
    name: 'State',
    shape: { ...string, enum: priceStates },
    column: sql`case when s.price is null then 'Unset' when s.price < p.cost then 'Below' else 'Covered' end`,
  },
]);
export const prices = object({ Items: list(object({ ...price.shapes, Currency: string })), Total: integer });

/**
 * Lists a page of the caller's price list by product: what it pays for a unit a month, how many its customers hold, what
 * it sells for, and the margin between.
 */
export async function listPrices(db: Database, caller: Caller, query: TypeOf<typeof pricesQuery>) {
  const products = await visibleProducts(db, caller);
  const { Items, Total } = await listPage(db, query, {
    fields: price,
    from: sql`(
      select key, name, icon, unit, cost::numeric(10, 2), service_id, sub_id
      from unnest(${products.map(({ key }) => key)}::text[], ${products.map(({ name }) => name)}::text[],
        ${products.map(({ icon }) => icon)}::text[], ${products.map(({ offer }) => offer.Unit)}::text[],
        ${products.map(({ price }) => price)}::numeric[], ${products.map(({ serviceId }) => serviceId)}::int[],
        ${products.map(({ subId }) => subId)}::int[]) as p (key, name, icon, unit, cost, service_id, sub_id)) p
      left join reseller_prices s on s.reseller_id = ${caller.resellerId} and s.service_id = p.service_id
        and s.sub_id = p.sub_id and s.term_id = 'monthly'
      left join (
        select service_id, sub_id, sum(quantity) as quantity from service_instances
        where reseller_id = ${caller.resellerId} and was_active and ${isHeld('service_instances')}
        group by service_id, sub_id
      ) held on held.service_id = p.service_id and held.sub_id = p.sub_id`,
    filters: {
      search: text => sql`${searchKeyOf(sql`p.name`)} like ${containing(text)}`,
      margin: margin => (margin === 'none' ? sql`s.price is null` : sql`s.price < p.cost`),
    },
    order: sql`p.name, p.key`,
  });
  return { Items: Items.map(row => ({ ...row, Currency: caller.currency })), Total };
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
