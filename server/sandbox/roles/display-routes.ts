import { anyone, inPerson, managesPeople } from '../auth/needs.ts';
import { refuseConflict } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, object, partial } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { readAccess, writeAccess } from './account-access.ts';

const display = { HidePricing: boolean, HideBanner: boolean };

/**
 * Adds the routes of display settings (document 2, section 3): everybody reads their own and says whether announcements
 * are shown to them; whether somebody sees prices is said by whoever may change what they may do.
 */
export function addDisplayRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['account'], needs: anyone });

  route('GET /api/account-settings/display', { reply: object(display) }, ({ caller }) =>
    db
      .selectFrom('accounts')
      .select(['hide_pricing as HidePricing', 'hide_banner as HideBanner'])
      .where('id', '=', caller.accountId)
      .executeTakeFirstOrThrow(),
  );

  route(
    'POST /api/account-settings/display',
    { needs: inPerson, body: partial({ HideBanner: boolean }, 'HideBanner') },
    async ({ caller, body }) => {
      const own = db.updateTable('accounts').where('id', '=', caller.accountId);
      await own.set({ hide_banner: body.HideBanner }).execute();
      return 'The display settings were saved.';
    },
  );

  route(
    'POST /api/account-settings/display/:userName',
    {
      summary: 'Shows prices to somebody, or hides them.',
      ...{ needs: managesPeople, body: partial({ HidePricing: boolean }, 'HidePricing'), once: true, mayWait: true },
    },
    async ({ caller, params: { userName }, body: { HidePricing: isHidden }, trx }) => {
      const { displayName: Name, userType, roles } = await readAccess(trx, caller, userName);
      if (userType === 'reseller') throw refuseConflict('PricesOfReseller', { Name });
      const showing = isHidden ? await rolesWithPrices(trx, roles) : [];
      if (showing.length > 0) throw refuseConflict('PricesByRole', { Name, Roles: showing.join(', ') });
      await writeAccess(trx, { caller, userName, now: now() }, access => ({
        roles: access.roles.map(({ roleId, until }) => ({ roleId: String(roleId), until })),
        own: { ...access.own, prices: !isHidden },
      }));
      return isHidden ? 'Prices are hidden.' : 'Prices are shown.';
    },
  );
}

/** Names those of the roles that let whoever has them see prices. */
async function rolesWithPrices(db: Database, roles: readonly { readonly roleId: number }[]): Promise<string[]> {
  if (roles.length === 0) return [];
  const ids = roles.map(({ roleId }) => roleId);
  const found = db.selectFrom('roles').select('name').where('id', 'in', ids).where('prices', '=', true);
  return (await found.orderBy('name').execute()).map(({ name }) => name);
}
