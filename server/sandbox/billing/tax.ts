import { printLines } from '../../../shared/billing/printed-lines.ts';
import { totalsOf } from '../../../shared/billing/totals.ts';
import type { Charge } from './charges.ts';

/**
 * Tax in per cent by where the reseller buys: the United Kingdom, or Ireland. The archive is exempt in this world, so
 * that invoices have more than one rate, as real ones do.
 */
const standardRate: Readonly<Record<string, string>> = { GBP: '20', EUR: '23' };
const exempt: readonly string[] = ['23-1'];

/** @param product key of a product, as "8-1" */
export function taxRateOf(currency: string, product: string): string {
  return exempt.includes(product) ? '0' : (standardRate[currency] ?? '0');
}

/** Gives charges their tax rates, printed amounts in the order of the charges, and the totals of the document. */
export function roundCharges(currency: string, charges: readonly Charge[]) {
  const rated = charges.map(charge => ({ ...charge, rate: taxRateOf(currency, charge.product) }));
  const printed = printLines(rated.map(({ key, rate, exact }) => ({ id: key, currency, rate, amount: exact })));
  const amounts = rated.map(({ key }) => printed.get(key) ?? '0');
  const totals = totalsOf({ lines: rated.map(({ rate }, index) => ({ rate, amount: amounts[index] ?? '0' })) });
  return { rated, amounts, totals };
}
