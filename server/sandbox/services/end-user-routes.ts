import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { anyOf, permission } from '../auth/needs.ts';
import { activityPage } from '../customers/shapes.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routesOf } from '../http/route.ts';
import { type App, boolean, date, id, integer, list, object, pageQuery, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { isHeld, isProductOf } from './held.ts';
import { detailOfUse, isOfUser } from './holders.ts';
import { listOwnActivity } from './own-activity.ts';

const ownService = {
  Id: id,
  ServiceId: integer,
  Name: string,
  Icon: string,
  Status: string,
  StatusGroup: string,
  Detail: string,
};
const ownServices = object({ Items: list(object(ownService)) });
const wholeService = object({ ...ownService, Summary: string, Created: date, LastChange: date });
const ownMailbox = object({
  Address: string,
  QuotaMb: integer,
  UsedMb: integer,
  Aliases: list(object({ Alias: string, CreatedDate: date, DelayedDomain: boolean })),
});

const ownActivity = object(activityPage);

/** Adds the routes of the calling user's own services, mailbox and activity. */
export function addEndUserRoutes(app: App, { db }: Parts): void {
  const route = routesOf(app, db, {
    tags: ['end user'],
    needs: anyOf(permission('hostedExchange'), permission('advancedSecurity')),
  });

  route('GET /api/end-user/services', { reply: ownServices }, async ({ caller }) => ({
    Items: await selectOwnServices(db, userIdOf(caller)).orderBy('p.name').execute(),
  }));

  route('GET /api/end-user/services/:instanceId', { reply: wholeService }, async ({ caller, params }) => {
    const found = await selectOwnServices(db, userIdOf(caller))
      .where('i.id', '=', idOf(params.instanceId))
      .select(sql<Date>`greatest(i.last_change, held.since)`.as('LastChange'))
      .select('p.offer')
      .select(sql<Date>`coalesce(held.since, i.created)`.as('Created'))
      .executeTakeFirstOrThrow(notFound);
    const { offer, ...service } = found;
    return { ...service, Summary: offer.Summary };
  });

  route('GET /api/end-user/mailbox', { needs: permission('hostedExchange'), reply: ownMailbox }, ({ caller }) =>
    readMailbox(db, userIdOf(caller)),
  );

  route('GET /api/end-user/activity', { query: pageQuery({}), reply: ownActivity }, ({ caller, query }) =>
    listOwnActivity(db, userIdOf(caller), query),
  );
}

function userIdOf({ userId }: Caller): number {
  if (userId === null) throw notFound();
  return userId;
}

function selectOwnServices(db: Database, userId: number) {
  return db
    .selectFrom('service_instances as i')
    .leftJoin('user_services as held', join =>
      join.onRef('held.instance_id', '=', 'i.id').on('held.user_id', '=', userId),
    )
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .innerJoin('users as u', join => join.on('u.id', '=', userId))
    .where(isOfUser(sql`${userId}`))
    .where(isHeld('i'))
    .select([
      'i.id as Id',
      'i.service_id as ServiceId',
      'p.name as Name',
      'p.icon as Icon',
      'i.status as Status',
      'i.status_group as StatusGroup',
      detailOfUse.as('Detail'),
    ]);
}

async function readMailbox(db: Database, userId: number) {
  const mailbox = await db
    .selectFrom('users')
    .select(['mailbox_address as Address', 'mailbox_quota_mb as QuotaMb', 'mailbox_used_mb as UsedMb'])
    .where('id', '=', userId)
    .where('mailbox_address', 'is not', null)
    .executeTakeFirstOrThrow(notFound);
  const Aliases = await db
    .selectFrom('mailbox_aliases')
    .select(['alias as Alias', 'created as CreatedDate', 'delayed_domain as DelayedDomain'])
    .where('user_id', '=', userId)
    .orderBy('alias')
    .execute();
  return { ...mailbox, Aliases };
}
