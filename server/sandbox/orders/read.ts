import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf, isVisibleTo } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import type { Database } from '../tables.ts';
import { orderNumber } from './place.ts';

function visibleOrders(db: Database, caller: Caller) {
  return db
    .selectFrom('orders as o')
    .innerJoin('customers as c', 'c.id', 'o.customer_id')
    .innerJoin('products as p', join =>
      join.onRef('p.service_id', '=', 'o.service_id').onRef('p.sub_id', '=', 'o.sub_id'),
    )
    .leftJoin('service_instances as i', 'i.id', 'o.instance_id')
    .where(isVisibleTo(caller));
}

const columns = [
  'o.id as Id',
  'c.organisation_id as CustomerId',
  'c.name as CustomerName',
  'o.user_id as UserId',
  'o.instance_id as InstanceId',
  'o.action as Action',
  'o.service_id as ServiceId',
  'o.sub_id as SubId',
  'p.name as Name',
  'p.icon as Icon',
  'o.quantity as Quantity',
  'o.term_id as TermId',
  'o.billing_id as BillingId',
  'o.unit_price as UnitPrice',
  'o.monthly_price as MonthlyPrice',
  'o.first_charge as FirstCharge',
  'o.first_charge_date as FirstChargeDate',
  'o.cancel_free_until as CancelFreeUntil',
  'o.currency as Currency',
  'o.ordered_by as OrderedBy',
  'o.created as Created',
] as const;
const stateOf = sql<OrderState>`case when o.cancelled is not null then 'Cancelled' else o.status end`;
/** Why it failed, as its service says. */
const reasonOf = sql<string | null>`case when o.status = 'Failed' and o.cancelled is null then i.reason end`.as(
  'Reason',
);

const numbered = <R extends { Id: number }>({ Id, ...row }: R) => ({ OrderNumber: orderNumber(Id), ...row });

export const orderStates = ['Placed', 'Done', 'Failed', 'Cancelled'] as const;
type OrderState = (typeof orderStates)[number];

/** The columns that one may sort by; the newest order has the highest id. */
const sortColumns = {
  Created: 'o.id',
  CustomerName: 'c.name',
  Name: 'p.name',
  MonthlyPrice: 'o.monthly_price',
} as const;
type SortColumn = keyof typeof sortColumns;
export const orderSorts = Object.keys(sortColumns).flatMap(name => [name, `-${name}`]) as (
  | SortColumn
  | `-${SortColumn}`
)[];

export type OrdersQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: SortColumn | `-${SortColumn}`;
  readonly search: string;
  readonly customerId?: string;
  readonly status?: OrderState;
};

/**
 * Lists a page of the orders that the caller may see, of one customer or of all, whose number, customer or product has
 * the words; with the number of each state.
 */
export async function listOrders(db: Database, caller: Caller, query: OrdersQuery) {
  const { page, pageSize, sort, search, customerId, status } = query;
  const of = customerId === undefined ? undefined : await customerIdOf(db, caller, customerId);
  const words = `%${search.normalize('NFC').replace(/[\\%_]/g, '\\$&')}%`;
  const matched = visibleOrders(db, caller)
    .where('o.reseller_id', '=', caller.resellerId)
    .$if(of !== undefined, found => found.where('o.customer_id', '=', of!))
    .$if(search !== '', found =>
      found.where(sql<boolean>`(c.name || ' ' || p.name || ' ORD-' || lpad(o.id::text, 7, '0')) ilike ${words}`),
    );
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const rows = await matched
    .$if(status !== undefined, found => found.where(stateOf, '=', status!))
    .select(columns)
    .select([reasonOf, stateOf.as('Status')])
    .orderBy(sortColumns[sort.replace('-', '') as SortColumn], direction)
    .orderBy('o.id', direction)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const groups = await matched
    .select(({ fn }) => [stateOf.as('status'), fn.countAll<number>().as('count')])
    .groupBy(stateOf)
    .execute();
  const count = (state: OrderState) => Number(groups.find(group => group.status === state)?.count ?? 0);
  const Counts = {
    All: groups.reduce((all, group) => all + Number(group.count), 0),
    Placed: count('Placed'),
    Done: count('Done'),
    Failed: count('Failed'),
    Cancelled: count('Cancelled'),
  };
  const customer = of && (await db.selectFrom('customers').select('name').where('id', '=', of).executeTakeFirst());
  return {
    Items: rows.map(numbered),
    Total: Counts[status ?? 'All'],
    Counts,
    Customer: customer ? customer.name : null,
  };
}

/**
 * Reads an order by its number ("ORD-0040001").
 * @throws {CloudError} 404 when the caller does not see it
 */
export async function readOrder(db: Database, caller: Caller, number: string) {
  const id = /^ORD-(\d{7,15})$/.exec(number)?.[1];
  const found =
    id === undefined
      ? undefined
      : await visibleOrders(db, caller)
          .where('o.id', '=', Number(id))
          .select(columns)
          .select([reasonOf, stateOf.as('Status')])
          .executeTakeFirst();
  if (found === undefined) throw notFound();
  return numbered(found);
}
