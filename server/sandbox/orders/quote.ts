import type { Caller } from '../auth/caller.ts';
import { date, list, money, object, string } from '../http/schema.ts';
import { datesOf } from './place.ts';
import type { Price } from './price.ts';

export const charges = { FirstCharge: money, FirstChargeDate: date, CancelFreeUntil: date, Currency: string } as const;
export const quote = object({
  UnitPrice: money,
  MonthlyPrice: money,
  ...charges,
  Lines: list(object({ Text: string, Amount: money })),
});

/** Gives the price of an order and its dates in the form of the reply. */
export function quoteOf(price: Price, { currency }: Pick<Caller, 'currency'>, now: Date) {
  const { cancelFreeUntil, firstChargeDate } = datesOf(now);
  return {
    UnitPrice: price.unitPrice,
    MonthlyPrice: price.monthlyPrice,
    FirstCharge: price.firstCharge,
    FirstChargeDate: firstChargeDate,
    CancelFreeUntil: cancelFreeUntil,
    Currency: currency,
    Lines: price.lines,
  };
}
