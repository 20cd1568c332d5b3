import type { Caller } from '../auth/caller.ts';
import { boolean, date, day, integer, list, money, object, orNull, string } from '../http/schema.ts';
import { lastDayOf } from '../marketplace/terms.ts';
import { lastDayBefore, monthsLeft, readEndOfTerm } from '../services/term.ts';
import type { Database } from '../tables.ts';
import type { Checked } from './check.ts';
import { datesOf } from './place.ts';
import { cents, type Price } from './price.ts';

export const charges = { FirstCharge: money, FirstChargeDate: date, CancelFreeUntil: date, Currency: string } as const;
export const quote = object({
  UnitPrice: money,
  MonthlyPrice: money,
  ...charges,
  Once: { ...boolean, description: 'True for a one-time purchase: nothing is charged monthly.' },
  /** Amount that is paid until one may leave: of the first month, of the term, or once. */
  Commitment: money,
  TermEnds: { ...orNull(day), description: 'Last day of the term; null without one.' },
  Lines: list(object({ Text: string, Amount: money })),
});
export const orderQuote = object({
  ...quote.properties,
  Quantity: integer,
  Beside: { ...orNull(integer), description: 'How many are held already in a service that stays beside.' },
  Before: {
    ...object({ Quantity: integer, UnitPrice: money, MonthlyPrice: money, TermId: orNull(string) }),
    nullable: true,
    description: 'Of a change: the service as it is.',
  },
});

/** Writes the price of an order and its dates as the reply has them. */
export function quoteOf(price: Price, { currency }: Pick<Caller, 'currency'>, now: Date) {
  const { cancelFreeUntil, firstChargeDate } = datesOf(now);
  return {
    UnitPrice: price.unitPrice,
    MonthlyPrice: price.monthlyPrice,
    FirstCharge: price.firstCharge,
    FirstChargeDate: firstChargeDate,
    CancelFreeUntil: cancelFreeUntil,
    Currency: currency,
    Once: price.isOnce,
    Commitment: price.commitment,
    TermEnds: lastDayOf(price.months, now),
    Lines: price.lines,
  };
}

/**
 * Gives the quote of an order as the reply has it: price and dates, and for a change the service before it, whose term
 * goes on where the change keeps it.
 */
export async function orderQuoteOf(
  db: Database,
  { price, before, body, beside }: Pick<Checked, 'price' | 'before' | 'body' | 'beside'>,
  caller: Pick<Caller, 'currency'>,
  now: Date,
) {
  return {
    ...quoteOf(price, caller, now),
    ...(before?.term_id === body.TermId && price.months > 1 && (await restOf(db, before.id, body, price, now))),
    Quantity: body.Quantity,
    Beside: beside,
    Before: before
      ? {
          Quantity: before.quantity,
          UnitPrice: before.monthly_price,
          MonthlyPrice: cents(before.monthly_price * before.quantity),
          TermId: before.term_id,
        }
      : null,
  };
}

/** The last day of a term that goes on, and what is paid by the month until then, this month included. */
async function restOf(db: Database, instanceId: number, { BillingId }: Checked['body'], price: Price, now: Date) {
  const end = await readEndOfTerm(db, instanceId, now);
  const left = cents(price.monthlyPrice * (monthsLeft(end, now) + 1));
  return { TermEnds: lastDayBefore(end), ...(BillingId === 'monthly' && { Commitment: left }) };
}
