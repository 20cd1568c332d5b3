import type { Area } from '../area.ts';
import { addServicesOfDay } from './day.ts';
import { addEndUserRoutes } from './end-user-routes.ts';
import { addInstanceRoutes } from './instance-routes.ts';
import { services } from './migrations/003-services.ts';
import { monthlyCharge } from './migrations/029-monthly-charge.ts';
import { committedServices } from './migrations/050-committed-services.ts';
import { activeCharge } from './migrations/051-active-charge.ts';
import { serviceTerms } from './migrations/055-service-terms.ts';
import { bundles } from './migrations/057-bundles.ts';
import { raisedServices } from './migrations/101-raised-services.ts';
import { termsBegan } from './migrations/110-terms-began.ts';
import { serviceOfUser } from './migrations/111-service-of-user.ts';
import { addMyServicesRoutes } from './mine-routes.ts';
import { addServiceRoutes } from './routes.ts';
import { insertBundles } from './seed-bundles.ts';
import './tables.ts';

/** The area of services, which customers hold. */
export const servicesArea: Area = {
  name: 'services',
  migrations: {
    '003-services': services,
    '029-monthly-charge': monthlyCharge,
    '050-committed-services': committedServices,
    '051-active-charge': activeCharge,
    '055-service-terms': serviceTerms,
    '057-bundles': bundles,
    '101-raised-services': raisedServices,
    '110-terms-began': termsBegan,
    '111-service-of-user': serviceOfUser,
  },
  seed: [{ name: 'bundles', insert: insertBundles }],
  routes: [addServiceRoutes, addInstanceRoutes, addMyServicesRoutes, addEndUserRoutes],
  dayOfReseller: addServicesOfDay,
};
