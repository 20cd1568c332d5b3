import type { Area } from '../area.ts';
import { staffSignInOfDay } from './day.ts';
import { staffList } from './migrations/130-staff.ts';
import { formerNames } from './migrations/136-former-names.ts';
import { profiles } from './migrations/155-profiles.ts';
import { staffSearch } from './migrations/191-staff-search.ts';
import { addStaffPasswordRoutes } from './password-routes.ts';
import { addProfileRoutes } from './profile-routes.ts';
import { staff } from './resource.ts';
import { addStaffRoutes } from './routes.ts';
import { insertSignIns } from './seed.ts';
import { addSignInNameRoutes } from './sign-in-name.ts';
import { addSignInRuleRoutes } from './sign-in-rules.ts';
import { addSignInRoutes } from './sign-ins.ts';
import './tables.ts';

/** People who manage: those of the reseller, and the administrators of its customers. */
export const staffArea: Area = {
  name: 'staff',
  migrations: {
    ...{ '130-staff': staffList, '136-former-names': formerNames, '155-profiles': profiles },
    '191-staff-search': staffSearch,
  },
  seed: [{ name: 'sign-ins of staff', insert: (trx, { now }) => insertSignIns(trx, now) }],
  routes: [
    addStaffRoutes,
    addStaffPasswordRoutes,
    addSignInRuleRoutes,
    addSignInNameRoutes,
    addProfileRoutes,
    addSignInRoutes,
  ],
  resources: [staff],
  day: staffSignInOfDay,
};
