import { sql } from 'kysely';
import { type Paging, pageOfActivity } from '../customers/read-activity.ts';
import { activity } from '../customers/shapes.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { date, id, integer, list, object, orNull } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import type { Database } from '../tables.ts';
import { isProductOf } from './held.ts';
import { detailOfUse } from './holders.ts';

const holder = fields('u', [
  { name: 'UserId', shape: id, column: 'id' },
  { name: 'DisplayName' },
  { name: 'Email' },
  { name: 'Status' },
  { name: 'Detail', column: detailOfUse },
  { name: 'LastSignIn', shape: orNull(date) },
]);
export const instanceUsers = object({ Items: list(holder.schema), Total: integer });

/** Lists a page of the users who have a service personally, by name. */
export const listInstanceUsers = (db: Database, instanceId: string, paging: Paging) =>
  listPage(db, paging, {
    fields: holder,
    from: sql`user_services held join users u on u.id = held.user_id join service_instances i on i.id = held.instance_id`,
    where: sql`held.instance_id = ${idOf(instanceId)}`,
    order: sql`u.display_name, u.id`,
  });

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
  return await pageOfActivity(db, rows, paging, activity);
}
