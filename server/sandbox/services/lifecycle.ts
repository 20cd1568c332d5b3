import { recordActivity } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import type { InstanceStatus } from '../database/tables.ts';
import type { Write } from '../http/idempotency.ts';
import { sendHint } from '../notifications/hints.ts';
import { notifyReseller } from '../notifications/store.ts';
import { type Ending, endings, inWords, tellOf } from './endings.ts';

/** An instance that has changed, with the names of what it is and whose. */
export type Changed = {
  readonly id: number;
  readonly reseller_id: number;
  readonly customer_id: string;
  readonly organisation_id: number;
  readonly customer: string;
  readonly service: string;
  /** Who ordered the change; told together with the reseller's people. */
  readonly account_id?: number | null;
};

/** Ends a change: the instance's status, and with it its customer's row, activity, notifications and hints. */
export async function endChange(
  trx: Write,
  { id, reseller_id, customer_id, organisation_id, customer, service, account_id = null }: Changed,
  ending: Ending,
  status: InstanceStatus,
  reason: string | null,
  now: Date,
): Promise<void> {
  const { status: before } = await trx
    .selectFrom('service_instances')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('service_instances')
    .set({ status, reason, last_change: now, due: null, next_status: null, next_reason: null })
    .where('id', '=', id)
    .execute();
  if (status === 'Deleted') await trx.deleteFrom('user_services').where('instance_id', '=', id).execute();
  await refreshCustomer(trx, customer_id, now);
  const detail = reason ?? '';
  const event = { action: ending.action, target: service, detail, before: inWords(before), after: inWords(status) };
  await recordActivity(trx, customer_id, undefined, now, event);
  await notifyReseller(trx, reseller_id, now, tellOf(ending, service, customer, detail), account_id);
  const audience = { reseller: reseller_id, customer: customer_id };
  await sendHint(trx, audience, { kind: 'service-changed', organisationId: String(organisation_id) });
}

/**
 * Ends the change without steps that has been due longest. Two processes never take the same one.
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
    .forUpdate(['c', 'i'])
    .skipLocked()
    .executeTakeFirst();
  if (due?.next_status == null) return false;
  const ending = endings[due.next_status];
  if (ending === undefined) throw new Error(`Instance ${due.id} cannot become ${due.next_status}.`);
  await endChange(trx, due, ending, due.next_status, due.next_reason, now);
  return true;
}
