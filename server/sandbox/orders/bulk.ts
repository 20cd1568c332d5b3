import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { isVisibleTo } from '../customers/scope.ts';
import type { Database } from '../database/connect.ts';
import { CloudError, notFound } from '../http/errors.ts';
import type { Write } from '../http/idempotency.ts';
import { findProduct } from '../marketplace/products.ts';
import { idOf } from '../notifications/routes.ts';
import { retryInstance } from '../services/instance-write.ts';
import type { OrderBody } from './body.ts';
import { type Buyer, checkWhat } from './check.ts';
import { orderNumber, placeOrder } from './place.ts';
import { cents, type Price, priceOf } from './price.ts';

export type BulkBody = Omit<OrderBody, 'CustomerId' | 'Action' | 'UserId' | 'InstanceId'> & {
  readonly CustomerIds: readonly string[];
};

/** What it costs for all of the customers that are named; whether each can have it shows when its turn comes. */
export async function quoteBulk(db: Database, caller: Caller, { CustomerIds, ...what }: BulkBody): Promise<Price> {
  const product = await findProduct(db, caller, what.ServiceId, what.SubId);
  const { term, billing } = checkWhat(product, { ...what, CustomerId: '', Action: 'Add' }, 'customer');
  const price = priceOf(product, what.Quantity, term, billing);
  const count = new Set(await findCustomers(db, caller, CustomerIds)).size;
  return {
    ...price,
    monthlyPrice: cents(price.monthlyPrice * count),
    firstCharge: cents(price.firstCharge * count),
  };
}

/** Writes down one product for many customers; the orders follow one by one, so that a long list stalls nobody. */
export async function startBulk(trx: Write, caller: Caller, { CustomerIds, ...what }: BulkBody, now: Date) {
  const product = await findProduct(trx, caller, what.ServiceId, what.SubId);
  const body: OrderBody = { ...what, CustomerId: '', Action: 'Add' };
  checkWhat(product, body, 'customer');
  const customers = await findCustomers(trx, caller, CustomerIds);
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
  const items = customers.map((customer_id, position) => ({ bulk_id: id, position, customer_id }));
  await trx.insertInto('bulk_items').values(items).execute();
  return { BulkId: String(id) };
}

/** In the order in which they were named, each once. One that the caller does not see makes all of it not found. */
async function findCustomers(trx: Database, caller: Caller, keys: readonly string[]): Promise<string[]> {
  const rows = await trx
    .selectFrom('customers as c')
    .where(isVisibleTo(caller))
    .where(({ or, eb, cast, ref }) =>
      or([
        eb(cast<string>(ref('c.organisation_id'), 'text'), 'in', keys),
        eb(cast<string>(ref('c.id'), 'text'), 'in', keys),
      ]),
    )
    .select(['c.id', 'c.organisation_id'])
    .execute();
  const byKey = new Map(
    rows.flatMap(row => [[row.id, row.id] as const, [String(row.organisation_id), row.id] as const]),
  );
  const found = keys.map(key => byKey.get(key));
  if (found.includes(undefined)) throw notFound();
  return [...new Set(found as string[])];
}

/**
 * Orders for the next customer of a bulk that waits, or writes down why not. Two processes never take the same one.
 * @returns false when none waits
 */
export async function placeNextOfBulk(trx: Write, now: Date): Promise<boolean> {
  const next = await trx
    .selectFrom('bulk_items as item')
    .innerJoin('bulk_orders as bulk', 'bulk.id', 'item.bulk_id')
    .where('item.order_id', 'is', null)
    .where('item.reason', 'is', null)
    .select(['item.bulk_id', 'item.position', 'item.customer_id', 'bulk.buyer', 'bulk.body'])
    .orderBy('item.bulk_id')
    .orderBy('item.position')
    .limit(1)
    .forUpdate('item')
    .skipLocked()
    .executeTakeFirst();
  if (next === undefined) return false;
  const outcome = await placeOrder(trx, next.buyer, { ...next.body, CustomerId: next.customer_id }, now).then(
    placed => ({ order_id: placed.OrderId }),
    (error: unknown) => {
      // Every check comes before the first write: a refusal leaves nothing behind.
      if (error instanceof CloudError) return { reason: error.messages[0] ?? error.code };
      throw error;
    },
  );
  await trx
    .updateTable('bulk_items')
    .set(outcome)
    .where('bulk_id', '=', next.bulk_id)
    .where('position', '=', next.position)
    .execute();
  return true;
}

