import type { Area } from '../area.ts';
import { domains as domainsTable } from './migrations/210-domains.ts';
import { domains } from './resource.ts';
import { addDomainRoutes } from './routes.ts';
import { insertDomains } from './seed.ts';
import './tables.ts';

/** Domains of organisations. */
export const domainsArea: Area = {
  name: 'domains',
  migrations: { '210-domains': domainsTable },
  seed: [{ name: 'domains', insert: (trx, { now }) => insertDomains(trx, now) }],
  routes: [addDomainRoutes],
  resources: [domains],
};
