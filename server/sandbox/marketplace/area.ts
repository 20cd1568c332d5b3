import type { Area } from '../area.ts';
import { marketplace } from './migrations/013-marketplace.ts';
import { paidOnce } from './migrations/040-paid-once.ts';
import { addMarketplaceRoutes } from './routes.ts';
import { insertCatalogue, openSecureUpgrade } from './seed.ts';
import './tables.ts';

/** The area of products: each with its offers, and for whom it can be bought. */
export const marketplaceArea: Area = {
  name: 'marketplace',
  migrations: { '013-marketplace': marketplace, '040-paid-once': paidOnce },
  seed: [{ name: 'secure upgrade', insert: openSecureUpgrade }],
  refresh: insertCatalogue,
  routes: [addMarketplaceRoutes],
};
