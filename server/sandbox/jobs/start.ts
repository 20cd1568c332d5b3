import type { Write } from '../tables.ts';
import type { JobKind } from './tables.ts';

export type NewJob = {
  readonly instanceId: number;
  readonly orderId: number | null;
  readonly kind: JobKind;
  readonly attempt?: number;
};

/**
 * Queues the job that changes a service, in the transaction that decided on the change. Refuses a service that is
 * changing already.
 */
export async function startJob(trx: Write, { instanceId, orderId, kind, attempt = 1 }: NewJob, now: Date) {
  const row = { instance_id: instanceId, order_id: orderId, kind, attempt, due: now };
  await trx.insertInto('jobs').values(row).execute();
}
