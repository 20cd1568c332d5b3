import type { Caller } from '../auth/caller.ts';
import { notPermitted } from '../http/errors.ts';
import { flagsOf } from '../marketplace/products.ts';
import type { Database } from '../tables.ts';

/** Which parts of payments are switched on for the caller. */
export type PaymentFlags = {
  readonly cardTypes: readonly string[];
  readonly canAddCredit: boolean;
};

/**
 * Checks that a caller may make payments, and gives its payment flags.
 * @throws {CloudError} 403 without BillingPlatformPayment, and for people of a customer
 */
export async function permitPayments(db: Database, { accountId, customerId }: Caller): Promise<PaymentFlags> {
  const flags = await flagsOf(db, accountId);
  if (customerId !== null || !flags.has('BillingPlatformPayment')) throw notPermitted();
  return {
    cardTypes: ['Visa', 'MasterCard', ...(flags.has('BillingPlatformAmex') ? ['AmericanExpress'] : [])],
    canAddCredit: !flags.has('BillingDisableAddCredit'),
  };
}
