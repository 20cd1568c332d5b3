import type { Filling } from '../area.ts';
import type { Write } from '../tables.ts';

/** Each with the services of the catalogue that it carries (shared/catalogue/codes.json). */
const components: readonly (readonly [id: string, name: string, services: readonly number[]])[] = [
  ['mail', 'Hosted mail', [1, 16]],
  ['collaboration', 'SharePoint and Microsoft 365', [2, 8, 114]],
  ['security', 'Email and endpoint security', [4, 5, 7, 10, 12, 27, 31, 32]],
  ['backup', 'Backup', [3, 9, 18, 23]],
  ['cloud', 'Cloud platform', [6, 22, 26, 30]],
  ['voice', 'Hosted voice', [13, 15, 19]],
];

/** Inserts the components, and a maintenance of two weeks ago. */
export async function insertNetwork(trx: Write, { now }: Filling): Promise<void> {
  const rows = components.map(([id, name, services], position) => ({ id, name, position, services: [...services] }));
  await trx
    .insertInto('network_components')
    .values(rows)
    .onConflict(found => found.doNothing())
    .execute();
  const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
  await trx
    .insertInto('network_events')
    .values({
      ...{ component_id: 'voice', kind: 'Maintenance', title: 'New switches in Leeds' },
      ...{ content: 'Calls could break off once.', starts: hours(-340), ends: hours(-338), updated: hours(-338) },
      is_over: true,
    })
    .execute();
}
