import type { Caller } from '../auth/caller.ts';
import type { Database } from '../tables.ts';
import { writeAmount } from './amount.ts';
import { balanceOf } from './credit.ts';
import { isExpired, nameOf, readSettings } from './methods.ts';
import { card } from './tables.ts';

/** In place of a payment method: the reseller's credit. */
export const fromCredit = 'credit';

export type Way = {
  readonly Id: string;
  readonly Kind: 'Card' | 'DirectDebit' | 'Credit';
  readonly Name: string;
  readonly IsDefault: boolean;
  /** Of credit what there is; null of a payment method. */
  readonly Left: string | null;
};

/**
 * Lists what a payment can be made with now, the default first: active cards that have not expired, a direct debit that
 * the bank has accepted, and, for an invoice, credit that there is.
 */
export async function listWays(db: Database, caller: Caller, isForInvoice: boolean, now: Date): Promise<Way[]> {
  const { resellerId, currency } = caller;
  const { defaultPaymentMethodId } = await readSettings(db, resellerId);
  const methods = await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('reseller_id', '=', resellerId)
    .where('status', '=', 'Active')
    .where('currency', '=', currency)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const stored = methods
    .filter(method => !isExpired(method, now))
    .map(
      (method): Way => ({
        Id: String(method.id),
        Kind: method.kind === card ? 'Card' : 'DirectDebit',
        Name: nameOf(method),
        IsDefault: method.id === defaultPaymentMethodId,
        Left: null,
      }),
    )
    .sort((one, other) => Number(other.IsDefault) - Number(one.IsDefault));
  const balance = isForInvoice ? await balanceOf(db, resellerId) : 0;
  if (balance <= 0) return stored;
  return [...stored, { Id: fromCredit, Kind: 'Credit', Name: 'Credit', IsDefault: false, Left: writeAmount(balance) }];
}
