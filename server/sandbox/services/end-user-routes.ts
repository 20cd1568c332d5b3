import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { allOf, anyOf, permission } from '../auth/needs.ts';
import { activityPage } from '../customers/shapes.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import { type App, date, id, integer, list, object, pageQuery, partial, string, text } from '../http/schema.ts';
import { primaryOf } from '../mail/addresses.ts';
import { addAlias, aliasCheck, aliasFields, checkAlias, deleteAlias, readAliases } from '../mail/aliases.ts';
import { findAddressHolder } from '../mail/holders.ts';
import type { Parts } from '../parts.ts';
import { fields } from '../resource/fields.ts';
import type { Database } from '../tables.ts';
import { isHeld, isProductOf } from './held.ts';
import { detailOfUse, isOfUser } from './holders.ts';
import { listOwnActivity } from './own-activity.ts';

const ownService = fields('i', [
  { name: 'Id', shape: id },
  { name: 'ServiceId', shape: integer },
  { name: 'Name', column: sql`p.name` },
  { name: 'Icon', column: sql`p.icon` },
  { name: 'Status' },
  { name: 'StatusGroup' },
  { name: 'Detail', column: detailOfUse },
]);
const ownServices = object({ Items: list(ownService.schema) });
const wholeService = fields('i', [
  ...ownService.list,
  { name: 'Summary', column: sql`p.offer ->> 'Summary'` },
  { name: 'Created', shape: date, column: sql`coalesce(held.since, i.created)` },
  { name: 'LastChange', shape: date, column: sql`greatest(i.last_change, held.since)` },
]);
const ownMailbox = object({
  Address: string,
  QuotaMb: integer,
  UsedMb: integer,
  Aliases: list(aliasFields),
});

const ownActivity = object(activityPage);

/** Adds the routes of the calling user's own services, mailbox and activity. */
export function addEndUserRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, {
    tags: ['end user'],
    needs: anyOf(permission('hostedExchange'), permission('advancedSecurity')),
  });

  route('GET /api/end-user/services', { reply: ownServices }, async ({ caller }) => ({
    Items: await selectOwnServices(db, userIdOf(caller)).select(ownService.columns).orderBy('p.name').execute(),
  }));

  route('GET /api/end-user/services/:instanceId', { reply: wholeService.schema }, ({ caller, params }) =>
    selectOwnServices(db, userIdOf(caller))
      .where('i.id', '=', idOf(params.instanceId))
      .select(wholeService.columns)
      .executeTakeFirstOrThrow(notFound),
  );

  route('GET /api/end-user/mailbox', { needs: permission('hostedExchange'), reply: ownMailbox }, ({ caller }) =>
    readMailbox(db, userIdOf(caller)),
  );

  const needs = allOf(permission('hostedExchange'), permission('ownAliases'));
  const own = async (caller: Caller) => {
    const { Address: mailbox } = await readMailbox(db, userIdOf(caller));
    return { customerId: caller.customerId ?? '', mailbox: String(mailbox) };
  };

  route(
    'GET /api/end-user/mailbox/alias-check',
    { needs, query: partial({ Alias: text(320) }), reply: aliasCheck },
    async ({ caller, query }) => {
      const { customerId, mailbox } = await own(caller);
      return await checkAlias(db, await findAddressHolder(db, caller, customerId, mailbox), query.Alias ?? '');
    },
  );

  route(
    'POST /api/end-user/mailbox/aliases',
    { needs, once: true, body: partial({ Alias: text(320) }, 'Alias') },
    async ({ trx, caller, body }) => {
      await addAlias({ trx, caller, now: now() }, await own(caller), body.Alias);
      return 'The alias was added.';
    },
  );

  route('DELETE /api/end-user/mailbox/aliases/:alias', { needs, once: true }, async ({ trx, caller, params }) => {
    await deleteAlias({ trx, caller, now: now() }, await own(caller), params.alias);
    return 'The alias was deleted.';
  });

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
    .where(isHeld('i'));
}

async function readMailbox(db: Database, userId: number) {
  const { id, ...mailbox } = await db
    .selectFrom('mailboxes')
    .select(['id', primaryOf(sql`mailboxes.id`).as('Address'), 'quota_mb as QuotaMb', 'used_mb as UsedMb'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow(notFound);
  const Aliases = await readAliases(db, { id, column: 'mailbox_id' });
  return { ...mailbox, Aliases };
}
