import { routeAdder } from '../http/route.ts';
import { type App, boolean, id, integer, list, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { computed } from '../resource/fields.ts';
import type { Caller } from './caller.ts';
import { anyone } from './needs.ts';

const loginUser = computed<Caller>([
  { name: 'userName', of: caller => caller.userName },
  { name: 'emailAddress', of: caller => caller.email },
  { name: 'displayName', of: caller => caller.displayName },
  { name: 'userType', of: caller => caller.userType },
  { name: 'endUserAdmin', shape: boolean, of: caller => caller.userType === 'endUserAdmin' },
  { name: 'isEndUser', shape: boolean, of: caller => caller.userType === 'endUser' },
  { name: 'mustSignIn', shape: boolean, of: caller => caller.mustSign },
  {
    name: 'mex',
    of: caller => `mex${String(caller.organisationId).padStart(8, '0')}-${String(caller.accountId).padStart(8, '0')}`,
  },
  { name: 'gaUserReference', of: caller => `ga-${String(caller.accountId).padStart(8, '0')}` },
  { name: 'organisationId', shape: id, of: caller => caller.organisationId },
  { name: 'organisationName', of: caller => caller.customerName ?? caller.resellerName },
  { name: 'resellerId', shape: id, of: caller => caller.resellerId },
  {
    name: 'endUserAdminId',
    shape: orNull(id),
    of: caller => (caller.userType === 'endUserAdmin' ? caller.accountId : null),
  },
  { name: 'userId', shape: orNull(id), of: caller => caller.userId },
  { name: 'currency', of: caller => caller.currency },
  { name: 'locale', shape: orNull(string), of: caller => caller.locale },
  { name: 'timeZone', shape: orNull(string), of: caller => caller.timeZone },
  { name: 'browserTimeZone', shape: orNull(string), of: caller => caller.browserTimeZone },
  { name: 'sight', shape: integer, of: caller => caller.sight },
]);

const rights = object({
  usersPermissions: object({ views: list(string), permissions: list(string) }),
  featureFlags: list(object({ featureName: string, enabled: boolean })),
});

const systems = [
  { slug: 'cloud', name: 'Cloud' },
  { slug: 'comms', name: 'Communications' },
  { slug: 'distribution', name: 'Distribution' },
  { slug: 'hardware', name: 'Hardware' },
];

/**
 * Adds the routes of the caller's own account: who it is, its rights and its sessions at partner systems (document 1,
 * sections 3 and 6).
 */
export function addAccountRoutes(app: App, { db, domain }: Parts): void {
  const route = routeAdder(app, db, { tags: ['account'], needs: anyone });

  route('GET /api/users/login-user', { reply: object(loginUser.shapes), withoutRecord: true }, ({ caller }) =>
    loginUser.write(caller),
  );

  route('GET /api/permissions', { reply: rights }, async ({ caller: { accountId, views, permissions } }) => {
    const featureFlags = await db
      .selectFrom('feature_flags as f')
      .leftJoin('feature_overrides as o', join =>
        join.onRef('o.feature_name', '=', 'f.name').on('o.account_id', '=', accountId),
      )
      .select(({ fn }) => ['f.name as featureName', fn.coalesce('o.enabled', 'f.enabled').as('enabled')])
      .orderBy('f.name')
      .execute();
    return { usersPermissions: { views, permissions }, featureFlags };
  });

  route(
    'GET /api/partner-systems',
    { reply: list(object({ slug: string, name: string, url: string, linked: boolean })) },
    async ({ caller: { resellerId } }) => {
      const { linked_systems: linked } = await db
        .selectFrom('resellers')
        .select('linked_systems')
        .where('id', '=', resellerId)
        .executeTakeFirstOrThrow();
      return systems.map(system => ({
        ...system,
        url: `https://${system.slug}.${domain}`,
        linked: system.slug === 'cloud' || linked.some(slug => slug === system.slug),
      }));
    },
  );
}
