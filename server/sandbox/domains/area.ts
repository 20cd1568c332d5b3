import type { Area } from '../area.ts';
import { domains as domainsTable } from './migrations/210-domains.ts';
import { domainRecords } from './migrations/211-domain-records.ts';
import { domainHolders } from './migrations/241-domain-holders.ts';
import { addDnsPages } from './page-routes.ts';
import { domains } from './resource.ts';
import { addDomainRoutes } from './routes.ts';
import { insertDnsRecords, insertDomains } from './seed.ts';
import './tables.ts';

/** Domains of organisations. */
export const domainsArea: Area = {
  name: 'domains',
  migrations: { '210-domains': domainsTable, '211-domain-records': domainRecords, '241-domain-holders': domainHolders },
  seed: [
    { name: 'domains', insert: (trx, { now }) => insertDomains(trx, now) },
    { name: 'DNS records', insert: insertDnsRecords },
  ],
  openRoutes: [addDnsPages],
  routes: [addDomainRoutes],
  resources: [domains],
  tick: ({ domainChecks }) => ({ run: () => domainChecks.checkDue() }),
};
