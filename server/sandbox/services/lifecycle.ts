import { recordActivity } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import type { Write } from '../http/idempotency.ts';
import { sendHint } from '../notifications/hints.ts';
import { notifyReseller } from '../notifications/store.ts';
import { endings, tellOf } from './endings.ts';

/**
 * Ends the change that has been due longest: the instance gets its next status, and its customer's row, activity,
 * notifications and hints go with it in the same transaction. Two processes never take the same one.
 * @returns false when nothing is due
 */
export async function finishDueChange(trx: Write, now: Date): Promise<boolean> {
  const due = await trx
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('products as p', join =>
      join.onRef('p.service_id', '=', 'i.service_id').onRef('p.sub_id', '=', 'i.sub_id'),
    )
    .where('i.due', '<=', now)
    .where('i.next_status', 'is not', null)
    .select([
      'i.id',
      'i.reseller_id',
      'i.customer_id',
      'i.next_status',
      'i.next_reason',
      'c.name as customer',
      'c.organisation_id',
      'p.name as service',
    ])
    .orderBy('i.due')
    .limit(1)
    .forUpdate('i')
    .skipLocked()
    .executeTakeFirst();
  if (due?.next_status == null) return false;
  const { id, customer_id, customer, service, next_status: status, next_reason: reason } = due;
  const ending = endings[status];
  if (ending === undefined) throw new Error(`Instance ${id} cannot become ${status}.`);
  await trx
    .updateTable('service_instances')
    .set({ status, reason, last_change: now, due: null, next_status: null, next_reason: null })
    .where('id', '=', id)
    .execute();
  if (status === 'Deleted') await trx.deleteFrom('user_services').where('instance_id', '=', id).execute();
  await refreshCustomer(trx, customer_id, now);
  const detail = reason ?? '';
  await recordActivity(trx, customer_id, undefined, now, { action: ending.action, target: service, detail });
  await notifyReseller(trx, due.reseller_id, now, tellOf(ending, service, customer, detail));
  const audience = { reseller: due.reseller_id, customer: customer_id };
  await sendHint(trx, audience, { kind: 'service-changed', organisationId: String(due.organisation_id) });
  return true;
}
