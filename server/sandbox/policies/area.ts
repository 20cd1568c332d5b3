import type { Area } from '../area.ts';
import { addOptOutRoutes } from './opt-out-routes.ts';
import { addPolicyRoutes } from './routes.ts';
import { insertPolicies } from './seed.ts';
import './tables.ts';

/** Policies and opting out of cookies. */
export const policiesArea: Area = {
  name: 'policies',
  seed: [{ name: 'policies', insert: insertPolicies }],
  openRoutes: [addPolicyRoutes],
  routes: [addOptOutRoutes],
};
