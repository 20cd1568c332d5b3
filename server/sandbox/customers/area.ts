import type { Area } from '../area.ts';
import { addCustomerOfDay } from './day.ts';
import { customers } from './migrations/002-customers.ts';
import { shortSearches } from './migrations/012-short-searches.ts';
import { activityDetails } from './migrations/016-activity-details.ts';
import { activityUsers } from './migrations/027-activity-users.ts';
import { countsInOrder } from './migrations/028-counts-in-order.ts';
import { customersOwnFields } from './migrations/030-customers-own-fields.ts';
import { customerImports } from './migrations/056-customer-imports.ts';
import { customerImportColumns } from './migrations/114-customer-import-columns.ts';
import { searchKeys } from './migrations/115-search-keys.ts';
import { activityOfResellers } from './migrations/131-activity-of-resellers.ts';
import { addCustomerOverviewRoutes } from './overview-routes.ts';
import { addCustomerRoutes } from './routes.ts';
import { addSearchRoutes } from './search-routes.ts';
import { insertCustomers, insertPartners } from './seed.ts';
import './tables.ts';

/** Customers, what happened to them, and finding them. */
export const customersArea: Area = {
  name: 'customers',
  migrations: {
    '002-customers': customers,
    '012-short-searches': shortSearches,
    '016-activity-details': activityDetails,
    '027-activity-users': activityUsers,
    '028-counts-in-order': countsInOrder,
    '030-customers-own-fields': customersOwnFields,
    '056-customer-imports': customerImports,
    '114-customer-import-columns': customerImportColumns,
    '115-search-keys': searchKeys,
    '131-activity-of-resellers': activityOfResellers,
  },
  seed: [
    {
      name: 'customers',
      isFirst: true,
      insert: (trx, { now, passwordHash }) => insertCustomers(trx, now, passwordHash),
    },
    { name: 'partners', insert: insertPartners },
  ],
  routes: [addCustomerRoutes, addCustomerOverviewRoutes, addSearchRoutes],
  start: async (db, { now }) => {
    await db.deleteFrom('customer_imports').where('expires', '<', now).execute();
  },
  dayOfReseller: addCustomerOfDay,
};
