import { recordActivity } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { sendHint } from '../notifications/hints.ts';
import { notifyReseller } from '../notifications/store.ts';
import type { Write } from '../tables.ts';
import { type Ending, inWords, notificationOf } from './endings.ts';
import { holdersOf } from './holders.ts';
import type { InstanceStatus } from './tables.ts';

/** An instance that has changed, with the names of what it is and whose. */
export type Changed = {
  readonly id: number;
  readonly reseller_id: number;
  readonly customer_id: string;
  readonly organisation_id: number;
  readonly customer: string;
  readonly service: string;
  /** Account that ordered the change; told together with the reseller's people. */
  readonly account_id?: number | null;
};

/**
 * Ends a change of a service: sets its status and reason, refreshes the customer's row, and writes activity,
 * notifications and hints.
 */
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
  await trx.updateTable('service_instances').set({ status, reason, last_change: now }).where('id', '=', id).execute();
  const users = await holdersOf(trx, id);
  if (status === 'Deleted') await trx.deleteFrom('user_services').where('instance_id', '=', id).execute();
  await refreshCustomer(trx, customer_id, now);
  const detail = reason ?? '';
  const told = { detail, before: inWords(before), after: inWords(status) };
  await recordActivity(trx, customer_id, undefined, now, { action: ending.action, target: service, users, ...told });
  const subject = { organisation_id, instance_id: id };
  const said = { ...notificationOf(ending, service, customer, detail), ...subject };
  await notifyReseller(trx, reseller_id, now, said, account_id);
  const audience = { reseller: reseller_id, customer: customer_id };
  await sendHint(trx, audience, { kind: 'service-changed', organisationId: String(organisation_id) });
}
