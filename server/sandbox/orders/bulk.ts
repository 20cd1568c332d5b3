import { type RawBuilder, type Selectable, sql } from 'kysely';
import { requireApproval } from '../approvals/require.ts';
import type { Caller } from '../auth/caller.ts';
import type { Containment } from '../contain.ts';
import { CloudError, notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { TypeOf } from '../http/route.ts';
import { pageQuery } from '../http/schema.ts';
import { seesCustomer } from '../limits/seers.ts';
import { checkEligibility } from '../marketplace/eligible-customers.ts';
import { retryInstance } from '../services/instance-write.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { type BulkOrder, checkBulk, meaningOf, refuseLeftOut } from './bulk-check.ts';
import { orderNumber, placeOrder } from './place.ts';
import type { Buyer } from './tables.ts';

/** Of a customer that could not have the product when the order was checked, and now could. */
const couldNot = 'It could not have this when the order was checked.';

/**
 * Checks and stores an order for many customers. Their orders are placed one by one later, so that a long list holds
 * nobody up.
 * @throws {CloudError} as `checkBulk`, `refuseLeftOut` and `requireApproval`
 */
export async function startBulk(
  trx: Write,
  caller: Caller,
  { OnlyIfAll, LeftOut, ...order }: BulkOrder & { readonly OnlyIfAll: boolean; readonly LeftOut: readonly string[] },
  now: Date,
) {
  const checked = await checkBulk(trx, caller, order);
  refuseLeftOut(checked, OnlyIfAll);
  const count = checked.customers.filter(({ Obstacle }) => Obstacle === null).length;
  await requireApproval(trx, caller, { kind: 'BulkOrder', count }, () => meaningOf(checked, caller));
  const { product, body, customers } = checked;
  const { accountId, currency, customerId, resellerId, displayName, userType, actorName } = caller;
  const buyer: Buyer = { accountId, currency, customerId, resellerId, displayName, userType, actorName };
  const { id } = await trx
    .insertInto('bulk_orders')
    .values({
      reseller_id: resellerId,
      buyer: JSON.stringify(buyer),
      body: JSON.stringify(body),
      product: product.name,
      created: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const named = new Set(customers.map(({ id }) => id));
  const leftOut = (await checkEligibility(trx, caller, product, LeftOut)).filter(({ id }) => !named.has(id));
  const others = leftOut.map(({ id, Reason }) => ({
    id,
    quantity: null,
    own: {},
    ifHeld: undefined,
    Reason: Reason ?? couldNot,
  }));
  const items = [...customers, ...others].map(({ id, quantity, own, ifHeld, Reason }) => ({
    customer_id: id,
    quantity,
    fields: own,
    if_held: ifHeld ?? null,
    reason: Reason,
  }));
  await sql`
    insert into bulk_items (bulk_id, position, customer_id, quantity, fields, if_held, reason)
    select ${id}, place - 1, customer_id, quantity, fields, if_held, reason
    from rows from (jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      as (customer_id uuid, quantity integer, fields jsonb, if_held text, reason text))
      with ordinality as item (customer_id, quantity, fields, if_held, reason, place)
    `.execute(trx);
  return { BulkId: String(id) };
}

/**
 * Places the order of the next customer of a waiting bulk order, or stores why it cannot. Two processes never take the
 * same customer. One that throws is undone, and its bulk order waits while others go on.
 * @returns false when none waits
 */
export async function placeNextOfBulk(trx: Write, now: Date, contained: Containment): Promise<boolean> {
  const next = await trx
    .selectFrom('bulk_items as item')
    .innerJoin('bulk_orders as bulk', 'bulk.id', 'item.bulk_id')
    .where('item.order_id', 'is', null)
    .where('item.reason', 'is', null)
    .where('item.cancelled', 'is', null)
    .where(sql<boolean>`item.bulk_id <> all(${contained.waiting()}::bigint[])`)
    .select(['item.bulk_id', 'item.position', 'item.customer_id', 'item.quantity', 'item.fields', 'item.if_held'])
    .select(['bulk.buyer', 'bulk.body'])
    .orderBy('item.bulk_id')
    .orderBy('item.position')
    .limit(1)
    .forUpdate('item')
    .skipLocked()
    .executeTakeFirst();
  if (next === undefined) return false;
  await contained.runIn(trx, next.bulk_id, () => placeItem(trx, next, now));
  return true;
}

type Item = Pick<
  Selectable<Tables['bulk_items']>,
  'bulk_id' | 'position' | 'customer_id' | 'quantity' | 'fields' | 'if_held'
> &
  Pick<Selectable<Tables['bulk_orders']>, 'buyer' | 'body'>;

/** Of a customer that the buyer was allowed to see when the order was made, and is not any more. */
const notSeen = 'Who ordered this does not see this customer any more.';

async function placeItem(trx: Write, next: Item, now: Date): Promise<void> {
  const Fields = { ...next.body.Fields, ...next.fields };
  const Quantity = next.quantity ?? next.body.Quantity;
  const held = next.if_held === null ? {} : { IfHeld: next.if_held };
  const order = { ...next.body, ...held, Quantity, Fields, CustomerId: next.customer_id };
  const place = () =>
    placeOrder(trx, next.buyer, order, now).then(
      placed => ({ order_id: placed.OrderId }),
      (error: unknown) => {
        // Every check comes before the first write: a refusal leaves nothing behind.
        if (error instanceof CloudError) return { reason: error.messages[0] ?? error.code };
        throw error;
      },
    );
  const isSeen = await seesCustomer(trx, next.buyer.accountId, next.customer_id);
  const outcome = isSeen ? await place() : { reason: notSeen };
  await trx
    .updateTable('bulk_items')
    .set(outcome)
    .where('bulk_id', '=', next.bulk_id)
    .where('position', '=', next.position)
    .execute();
}

/** Outcomes of a customer of a bulk order. */
export const outcomes = ['done', 'failed', 'notEligible', 'cancelled', 'waiting'] as const;
export type BulkOutcome = (typeof outcomes)[number];

const outcomeOf = sql<BulkOutcome>`case when item.reason is not null then 'notEligible'
  when item.cancelled is not null or o.cancelled is not null then 'cancelled'
  when o.status = 'Done' then 'done' when o.status = 'Failed' then 'failed' else 'waiting' end`;

export const resultQuery = pageQuery({ outcome: { enum: outcomes } }, 1000);
type ResultQuery = TypeOf<typeof resultQuery>;

/**
 * Finds a bulk order (an order for many customers) by its id.
 * @throws {CloudError} 404 for one that the caller does not see
 */
export async function findBulk(db: Database, caller: Caller, bulkId: string) {
  const bulk = await db
    .selectFrom('bulk_orders')
    .selectAll()
    .where('id', '=', idOf(bulkId))
    .where('reseller_id', '=', caller.resellerId)
    .executeTakeFirst();
  if (!bulk || (caller.customerId !== null && bulk.buyer.customerId !== caller.customerId)) throw notFound();
  return bulk;
}

/** Builds the query for the items of a bulk order, one per customer, each with its order once that is placed. */
export const itemsOf = (db: Database, bulkId: number) =>
  db
    .selectFrom('bulk_items as item')
    .leftJoin('orders as o', 'o.id', 'item.order_id')
    .where('item.bulk_id', '=', bulkId);

/**
 * Gives SQL for whether a bulk order's item can be cancelled: its order is not placed yet, or the service is unchanged
 * and still free of charge to cancel.
 */
export const isCancellable = (now: Date): RawBuilder<boolean> => sql<boolean>`(
  item.cancelled is null and item.reason is null and (item.order_id is null or (
    o.cancelled is null and o.cancel_free_until > ${now}::timestamptz
    and exists (select from service_instances i where i.id = o.instance_id and i.order_id = o.id
      and i.status in ('Activating', 'Active', 'ActivationFailed')))))`;

/** How far a bulk order has come as a whole. */
function stateOf(counts: Readonly<Record<'Waiting' | 'Failed' | 'Done' | 'Cancelled', number>>) {
  if (counts.Waiting > 0) return 'Running';
  if (counts.Failed > 0) return 'Failed';
  return counts.Done === 0 && counts.Cancelled > 0 ? 'Cancelled' : 'Done';
}

const countOf = (wanted: BulkOutcome) => sql<number>`count(*) filter (where ${outcomeOf} = ${wanted})`;
const counts = [
  sql<number>`count(*)`.as('All'),
  ...(['Done', 'Failed', 'NotEligible', 'Cancelled', 'Waiting'] as const).map(name =>
    countOf(`${name.charAt(0).toLowerCase()}${name.slice(1)}` as BulkOutcome).as(name),
  ),
  sql<number>`count(*) filter (where ${outcomeOf} <> 'waiting')`.as('Ended'),
];

/**
 * Lists a page of the orders for many customers, the newest first, each with how far it has come and what those cost
 * that are done.
 */
export async function listBulks(
  db: Database,
  caller: Caller,
  { page, pageSize }: Pick<ResultQuery, 'page' | 'pageSize'>,
) {
  const visible = db
    .selectFrom('bulk_orders as bulk')
    .where('bulk.reseller_id', '=', caller.resellerId)
    .$if(caller.customerId !== null, found =>
      found.where(sql<boolean>`bulk.buyer ->> 'customerId' = ${caller.customerId}`),
    );
  const rows = await visible
    .select(['bulk.id', 'bulk.product', 'bulk.created', sql<string>`bulk.buyer ->> 'displayName'`.as('by')])
    .orderBy('bulk.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { Total } = await visible.select(({ fn }) => fn.countAll<number>().as('Total')).executeTakeFirstOrThrow();
  const progress = await db
    .selectFrom('bulk_items as item')
    .leftJoin('orders as o', 'o.id', 'item.order_id')
    .where('item.bulk_id', 'in', [0, ...rows.map(({ id }) => id)])
    .select('item.bulk_id')
    .select(counts)
    .select(sql<number>`coalesce(sum(o.monthly_price) filter (where ${outcomeOf} = 'done'), 0)`.as('MonthlyPrice'))
    .groupBy('item.bulk_id')
    .execute();
  const byId = new Map(progress.map(({ bulk_id, ...found }) => [bulk_id, found]));
  const Items = rows.map(({ id, product, created, by }) => {
    const { MonthlyPrice = 0, ...found } = byId.get(id) ?? {};
    const none = { All: 0, Done: 0, Failed: 0, NotEligible: 0, Cancelled: 0, Waiting: 0, Ended: 0 };
    const Counts = { ...none, ...found };
    const Status = stateOf(Counts);
    return { BulkId: id, Product: product, Created: created, OrderedBy: by, MonthlyPrice, Status, ...Counts };
  });
  return { Items, Total: Number(Total) };
}

/**
 * Lists a page of the customers of a bulk order with the outcome of each, only those with `outcome` if given, and the
 * number of each outcome.
 * @throws {CloudError} 404 when the caller does not see the bulk order
 */
export async function readBulk(db: Database, caller: Caller, bulkId: string, query: ResultQuery, now: Date) {
  const { page, pageSize, outcome } = query;
  const { id, product, created, buyer, body } = await findBulk(db, caller, bulkId);
  const rows = await itemsOf(db, id)
    .innerJoin('customers as c', 'c.id', 'item.customer_id')
    .leftJoin('service_instances as i', 'i.id', 'o.instance_id')
    .$if(outcome !== undefined, found => found.where(outcomeOf, '=', outcome!))
    .select([
      'c.organisation_id',
      'c.name',
      'item.reason',
      'item.fields',
      'o.id as order_id',
      'o.instance_id',
      'i.reason as failure',
    ])
    .select(['item.quantity', 'o.monthly_price'])
    .select(outcomeOf.as('outcome'))
    .orderBy(sql`${outcomeOf} = 'failed'`, 'desc')
    .orderBy('item.position')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const Counts = await itemsOf(db, id)
    .select(counts)
    .select(sql<number>`count(*) filter (where ${isCancellable(now)})`.as('Cancellable'))
    .executeTakeFirstOrThrow();
  const of = {
    done: Counts.Done,
    failed: Counts.Failed,
    notEligible: Counts.NotEligible,
    cancelled: Counts.Cancelled,
    waiting: Counts.Waiting,
  };
  return {
    BulkId: id,
    Product: product,
    Created: created,
    OrderedBy: buyer.displayName,
    Items: rows.map(row => ({
      CustomerId: row.organisation_id,
      Name: row.name,
      Quantity: row.outcome === 'notEligible' ? null : (row.quantity ?? body.Quantity),
      MonthlyPrice: row.outcome === 'done' ? row.monthly_price : null,
      Values: Object.values(row.fields).filter(Boolean).join(' · '),
      Outcome: row.outcome,
      Reason: row.reason ?? (row.outcome === 'failed' ? row.failure : null),
      OrderNumber: row.order_id === null ? null : orderNumber(row.order_id),
      InstanceId: row.instance_id,
    })),
    Total: outcome === undefined ? Counts.All : of[outcome],
    Counts,
  };
}

/**
 * Retries the failed services of a bulk order; gives how many.
 * @throws {CloudError} 404 when the caller does not see the bulk order
 */
export async function retryBulk(trx: Write, caller: Caller, bulkId: string, now: Date): Promise<number> {
  const { id } = await findBulk(trx, caller, bulkId);
  const failed = await itemsOf(trx, id)
    .where(outcomeOf, '=', 'failed')
    .where('o.instance_id', 'is not', null)
    .select('o.instance_id')
    .orderBy('item.position')
    .execute();
  for (const { instance_id } of failed) await retryInstance(trx, caller, String(instance_id), {}, now);
  return failed.length;
}
