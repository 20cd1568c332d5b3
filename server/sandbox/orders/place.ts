import { sql } from 'kysely';
import { recordActivity } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { conflict } from '../http/errors.ts';
import { startJob } from '../jobs/start.ts';
import type { Write } from '../tables.ts';
import { type Checked, checkOrder } from './check.ts';
import type { Buyer, OrderBody } from './tables.ts';

const freeDays = 7;
const day = 86_400_000;

/** Writes an order's id as its number: "ORD-0040001". */
export const orderNumber = (id: number): string => `ORD-${String(id).padStart(7, '0')}`;
/** Gives SQL for the same, from the id of an order in a column; null for none. */
export const orderNumberIn = (column: string) =>
  sql`'ORD-' || lpad(${sql.ref(column)}::text, greatest(7, length(${sql.ref(column)}::text)), '0')`;

/**
 * Gives the dates of an order that is placed now: until when it can be cancelled free of charge, and when it is first
 * charged.
 */
export function datesOf(now: Date) {
  return {
    cancelFreeUntil: new Date(now.getTime() + freeDays * day),
    firstChargeDate: new Date(now.getTime() + (freeDays + 1) * day),
  };
}

/**
 * Checks an order, stores it and starts the job that carries it out, in one transaction.
 * @throws {CloudError} as `checkOrder`
 */
export async function placeOrder(trx: Write, buyer: Buyer, asked: OrderBody, now: Date) {
  const checked = await checkOrder(trx, buyer, asked);
  const { body, product, customerId, userId, term, billing, price, before } = checked;
  const { cancelFreeUntil, firstChargeDate } = datesOf(now);
  const { id } = await trx
    .insertInto('orders')
    .values({
      reseller_id: buyer.resellerId,
      customer_id: customerId,
      user_id: userId,
      account_id: buyer.accountId,
      ordered_by: buyer.displayName,
      action: body.Action,
      service_id: product.serviceId,
      sub_id: product.subId,
      quantity: body.Quantity,
      quantity_before: before?.quantity ?? null,
      price_before: before?.monthly_price ?? null,
      term_id: term.Id,
      billing_id: billing.Id,
      fields: JSON.stringify(body.Fields),
      unit_price: price.unitPrice,
      monthly_price: price.monthlyPrice,
      first_charge: price.firstCharge,
      first_charge_date: firstChargeDate,
      cancel_free_until: cancelFreeUntil,
      currency: buyer.currency,
      created: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const instanceId = await changeInstance(trx, buyer, checked, id, now);
  await trx.updateTable('orders').set({ instance_id: instanceId }).where('id', '=', id).execute();
  await startJob(trx, { instanceId, orderId: id, kind: body.Action === 'Modify' ? 'modify' : 'activate' }, now);
  await refreshCustomer(trx, customerId, now);
  await recordActivity(trx, customerId, buyer, now, {
    action: body.Action === 'Modify' ? 'Service change ordered' : 'Service ordered',
    target: product.name,
    users: userId === null ? [] : [userId],
    detail: `${orderNumber(id)}, ${body.Quantity} in total`,
    ...(before && { before: `${before.quantity} in total` }),
    after: `${body.Quantity} in total, ${term.Name.toLowerCase()}`,
  });
  return { OrderId: id, OrderNumber: orderNumber(id), InstanceId: String(instanceId) };
}

/** A new instance, or the one that is modified. */
async function changeInstance(
  trx: Write,
  buyer: Buyer,
  { body, product, customerId, userId, term, billing, price, before }: Checked,
  orderId: number,
  now: Date,
): Promise<number> {
  if (body.Action === 'Modify' && before) {
    const changed = await trx
      .updateTable('service_instances')
      .set({ status: 'Activating', reason: null, order_id: orderId, last_change: now })
      .where('id', '=', before.id)
      .where('status', '=', 'Active')
      .executeTakeFirst();
    if (changed.numUpdatedRows !== 1n) throw conflict('Only an active service can be modified.');
    return before.id;
  }
  const isOnce = product.chargingModel === 'OneTime';
  const { id } = await trx
    .insertInto('service_instances')
    .values({
      reseller_id: buyer.resellerId,
      customer_id: customerId,
      user_id: userId,
      service_id: product.serviceId,
      sub_id: product.subId,
      status: 'Activating',
      quantity: body.Quantity,
      monthly_price: isOnce ? 0 : price.unitPrice,
      term_id: term.Id,
      billing_id: billing.Id,
      fields: JSON.stringify(body.Fields),
      order_id: orderId,
      replaces: before?.id ?? null,
      created: now,
      last_change: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
