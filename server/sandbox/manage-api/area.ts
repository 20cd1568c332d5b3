import type { Area } from '../area.ts';
import { addColleagueKeyRoutes } from './colleague-routes.ts';
import { apiKeyTables } from './migrations/170-api-keys.ts';
import { addManageApiRoutes } from './routes.ts';
import './tables.ts';

/** Keys by which programs call in the name of an account. */
export const apiKeysArea: Area = {
  name: 'manage-api',
  migrations: { '170-api-keys': apiKeyTables },
  routes: [addManageApiRoutes, addColleagueKeyRoutes],
};
