import type { Billing, Term } from '../marketplace/offer.ts';
import type { Product } from '../marketplace/products.ts';
import { cents, unitPriceOf } from '../marketplace/terms.ts';

export { cents };

export type Price = {
  readonly unitPrice: number;
  readonly monthlyPrice: number;
  readonly firstCharge: number;
  /** All that is paid until one may leave: of a month, of the term, or once. */
  readonly commitment: number;
  readonly months: number;
  readonly isOnce: boolean;
  readonly lines: readonly { readonly Text: string; readonly Amount: number }[];
};

/**
 * Computes the price of a quantity. The discount is taken off the unit price, rounded to the cent. An upfront term is
 * charged as a whole, a one-time purchase once. `paid` is the present monthly price of a service that is changed, to be
 * subtracted.
 */
export function priceOf(product: Product, quantity: number, term: Term, billing: Billing, paid = 0): Price {
  const unitPrice = unitPriceOf(product, term);
  const sum = cents(unitPrice * quantity);
  const isOnce = product.chargingModel === 'OneTime';
  const months = billing.Id === 'upfront' ? term.Months : 1;
  const firstCharge = cents(Math.max(0, sum - paid) * months);
  const lines = [
    { Text: `${quantity} × ${product.name}`, Amount: sum },
    ...(paid > 0 ? [{ Text: 'Paid until now', Amount: -cents(paid) }] : []),
    ...(months > 1 ? [{ Text: `${months} months at once`, Amount: firstCharge }] : []),
  ];
  const commitment = isOnce ? sum : cents(sum * term.Months);
  const monthlyPrice = isOnce ? 0 : sum;
  return { unitPrice, monthlyPrice, firstCharge, commitment, months: isOnce ? 0 : term.Months, isOnce, lines };
}
