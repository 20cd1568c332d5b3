import { routesOf } from '../http/route.ts';
import { type App, boolean, id, list, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Caller } from './caller.ts';
import { anyone } from './needs.ts';

const loginUser = object({
  userName: string,
  emailAddress: string,
  displayName: string,
  userType: string,
  endUserAdmin: boolean,
  isEndUser: boolean,
  mustSignIn: boolean,
  mex: string,
  gaUserReference: string,
  organisationId: id,
  organisationName: string,
  resellerId: id,
  endUserAdminId: orNull(id),
  userId: orNull(id),
  currency: string,
  locale: string,
});

const rights = object({
  usersPermissions: object({ views: list(string), permissions: list(string) }),
  featureFlags: list(object({ featureName: string, enabled: boolean })),
});

const systems = [
  { slug: 'cloud', name: 'Cloud', url: 'https://cloud.example.test', linked: true },
  { slug: 'comms', name: 'Communications', url: 'https://comms.example.test', linked: true },
  { slug: 'distribution', name: 'Distribution', url: 'https://distribution.example.test', linked: false },
  { slug: 'hardware', name: 'Hardware', url: 'https://hardware.example.test', linked: false },
];

/**
 * Adds the routes of the caller's own account: who it is, its rights, its display settings and its sessions at partner
 * systems (document 1, sections 3 and 6).
 */
export function addAccountRoutes(app: App, { db }: Parts): void {
  const route = routesOf(app, db, { tags: ['account'], needs: anyone });

  route('GET /api/users/login-user', { reply: loginUser, withoutRecord: true }, ({ caller }) => describe(caller));

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
    'GET /api/account-settings/display',
    { reply: object({ HidePricing: boolean, HideBanner: boolean }) },
    ({ caller }) =>
      db
        .selectFrom('accounts')
        .select(['hide_pricing as HidePricing', 'hide_banner as HideBanner'])
        .where('id', '=', caller.accountId)
        .executeTakeFirstOrThrow(),
  );

  route(
    'GET /api/partner-systems',
    { reply: list(object({ slug: string, name: string, url: string, linked: boolean })) },
    () => systems,
  );
}

function describe(caller: Caller) {
  const { accountId, userType, organisationId } = caller;
  return {
    userName: caller.userName,
    emailAddress: caller.email,
    displayName: caller.displayName,
    userType,
    endUserAdmin: userType === 'endUserAdmin',
    isEndUser: userType === 'endUser',
    mustSignIn: caller.mustSign,
    mex: `mex${String(organisationId).padStart(8, '0')}-${String(accountId).padStart(8, '0')}`,
    gaUserReference: `ga-${String(accountId).padStart(8, '0')}`,
    organisationId,
    organisationName: caller.customerName ?? caller.resellerName,
    resellerId: caller.resellerId,
    endUserAdminId: userType === 'endUserAdmin' ? accountId : null,
    userId: caller.userId,
    currency: caller.currency,
    locale: caller.locale,
  };
}
