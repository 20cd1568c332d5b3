import type { Day } from '../days.ts';
import type { Write } from '../http/idempotency.ts';

/**
 * Business systems are copied again each night, once however many nights were missed. A report that was computed before
 * the day was in the database is computed again when it is read next.
 */
export async function requestSyncOfDay(trx: Write, { date, start }: Day): Promise<void> {
  await trx.updateTable('psa_syncs').set({ status: 'New' }).where('status', 'in', ['Completed', 'Failed']).execute();
  await trx
    .updateTable('psa_reports')
    .set({ computed: start })
    .where('month', '=', date.slice(0, 7))
    .where('computed', '>', start)
    .execute();
}
