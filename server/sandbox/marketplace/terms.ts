import type { Term } from './offer.ts';
import type { Product } from './products.ts';

/** Rounded to the cent. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** The price of one in a term, per month; of a one-time purchase, once. */
export const unitPriceOf = ({ price }: Pick<Product, 'price'>, { Discount }: Term): number =>
  cents(price * (1 - Discount / 100));

/** The day before the one on which so many months are over that begin now; null without a term. */
export function lastDayOf(months: number, now: Date): Date | null {
  if (months <= 1) return null;
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + months];
  // Of a short month the last.
  const day = Math.min(now.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  return new Date(Date.UTC(year, month, day - 1));
}

/** Gives the terms of a product with the price of one and the last day of each that begins now. */
export const describeTerms = (product: Product, now: Date) =>
  product.offer.Terms.map(term => ({
    ...term,
    UnitPrice: unitPriceOf(product, term),
    Ends: lastDayOf(term.Months, now),
  }));
