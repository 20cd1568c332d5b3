import type { Write } from '../tables.ts';
import type { JobKind } from './tables.ts';

export type NewJob = {
  readonly instanceId: number;
  readonly orderId: number | null;
  readonly kind: JobKind;
  readonly attempt?: number;
};

/** Puts a change into the queue, in the transaction that decided it. A service that is changing already refuses. */
export async function startJob(trx: Write, { instanceId, orderId, kind, attempt = 1 }: NewJob, now: Date) {
  const row = { instance_id: instanceId, order_id: orderId, kind, attempt, due: now };
  await trx.insertInto('jobs').values(row).execute();
}
