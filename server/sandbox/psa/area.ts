import type { Area } from '../area.ts';
import { addPsaChargeRoutes } from './charge-routes.ts';
import { addContractUpdateRoutes } from './contract-routes.ts';
import { requestSyncOfDay } from './day.ts';
import { addInvoiceComparisonRoutes } from './invoice-routes.ts';
import { psa } from './migrations/023-psa.ts';
import { psaReports } from './migrations/024-psa-reports.ts';
import { psaContracts } from './migrations/025-psa-contracts.ts';
import { psaCharges } from './migrations/026-psa-charges.ts';
import { invoiceMatching } from './migrations/081-invoice-matching.ts';
import { contractUpdates } from './migrations/086-contract-updates.ts';
import { addPsaReportRoutes } from './report-routes.ts';
import { addPsaRoutes } from './routes.ts';
import { insertPsa } from './seed.ts';
import { insertContracts, insertCosts } from './seed-contracts.ts';
import { insertMovements } from './seed-movements.ts';
import { addAutotaskRoutes } from './stand-in/autotask-routes.ts';
import { addConnectWiseRoutes } from './stand-in/connectwise-routes.ts';
import './tables.ts';

/** Business systems, what is copied of them and matched with them. */
export const psaArea: Area = {
  name: 'psa',
  migrations: {
    '023-psa': psa,
    '024-psa-reports': psaReports,
    '025-psa-contracts': psaContracts,
    '026-psa-charges': psaCharges,
    '081-invoice-matching': invoiceMatching,
    '086-contract-updates': contractUpdates,
  },
  seed: [
    { name: 'business systems', insert: (trx, { now }) => insertPsa(trx, now) },
    { name: 'movements', insert: (trx, { now }) => insertMovements(trx, now) },
    { name: 'contracts', insert: (trx, { now }) => insertContracts(trx, now) },
    { name: 'costs of contracts', insert: insertCosts },
  ],
  // The stand-ins of business systems know their own callers.
  openRoutes: [addConnectWiseRoutes, addAutotaskRoutes],
  routes: [addPsaRoutes, addInvoiceComparisonRoutes, addContractUpdateRoutes, addPsaReportRoutes, addPsaChargeRoutes],
  day: requestSyncOfDay,
  tick: ({ psaSync, psaUpdates }) => ({
    async run() {
      await psaSync.runDue();
      await psaUpdates.runLost();
    },
  }),
};
