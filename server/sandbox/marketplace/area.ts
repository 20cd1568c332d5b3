import type { Area } from '../area.ts';
import { marketplace } from './migrations/013-marketplace.ts';
import { paidOnce } from './migrations/040-paid-once.ts';
import { addMarketplaceRoutes } from './routes.ts';
import { insertCatalogue, openSecureUpgrade } from './seed.ts';
import './tables.ts';

/** What can be bought, and for whom. */
export const marketplaceArea: Area = {
  name: 'marketplace',
  migrations: { '013-marketplace': marketplace, '040-paid-once': paidOnce },
  seed: [{ name: 'secure upgrade', insert: openSecureUpgrade }],
  refresh: insertCatalogue,
  routes: [addMarketplaceRoutes],
};
