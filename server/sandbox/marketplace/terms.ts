import { addMonths, lastDayBefore } from '../services/term.ts';
import type { Term } from './offer.ts';
import type { Product } from './products.ts';

/** Rounds an amount to the cent. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100;

/** Gives the price of one unit under a term, per month; for a one-time purchase, once. */
export const unitPriceOf = ({ price }: Pick<Product, 'price'>, { Discount }: Term): number =>
  cents(price * (1 - Discount / 100));

/** Gives the last day of a term of so many months that begins now; null without a term. */
export const lastDayOf = (months: number, now: Date): string | null =>
  months > 1 ? lastDayBefore(addMonths(now, months)) : null;

/** Writes a product's terms as the reply has them, each with its unit price and its last day if it began now. */
export const describeTerms = (product: Product, now: Date) =>
  product.offer.Terms.map(term => ({
    ...term,
    UnitPrice: unitPriceOf(product, term),
    Ends: lastDayOf(term.Months, now),
  }));
