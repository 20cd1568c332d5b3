import { type Day, timeOf } from '../days.ts';
import type { Write } from '../tables.ts';
import { copyLife } from './sync.ts';

/**
 * Business systems are copied again each night, once however many nights were missed, unless that was just done. A report that was computed before
 * the day was in the database is computed again when it is read next.
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
