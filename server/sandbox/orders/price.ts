import type { Billing, Term } from '../marketplace/offer.ts';
import type { Product } from '../marketplace/products.ts';

export type Price = {
  readonly unitPrice: number;
  readonly monthlyPrice: number;
  readonly firstCharge: number;
  readonly lines: readonly { readonly Text: string; readonly Amount: number }[];
};

/** Rounded to the cent. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100;

/**
 * What a quantity costs. A discount is taken off the unit, rounded to the cent; a term that is paid upfront is charged
 * whole, a one-time purchase once and never monthly. `paid` is what a month of it has cost until now.
 */
export function priceOf(product: Product, quantity: number, term: Term, billing: Billing, paid = 0): Price {
  const unitPrice = cents(product.price * (1 - term.Discount / 100));
  const sum = cents(unitPrice * quantity);
  const isOnce = product.chargingModel === 'OneTime';
  const months = billing.Id === 'upfront' ? term.Months : 1;
  const firstCharge = cents(Math.max(0, sum - paid) * months);
  const lines = [
    { Text: `${quantity} × ${product.name}`, Amount: sum },
    ...(paid > 0 ? [{ Text: 'Paid until now', Amount: -cents(paid) }] : []),
    ...(months > 1 ? [{ Text: `${months} months at once`, Amount: firstCharge }] : []),
  ];
  return { unitPrice, monthlyPrice: isOnce ? 0 : sum, firstCharge, lines };
}
