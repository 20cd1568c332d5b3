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
  'o.status as Status',
  'o.ordered_by as OrderedBy',
  'o.created as Created',
] as const;

const numbered = <R extends { Id: number }>({ Id, ...row }: R) => ({ OrderNumber: orderNumber(Id), ...row });

export type OrdersQuery = { readonly page: number; readonly pageSize: number; readonly customerId?: string };

/** Lists a page of the orders that the caller may see, of one customer or of all, the newest first. */
export async function listOrders(db: Database, caller: Caller, { page, pageSize, customerId }: OrdersQuery) {
  const of = customerId === undefined ? undefined : await customerIdOf(db, caller, customerId);
  const found = visibleOrders(db, caller).$if(of !== undefined, query => query.where('o.customer_id', '=', of!));
  const rows = await found
    .select(columns)
    .orderBy('o.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { Total } = await found.select(({ fn }) => fn.countAll<number>().as('Total')).executeTakeFirstOrThrow();
  return { Items: rows.map(numbered), Total };
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
      : await visibleOrders(db, caller).where('o.id', '=', Number(id)).select(columns).executeTakeFirst();
  if (found === undefined) throw notFound();
  return numbered(found);
}