/** What has become of a customer of a bulk. */
export const outcomes = ['done', 'failed', 'notEligible', 'waiting'] as const;
export type Outcome = (typeof outcomes)[number];

const outcomeOf = sql<Outcome>`case when item.reason is not null then 'notEligible'
  when o.status = 'Done' then 'done' when o.status = 'Failed' then 'failed' else 'waiting' end`;

export type ResultQuery = { readonly page: number; readonly pageSize: number; readonly outcome?: Outcome };

/** @throws {CloudError} 404 for a bulk that the caller does not see */
async function findBulk(db: Database, caller: Caller, bulkId: string) {
  const bulk = await db
    .selectFrom('bulk_orders')
    .selectAll()
    .where('id', '=', idOf(bulkId))
    .where('reseller_id', '=', caller.resellerId)
    .executeTakeFirst();
  if (!bulk || (caller.customerId !== null && bulk.buyer.customerId !== caller.customerId)) throw notFound();
  return bulk;
}

const itemsOf = (db: Database, bulkId: number) =>
  db
    .selectFrom('bulk_items as item')
    .leftJoin('orders as o', 'o.id', 'item.order_id')
    .where('item.bulk_id', '=', bulkId);

/** A page of what has become of the customers of a bulk, of one outcome where asked, with how many there are of each. */
export async function readBulk(db: Database, caller: Caller, bulkId: string, query: ResultQuery) {
  const { page, pageSize, outcome } = query;
  const { id, product } = await findBulk(db, caller, bulkId);
  const rows = await itemsOf(db, id)
    .innerJoin('customers as c', 'c.id', 'item.customer_id')
    .leftJoin('service_instances as i', 'i.id', 'o.instance_id')
    .$if(outcome !== undefined, found => found.where(outcomeOf, '=', outcome as Outcome))
    .select(['c.organisation_id', 'c.name', 'item.reason', 'o.id as order_id', 'i.reason as failure'])
    .select(outcomeOf.as('outcome'))
    .orderBy('item.position')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const count = (wanted: Outcome) => sql<number>`count(*) filter (where ${outcomeOf} = ${wanted})`;
  const Counts = await itemsOf(db, id)
    .select(({ fn }) => [
      fn.countAll<number>().as('All'),
      count('done').as('Done'),
      count('failed').as('Failed'),
      count('notEligible').as('NotEligible'),
      count('waiting').as('Waiting'),
    ])
    .executeTakeFirstOrThrow();
  const of = { done: Counts.Done, failed: Counts.Failed, notEligible: Counts.NotEligible, waiting: Counts.Waiting };
  return {
    BulkId: id,
    Product: product,
    Items: rows.map(row => ({
      CustomerId: row.organisation_id,
      Name: row.name,
      Outcome: row.outcome,
      Reason: row.reason ?? (row.outcome === 'failed' ? row.failure : null),
      OrderNumber: row.order_id === null ? null : orderNumber(row.order_id),
    })),
    Total: outcome === undefined ? Counts.All : of[outcome],
    Counts,
  };
}

/** Starts again what has failed, and nothing else. */
export async function retryBulk(trx: Write, caller: Caller, bulkId: string, now: Date): Promise<number> {
  const { id } = await findBulk(trx, caller, bulkId);
  const failed = await itemsOf(trx, id)
    .where(outcomeOf, '=', 'failed')
    .where('o.instance_id', 'is not', null)
    .select('o.instance_id')
    .orderBy('item.position')
    .execute();
  for (const { instance_id } of failed) await retryInstance(trx, caller, String(instance_id), undefined, now);
  return failed.length;
}
