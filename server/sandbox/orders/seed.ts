import { sql } from 'kysely';
import { isProductOf } from '../services/held.ts';
import type { Write } from '../tables.ts';
import { insertPastOrders, isUnsettled } from './past-orders.ts';

const northwind = 1001;
/** Services whose orders are in the list of orders. */
const most = 30;
/** Products that were added to several customers at once; who was suspended was not eligible. */
const bulkProducts = [
  { serviceId: 17, subId: 1, leftOut: 'Greyfriars Housing' },
  { serviceId: 12, subId: 1, leftOut: 'Quayside Marine' },
];

/**
 * Adds the orders that made the newest services of the customers of the reseller Northwind, and those that are not
 * carried out of all resellers, as old as these are, and groups some into two orders for several customers, so that a
 * demo has lists of both.
 */
export async function insertOrders(trx: Write): Promise<void> {
  await insertPastOrders(
    trx,
    sql`${isUnsettled} or i.id in (
      select id from service_instances
      where reseller_id = ${northwind} and user_id is null and order_id is null and monthly_price > 0
        and status = 'Active'
        and not exists (select from orders where reseller_id = ${northwind} and action = 'Add')
      order by created desc, id desc
      limit ${most})`,
  );
  for (const product of bulkProducts) await insertBulk(trx, product);
}

/** Makes one order for several customers of the seeded orders of a product; none where there are fewer than three. */
async function insertBulk(trx: Write, { serviceId, subId, leftOut }: (typeof bulkProducts)[number]): Promise<void> {
  const orders = await trx
    .selectFrom('orders as o')
    .innerJoin('resellers as r', 'r.id', 'o.reseller_id')
    .innerJoin('products as p', join => join.on(isProductOf('o')))
    .where('o.reseller_id', '=', northwind)
    .where('o.service_id', '=', serviceId)
    .where('o.sub_id', '=', subId)
    .where('o.action', '=', 'Add')
    .where('o.status', '=', 'Done')
    .select(['o.id', 'o.customer_id', 'o.account_id', 'o.quantity', 'o.fields', 'o.created', 'p.name', 'r.currency'])
    .orderBy('o.id')
    .execute();
  const [first] = orders;
  if (first === undefined || orders.length < 3) return;
  const buyer = { accountId: first.account_id ?? 0, currency: first.currency, customerId: null, resellerId: northwind };
  const body = { CustomerId: '', Action: 'Add', ServiceId: serviceId, SubId: subId, Quantity: 1, Fields: {} };
  const { id } = await trx
    .insertInto('bulk_orders')
    .values({
      reseller_id: northwind,
      buyer: JSON.stringify({ ...buyer, displayName: 'Priya Raman', userType: 'reseller', actorName: null }),
      body: JSON.stringify({ ...body, TermId: 'monthly', BillingId: 'monthly' }),
      product: first.name,
      created: first.created,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const items = orders.map(({ id: order_id, customer_id, quantity, fields }, position) => ({
    ...{ bulk_id: id, position, customer_id, order_id, quantity },
    fields: JSON.stringify(fields),
  }));
  await trx.insertInto('bulk_items').values(items).execute();
  await sql`
    insert into bulk_items (bulk_id, position, customer_id, reason)
    select ${id}::bigint, ${items.length}::int, id, 'This customer is suspended.' from customers
    where reseller_id = ${northwind} and name = ${leftOut} and suspended`.execute(trx);
}
