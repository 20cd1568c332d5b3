import type { Write } from '../tables.ts';

/**
 * Lists the ids of the users who have a service personally, and of the user for whom it was ordered, who may not have
 * it yet.
 */
export async function holdersOf(trx: Write, instanceId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('user_services')
    .select('user_id')
    .where('instance_id', '=', instanceId)
    .union(on =>
      on
        .selectFrom('service_instances')
        .select(({ ref }) => ref('user_id').$notNull().as('user_id'))
        .where('id', '=', instanceId)
        .where('user_id', 'is not', null),
    )
    .execute();
  return rows.map(row => row.user_id);
}
