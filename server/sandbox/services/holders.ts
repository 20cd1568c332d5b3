import { type RawBuilder, sql } from 'kysely';
import type { Write } from '../tables.ts';
import { isHeld } from './held.ts';

const hostedExchange = 1;

/** Writes megabytes as screens do: "640 MB", "12 GB", "12.3 GB". */
const inWords = (megabytes: RawBuilder<unknown>) => sql`case when ${megabytes} < 1024 then ${megabytes} || ' MB'
  else trim_scale(round(${megabytes} / 1024.0, 1)) || ' GB' end`;

/**
 * Builds SQL that is true of a service `i` that a user has: one that was ordered for the user, who may not have it yet,
 * or one that the user shares. `user` is the id of the user.
 */
export const isOfUser = (user: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(i.user_id = ${user} or exists (
    select from user_services share where share.user_id = ${user} and share.instance_id = i.id))`;

/** Builds SQL for how many services a row of `users` has that are not deleted. */
export const countOfServices = (): RawBuilder<number> => sql<number>`(select count(*)::int from service_instances i
  where i.customer_id = users.customer_id and ${isOfUser(sql`users.id`)} and ${isHeld('i')})`;

/** SQL for what one of the quantity of a service `i` costs per month: nothing where the service is not charged. */
export const unitCharge: RawBuilder<number> = sql<number>`case when i.monthly_charge > 0 then i.monthly_price else 0 end`;

/**
 * SQL for what a user has of a service, in words: of a mailbox what is used of it, else what is stored. It reads the rows
 * `i` of the service, `u` of the user and `held` of `user_services`, which may be missing.
 */
export const detailOfUse: RawBuilder<string> = sql<string>`coalesce(
  case when i.service_id = ${hostedExchange} then (
    select ${inWords(sql`m.used_mb`)} || ' of ' || ${inWords(sql`m.quota_mb`)} from mailboxes m where m.user_id = u.id)
  end, held.detail, '')`;

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
