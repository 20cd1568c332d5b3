import type { Area } from '../area.ts';
import { staffSignInOfDay } from './day.ts';
import { staffList } from './migrations/130-staff.ts';
import { addStaffPasswordRoutes } from './password-routes.ts';
import { staff } from './resource.ts';
import { addStaffRoutes } from './routes.ts';
import { insertSignIns } from './seed.ts';
import { addSignInRuleRoutes } from './sign-in-rules.ts';
import './tables.ts';

/** People who manage: those of the reseller, and the administrators of its customers. */
export const staffArea: Area = {
  name: 'staff',
  migrations: { '130-staff': staffList },
  seed: [{ name: 'sign-ins of staff', insert: (trx, { now }) => insertSignIns(trx, now) }],
  routes: [addStaffRoutes, addStaffPasswordRoutes, addSignInRuleRoutes],
  resources: [staff],
  day: staffSignInOfDay,
};
