import type { Caller } from '../auth/caller.ts';
import { cancelActivation } from '../services/instance-write.ts';
import type { Write } from '../tables.ts';
import { findBulk, isCancellable, itemsOf } from './bulk.ts';

/**
 * Cancels what a bulk order has ordered, while that is free of charge: nothing more is ordered, what is being activated
 * is stopped, and what it made is deleted. What was changed since stays.
 * @returns how many orders are cancelled, and how many stay
 * @throws {CloudError} 404 when the caller does not see the bulk order
 */
export async function cancelBulk(trx: Write, caller: Caller, bulkId: string, now: Date) {
  const { id } = await findBulk(trx, caller, bulkId);
  // The worker that places orders takes an item as a whole: here one waits for it.
  await trx.selectFrom('bulk_items').select('position').where('bulk_id', '=', id).forUpdate().execute();
  const items = await itemsOf(trx, id)
    .where('item.reason', 'is', null)
    .select(['item.position', 'item.cancelled', 'o.id as order_id', 'o.instance_id', 'o.cancelled as order_cancelled'])
    .select(isCancellable(now).as('isCancellable'))
    .orderBy('item.position')
    .execute();
  const ordered = items.filter(item => item.isCancellable);
  for (const { order_id, instance_id, position } of ordered) {
    if (order_id === null) {
      const item = trx.updateTable('bulk_items').set({ cancelled: now }).where('bulk_id', '=', id);
      await item.where('position', '=', position).execute();
      continue;
    }
    await cancelActivation(trx, caller, String(instance_id), now);
    await trx.updateTable('orders').set({ cancelled: now }).where('id', '=', order_id).execute();
  }
  const before = items.filter(item => item.cancelled !== null || item.order_cancelled !== null).length;
  return { Cancelled: ordered.length, Kept: items.length - ordered.length - before };
}
