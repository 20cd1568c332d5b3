import type { Term } from './offer.ts';
import type { Product } from './products.ts';

/** Rounds an amount to the cent. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** Gives the price of one unit under a term, per month; for a one-time purchase, once. */
export const unitPriceOf = ({ price }: Pick<Product, 'price'>, { Discount }: Term): number =>
  cents(price * (1 - Discount / 100));

/** Gives the last day of a term of so many months that begins now; null without a term. */
export function lastDayOf(months: number, now: Date): Date | null {
  if (months <= 1) return null;
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + months];
  // Of a short month the last.
  const day = Math.min(now.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  return new Date(Date.UTC(year, month, day - 1));
}

/** Writes a product's terms as the reply has them, each with its unit price and its last day if it began now. */
export const describeTerms = (product: Product, now: Date) =>
  product.offer.Terms.map(term => ({
    ...term,
    UnitPrice: unitPriceOf(product, term),
    Ends: lastDayOf(term.Months, now),
  }));
