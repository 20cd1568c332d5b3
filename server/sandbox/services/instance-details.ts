import { sql } from 'kysely';
import { type Paging, pageOfActivity } from '../customers/read.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { Database } from '../tables.ts';
import { isProductOf } from './held.ts';
import { detailOfUse } from './holders.ts';

/** Lists a page of the users who have a service personally, by name. */
export async function listInstanceUsers(db: Database, instanceId: string, { page, pageSize }: Paging) {
  const found = db
    .selectFrom('user_services as held')
    .innerJoin('users as u', 'u.id', 'held.user_id')
    .innerJoin('service_instances as i', 'i.id', 'held.instance_id')
    .where('held.instance_id', '=', idOf(instanceId));
  const Items = await found
    .select(['u.id as UserId', 'u.display_name as DisplayName', 'u.email as Email', 'u.status as Status'])
    .select([detailOfUse.as('Detail'), 'u.last_sign_in as LastSignIn'])
    .orderBy('u.display_name')
    .orderBy('u.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { Total } = await found.select(({ fn }) => fn.countAll<number>().as('Total')).executeTakeFirstOrThrow();
  return { Items, Total };
}

/**
 * Lists a page of what happened to a service since it was ordered, the newest first. Activity names a service by its
 * product: of several of one product, it is told by the user whose it is and by when the next one was ordered.
 */
export async function listInstanceActivity(db: Database, instanceId: string, paging: Paging) {
  const instance = await db
    .selectFrom('service_instances as i')
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .where('i.id', '=', idOf(instanceId))
    .select(['i.customer_id', 'i.user_id', 'i.created', 'i.service_id', 'i.sub_id', 'p.name'])
    .executeTakeFirstOrThrow(notFound);
  const { customer_id, user_id, created, service_id, sub_id, name } = instance;
  const next = await db
    .selectFrom('service_instances')
    .where('customer_id', '=', customer_id)
    .where('service_id', '=', service_id)
    .where('sub_id', '=', sub_id)
    .where('user_id', user_id === null ? 'is' : '=', user_id)
    .where('id', '<>', idOf(instanceId))
    .where('created', '>', created)
    .select(({ fn }) => fn.min('created').as('created'))
    .executeTakeFirst();
  const ofUser = sql<boolean>`exists (select from activity_users a where a.activity_id = activity.id
    and a.user_id = ${user_id})`;
  const ofOtherUser = sql<boolean>`exists (select from activity_users a
    join service_instances other on other.user_id = a.user_id
    where a.activity_id = activity.id and other.customer_id = ${customer_id} and other.service_id = ${service_id}
      and other.sub_id = ${sub_id})`;
  const rows = db
    .selectFrom('activity')
    .where('customer_id', '=', customer_id)
    .where('target', '=', name)
    .where('action', 'like', 'Service %')
    .where('at', '>=', created)
    .$if(Boolean(next?.created), found => found.where('at', '<', next!.created!))
    .where(user_id === null ? sql<boolean>`not ${ofOtherUser}` : ofUser);
  return await pageOfActivity(rows, paging);
}
