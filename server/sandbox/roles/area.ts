import type { Area } from '../area.ts';
import { addAccountAccessRoutes } from './account-routes.ts';
import { addDisplayRoutes } from './display-routes.ts';
import { createExpiry } from './expire.ts';
import { addHolderRoutes } from './holders-routes.ts';
import { rolesTables } from './migrations/130-roles.ts';
import { rightEnds } from './migrations/165-right-ends.ts';
import { insertAccountRoles, refreshPredefined } from './predefined.ts';
import { addRoleRoutes } from './role-routes.ts';
import './tables.ts';
import { insertEqualRoles } from './usual-role.ts';

/** Roles, and how they become the rights of accounts. */
export const rolesArea: Area = {
  name: 'roles',
  migrations: { '130-roles': rolesTables, '165-right-ends': rightEnds },
  refresh: refreshPredefined,
  seed: [
    { name: 'roles of accounts', insert: (trx, { now }) => insertAccountRoles(trx, now) },
    // Users who were added before they got a role.
    { name: 'roles of added users', insert: (trx, { now }) => insertEqualRoles(trx, now) },
  ],
  routes: [addRoleRoutes, addAccountAccessRoutes, addHolderRoutes, addDisplayRoutes],
  tick: createExpiry,
};
