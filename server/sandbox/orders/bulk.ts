import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { CloudError, notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { retryInstance } from '../services/instance-write.ts';
import type { Database, Write } from '../tables.ts';
import { type BulkOrder, checkBulk, refuseLeftOut } from './bulk-check.ts';
import { orderNumber, placeOrder } from './place.ts';
import type { Buyer } from './tables.ts';

/**
 * Checks and stores an order for many customers. Their orders are placed one by one later, so that a long list holds
 * nobody up.
 * @throws {CloudError} as `checkBulk` and `refuseLeftOut`
 */
export async function startBulk(
  trx: Write,
  caller: Caller,
  { OnlyIfAll, ...order }: BulkOrder & { readonly OnlyIfAll: boolean },
  now: Date,
) {
  const checked = await checkBulk(trx, caller, order);
  refuseLeftOut(checked, OnlyIfAll);
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
  const items = customers.map(({ id, own, Reason }) => ({
    customer_id: id,
    fields: own,
    reason: Reason,
  }));
  await sql`
    insert into bulk_items (bulk_id, position, customer_id, fields, reason)
    select ${id}, place - 1, customer_id, fields, reason
    from rows from (jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      as (customer_id uuid, fields jsonb, reason text)) with ordinality as item (customer_id, fields, reason, place)
    `.execute(trx);
  return { BulkId: String(id) };
}

/**
 * Places the order of the next customer of a waiting bulk order, or stores why it cannot. Two processes never take the
 * same customer.
 * @returns false when none waits
 */
export async function placeNextOfBulk(trx: Write, now: Date): Promise<boolean> {
  const next = await trx
    .selectFrom('bulk_items as item')
    .innerJoin('bulk_orders as bulk', 'bulk.id', 'item.bulk_id')
    .where('item.order_id', 'is', null)
    .where('item.reason', 'is', null)
    .select(['item.bulk_id', 'item.position', 'item.customer_id', 'item.fields', 'bulk.buyer', 'bulk.body'])
    .orderBy('item.bulk_id')
    .orderBy('item.position')
    .limit(1)
    .forUpdate('item')
    .skipLocked()
    .executeTakeFirst();
  if (next === undefined) return false;
  const Fields = { ...next.body.Fields, ...next.fields };
  const outcome = await placeOrder(trx, next.buyer, { ...next.body, Fields, CustomerId: next.customer_id }, now).then(
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
export type BulkOutcome = (typeof outcomes)[number];

const outcomeOf = sql<BulkOutcome>`case when item.reason is not null then 'notEligible'
  when o.status = 'Done' then 'done' when o.status = 'Failed' then 'failed' else 'waiting' end`;

export type ResultQuery = { readonly page: number; readonly pageSize: number; readonly outcome?: BulkOutcome };

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

/**
 * Lists a page of the customers of a bulk order with the outcome of each, only those with `outcome` if given, and the
 * number of each outcome.
 * @throws {CloudError} 404 when the caller does not see the bulk order
 */
export async function readBulk(db: Database, caller: Caller, bulkId: string, query: ResultQuery) {
  const { page, pageSize, outcome } = query;
  const { id, product } = await findBulk(db, caller, bulkId);
  const rows = await itemsOf(db, id)
    .innerJoin('customers as c', 'c.id', 'item.customer_id')
    .leftJoin('service_instances as i', 'i.id', 'o.instance_id')
    .$if(outcome !== undefined, found => found.where(outcomeOf, '=', outcome as BulkOutcome))
    .select(['c.organisation_id', 'c.name', 'item.reason', 'item.fields', 'o.id as order_id', 'i.reason as failure'])
    .select(outcomeOf.as('outcome'))
    .orderBy('item.position')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const count = (wanted: BulkOutcome) => sql<number>`count(*) filter (where ${outcomeOf} = ${wanted})`;
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
      Values: Object.values(row.fields).filter(Boolean).join(' · '),
      Outcome: row.outcome,
      Reason: row.reason ?? (row.outcome === 'failed' ? row.failure : null),
      OrderNumber: row.order_id === null ? null : orderNumber(row.order_id),
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
  for (const { instance_id } of failed) await retryInstance(trx, caller, String(instance_id), undefined, now);
  return failed.length;
}
