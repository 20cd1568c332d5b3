import type { Area } from '../area.ts';
import { insertEuroReseller } from '../seed/euro.ts';
import { billing } from './migrations/065-billing.ts';
import { preBills } from './migrations/084-pre-bills.ts';
import { externalInvoices } from './migrations/090-external-invoices.ts';
import { billingDrafts } from './migrations/092-billing-drafts.ts';
import { longInvoices } from './migrations/093-long-invoices.ts';
import { customerChanges } from './migrations/094-customer-changes.ts';
import { changesOfSums } from './migrations/095-changes-of-sums.ts';
import { preBillChanges } from './migrations/097-pre-bill-changes.ts';
import { billedAdditions } from './migrations/099-billed-additions.ts';
import { documentSearchKeys } from './migrations/117-document-search-keys.ts';
import { addBillingRoutes } from './routes.ts';
import { createBilling } from './run.ts';
import { insertInvoices, insertSellingPrices } from './seed.ts';
import './tables.ts';

/** The monthly run, invoices, credit memos and price lists. */
export const billingArea: Area = {
  name: 'billing',
  migrations: {
    '065-billing': billing,
    '084-pre-bills': preBills,
    '090-external-invoices': externalInvoices,
    '092-billing-drafts': billingDrafts,
    '093-long-invoices': longInvoices,
    '094-customer-changes': customerChanges,
    '095-changes-of-sums': changesOfSums,
    '097-pre-bill-changes': preBillChanges,
    '099-billed-additions': billedAdditions,
    '117-document-search-keys': documentSearchKeys,
  },
  seed: [
    {
      name: 'reseller in euros with customers',
      insert: (trx, { now, passwordHash }) => insertEuroReseller(trx, now, passwordHash),
    },
    { name: 'selling prices', insert: insertSellingPrices },
    { name: 'invoices', insert: (trx, { now }) => insertInvoices(trx, now) },
  ],
  routes: [addBillingRoutes],
  afterDays({ db, now, contain, portalUrl }) {
    const { runDue, stop } = createBilling(db, now, contain('resellerId'), portalUrl);
    return { run: runDue, stop };
  },
};
