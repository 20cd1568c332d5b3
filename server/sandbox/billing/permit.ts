import type { Need } from '../auth/needs.ts';
import { CloudError } from '../http/errors.ts';
import { flagsOf } from '../marketplace/products.ts';
import type { Database } from '../tables.ts';

/** Requires a reseller's own people with the view of billing: what resellers pay is no business of their customers. */
export const seesBilling: Need = {
  label: 'view billing, and to be of a reseller',
  isMet: caller => caller.customerId === null && caller.views.includes('billing'),
};

/**
 * Refuses the routes of billing reports to an account whose reporting is switched off.
 * @throws {CloudError} 409
 */
export async function permitReporting(db: Database, accountId: number): Promise<void> {
  const flags = await flagsOf(db, accountId);
  if (!flags.has('BillingPlatformReporting'))
    throw new CloudError(409, 'NotSupported', ['Billing platform reporting is switched off for this account.']);
}

/** The two addresses of what belongs to an invoice: of the billing platform's reporting, and of the monolith. */
export const reportingPaths = <M extends string, R extends string>(method: M, rest: R) =>
  [`${method} /billing/invoices/:documentId${rest}`, `/api/billing/invoices/:documentId${rest}`] as const;
