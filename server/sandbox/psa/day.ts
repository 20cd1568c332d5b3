import { type Day, timeOf } from '../days.ts';
import type { Write } from '../tables.ts';
import { copyLife } from './sync.ts';

/**
 * Requests the nightly copy of every business system, once however many nights were missed, unless it was just done.
 * Reports computed before this day are computed again when next read.
 */
export async function requestSyncOfDay(trx: Write, day: Day): Promise<void> {
  const { date, start } = day;
  const midnight = timeOf(day, 24);
  await trx
    .updateTable('psa_syncs')
    .set({ status: 'New' })
    .where('status', 'in', ['Completed', 'Failed'])
    .where('completed', '<', new Date(midnight.getTime() - copyLife))
    .execute();
  await trx
    .updateTable('psa_reports')
    .set({ computed: start })
    .where('month', '=', date.slice(0, 7))
    .where('computed', '>', start)
    .execute();
}
