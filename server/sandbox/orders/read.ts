import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf, isVisibleTo } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import {
  date,
  described,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  pageQuery,
  search,
  string,
  text,
} from '../http/schema.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { joinProduct } from '../services/held.ts';
import type { Database } from '../tables.ts';
import { orderNumberIn } from './place.ts';

const stateOf = sql<OrderState>`case when o.cancelled is not null then 'Cancelled' else o.status end`;

export const orderStates = ['Placed', 'Done', 'Failed', 'Cancelled'] as const;
type OrderState = (typeof orderStates)[number];

const order = fields('o', [
  { name: 'OrderNumber', column: orderNumberIn('o.id') },
  { name: 'CustomerId', shape: id, column: sql`c.organisation_id` },
  { name: 'CustomerName', column: sql`c.name` },
  { name: 'UserId', shape: orNull(id) },
  { name: 'InstanceId', shape: orNull(id) },
  { name: 'Action' },
  { name: 'ServiceId', shape: integer },
  { name: 'SubId', shape: integer },
  { name: 'Name', column: sql`p.name` },
  { name: 'Icon', column: sql`p.icon` },
  { name: 'Quantity', shape: integer },
  { name: 'TermId' },
  { name: 'BillingId' },
  { name: 'UnitPrice', shape: money, isNumber: true },
  { name: 'MonthlyPrice', shape: money, isNumber: true },
  { name: 'FirstCharge', shape: money, isNumber: true },
  { name: 'FirstChargeDate', shape: date },
  { name: 'CancelFreeUntil', shape: date },
  { name: 'Currency' },
  { name: 'Status', shape: { enum: orderStates }, column: stateOf },
  {
    name: 'Reason',
    shape: described(orNull(string), 'Why it failed.'),
    column: sql`case when o.status = 'Failed' and o.cancelled is null then i.reason end`,
  },
  { name: 'OrderedBy' },
  { name: 'Created', shape: date },
]);
export const orderSchema = order.schema;
export const orderList = object({
  Items: list(order.schema),
  Total: integer,
  Counts: object({ All: integer, Placed: integer, Done: integer, Failed: integer, Cancelled: integer }),
  Customer: described(orNull(string), 'Whose orders they are, of one customer.'),
});
const orders = sql`orders o join customers c on c.id = o.customer_id ${joinProduct('o')}
  left join service_instances i on i.id = o.instance_id`;

/** The columns that one may sort by; the newest order has the highest id. */
const sortColumns = {
  Created: 'o.id',
  CustomerName: 'c.name',
  Name: 'p.name',
  MonthlyPrice: 'o.monthly_price',
} as const;
const sorts = Object.keys(sortColumns) as (keyof typeof sortColumns)[];
export const ordersQuery = pageQuery({
  customerId: text(40),
  status: { enum: orderStates },
  search,
  sort: { enum: sorts.flatMap(name => [name, `-${name}`] as const), default: '-Created' },
});

/**
 * Lists a page of the orders that the caller may see, of one customer or of all, whose number, customer or product has
 * the words; with the number of each state.
 */
export async function listOrders(db: Database, caller: Caller, { customerId, ...query }: TypeOf<typeof ordersQuery>) {
  const { sort } = query;
  const of = customerId === undefined ? undefined : await customerIdOf(db, caller, customerId);
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
  const column = sql.ref(sortColumns[sort.replace('-', '') as keyof typeof sortColumns]);
  const page = await listPage(db, query, {
    fields: order,
    from: orders,
    where: sql`${isVisibleTo(caller)} and o.reseller_id = ${caller.resellerId}
      ${of === undefined ? sql`` : sql`and o.customer_id = ${of}`}`,
    filters: {
      search: words =>
        sql`(c.name || ' ' || p.name || ' ORD-' || lpad(o.id::text, 7, '0')) ilike
          ${`%${words.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`}`,
      status: status => sql`${stateOf} = ${status}`,
    },
    counts: { filter: 'status', values: orderStates },
    order: sql`${column} ${direction}, o.id ${direction}`,
  });
  const customer = of && (await db.selectFrom('customers').select('name').where('id', '=', of).executeTakeFirst());
  return { ...page, Customer: customer ? customer.name : null };
}

/**
 * Reads an order by its number ("ORD-0040001").
 * @throws {CloudError} 404 when the caller does not see it
 */
export async function readOrder(db: Database, caller: Caller, number: string) {
  const id = /^ORD-(\d{7,15})$/.exec(number)?.[1];
  if (id === undefined) throw notFound();
  const { rows } = await sql<RowOf<typeof order>>`
    select ${selected(order)} from ${orders} where ${isVisibleTo(caller)} and o.id = ${Number(id)}`.execute(db);
  if (rows[0] === undefined) throw notFound();
  return rows[0];
}
