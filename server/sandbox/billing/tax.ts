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
