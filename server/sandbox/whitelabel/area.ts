import type { Area } from '../area.ts';
import { whitelabelTables } from './migrations/160-whitelabel.ts';
import { brandedMails } from './migrations/161-branded-mails.ts';
import { addBrandRoutes, addOwnBrandRoutes } from './routes.ts';
import { insertBrandLinks } from './seed.ts';
import { forgetLogos } from './setup.ts';
import { addBrandSetupRoutes } from './setup-routes.ts';
import './tables.ts';

/** The brand of a reseller: theme, accent, logos, privacy policy and footer. */
export const whitelabelArea: Area = {
  name: 'whitelabel',
  migrations: { '160-whitelabel': whitelabelTables, '161-branded-mails': brandedMails },
  seed: [{ name: 'links of brands', insert: insertBrandLinks }],
  openRoutes: [addBrandRoutes],
  routes: [addOwnBrandRoutes, addBrandSetupRoutes],
  start: (db, { now }) => forgetLogos(db, now),
};
