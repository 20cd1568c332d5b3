import type { Area, SeedPart } from '../area.ts';
import { insertAccount, insertReseller, resellers, staff } from '../seed/accounts.ts';
import { addAccountRoutes } from './account-routes.ts';
import { deleteSpentGrants } from './grants.ts';
import { addJumpRoutes } from './jump-routes.ts';
import { addMfaRoutes } from './mfa-routes.ts';
import { accounts } from './migrations/001-accounts.ts';
import { secondFactor } from './migrations/006-second-factor.ts';
import { passwords } from './migrations/007-passwords.ts';
import { acting } from './migrations/009-acting.ts';
import { recoveryCodes } from './migrations/010-recovery-codes.ts';
import { locale } from './migrations/031-locale.ts';
import { timeZones } from './migrations/180-time-zones.ts';
import { linkedSystems } from './migrations/192-linked-systems.ts';
import { addOwnPasswordRoute, addPasswordRoutes } from './password-routes.ts';
import { addRegionRoutes } from './region-routes.ts';
import { addSignOutRoute } from './sign-out-route.ts';
import { addTokenRoutes } from './token-routes.ts';
import './tables.ts';

/** Accounts, their rights, and how they sign in. */
export const authArea: Area = {
  name: 'auth',
  migrations: {
    '001-accounts': accounts,
    '006-second-factor': secondFactor,
    '007-passwords': passwords,
    '009-acting': acting,
    '010-recovery-codes': recoveryCodes,
    '031-locale': locale,
    '180-time-zones': timeZones,
    '192-linked-systems': linkedSystems,
  },
  seed: [
    ...resellers.map(
      (reseller): SeedPart => ({ name: `reseller ${reseller.id}`, insert: trx => insertReseller(trx, reseller) }),
    ),
    ...staff.map(
      (person): SeedPart => ({
        name: `account ${person.username}`,
        insert: (trx, { passwordHash }) => insertAccount(trx, person, passwordHash),
      }),
    ),
  ],
  openRoutes: [addPasswordRoutes],
  tokenRoutes: [addTokenRoutes, addSignOutRoute],
  routes: [addAccountRoutes, addRegionRoutes, addMfaRoutes, addOwnPasswordRoute, addJumpRoutes],
  start: (db, { now }) => deleteSpentGrants(db, now),
};
