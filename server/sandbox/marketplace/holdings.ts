import { type SelectQueryBuilder, sql } from 'kysely';
import { isHeld } from '../services/held.ts';
import { isOfUser } from '../services/holders.ts';
import type { InstanceStatus } from '../services/tables.ts';
import type { Database, Tables } from '../tables.ts';
import { keyOf } from './products.ts';

/** The status of what is held of each product, by key. */
export type Holdings = ReadonlyMap<string, InstanceStatus>;

type Instances = SelectQueryBuilder<Tables & { i: Tables['service_instances'] }, 'i', object>;

const held = (db: Database): Instances => db.selectFrom('service_instances as i').where(isHeld('i'));

/** Of several instances of a product the one that says most: failed, then changing, then active. */
export const worstStatus = sql<InstanceStatus>`
  case max(case i.status when 'ActivationFailed' then 5 when 'DeletionFailed' then 4 when 'Activating' then 3
    when 'Deleting' then 2 else 1 end)
  when 5 then 'ActivationFailed' when 4 then 'DeletionFailed' when 3 then 'Activating' when 2 then 'Deleting'
  else 'Active' end`;

async function byProduct(instances: Instances): Promise<Holdings> {
  const rows = await instances
    .select(['i.service_id', 'i.sub_id', worstStatus.as('status')])
    .groupBy(['i.service_id', 'i.sub_id'])
    .execute();
  return new Map(rows.map(row => [keyOf(row.service_id, row.sub_id), row.status]));
}

/** Reads the status of each product that a customer has as a whole; services of single users do not count. */
export const heldByCustomer = (db: Database, customerId: string): Promise<Holdings> =>
  byProduct(held(db).where('i.customer_id', '=', customerId).where('i.user_id', 'is', null));

/** Reads the status of each product that a user has alone or shares. */
export const heldByUser = (db: Database, userId: number): Promise<Holdings> =>
  byProduct(held(db).where(isOfUser(sql`${userId}`)));

/** Reads the status of a product at any customer of a reseller, seen by the caller or not; undefined when none has it. */
export async function heldByReseller(
  db: Database,
  resellerId: number,
  { serviceId, subId }: { serviceId: number; subId: number },
): Promise<InstanceStatus | undefined> {
  const found = await db
    .selectFrom('reseller_services as i')
    .where(isHeld('i'))
    .where('i.reseller_id', '=', resellerId)
    .where('i.service_id', '=', serviceId)
    .where('i.sub_id', '=', subId)
    .select('i.status')
    .limit(1)
    .executeTakeFirst();
  return found?.status;
}
