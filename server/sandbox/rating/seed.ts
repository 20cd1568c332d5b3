import type { Filling } from '../area.ts';
import type { Write } from '../tables.ts';
import { features } from './tables.ts';

/** Asks about every feature from now on. */
export async function insertRatingFeatures(trx: Write, { now }: Filling): Promise<void> {
  await trx
    .insertInto('rating_features')
    .values(features.map(id => ({ id, since: now })))
    .onConflict(known => known.column('id').doNothing())
    .execute();
}
