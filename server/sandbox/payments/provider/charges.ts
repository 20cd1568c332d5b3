import type { Database } from '../../tables.ts';
import { mandateStatus } from './mandates.ts';

export type Charge = {
  /** processed: the money was taken. voided: it never will be by this key. */
  readonly status: 'processed' | 'declined' | 'voided';
  readonly code: string | null;
  readonly message: string | null;
};

type ChargeRequest = {
  readonly key: string;
  readonly methodId: string;
  readonly amount: number;
  readonly currency: string;
};
type Verdict = Charge & { readonly behaviour: string | null };

const declined = (code: string, message: string): Charge => ({ status: 'declined', code, message });

/** Finds a charge in the card provider's own table by its idempotency key; undefined for an unknown one. */
export const findCharge = (db: Database, key: string): Promise<Charge | undefined> =>
  db
    .selectFrom('card_provider_charges')
    .select(['status', 'code', 'message'])
    .where('key', '=', key)
    .executeTakeFirst();

/**
 * Charges a stored payment method at the card provider. A repeated key gets the first request's answer, and nothing is
 * charged.
 */
export async function charge(db: Database, asked: ChargeRequest, now: Date): Promise<Verdict> {
  const { key, methodId: method_id, amount, currency } = asked;
  const method = await db
    .selectFrom('card_provider_methods')
    .selectAll()
    .where('id', '=', method_id)
    .executeTakeFirst();
  const behaviour = method?.behaviour ?? null;
  const mandate = method?.kind === 'directDebit' ? await mandateStatus(db, method_id, now) : undefined;
  const verdict = (): Charge => {
    if (mandate !== undefined && mandate !== 'active')
      return declined('mandate_not_active', 'The mandate is not active at the bank.');
    if (!method || method.closed) return declined('closed', 'The method is not stored here.');
    if (behaviour === 'declined') return declined('insufficient_funds', 'The bank declined the card.');
    if (behaviour === 'expired' || (method.expires && method.expires.getTime() + 86_400_000 <= now.getTime()))
      return declined('expired_card', 'The card has expired.');
    return { status: 'processed', code: null, message: null };
  };
  await db
    .insertInto('card_provider_charges')
    .values({ key, method_id, amount, currency, created: now, ...verdict() })
    .onConflict(known => known.column('key').doNothing())
    .execute();
  const made = await findCharge(db, key);
  return { ...(made ?? verdict()), behaviour };
}

/**
 * Makes sure that nothing more will be charged under an idempotency key, and gives what was charged under it before.
 */
export async function voidCharge(db: Database, key: string, now: Date): Promise<Charge> {
  const row = { key, method_id: '', amount: 0, currency: '', status: 'voided', code: null, message: null } as const;
  await db
    .insertInto('card_provider_charges')
    .values({ ...row, created: now })
    .onConflict(known => known.column('key').doNothing())
    .execute();
  return (await findCharge(db, key)) ?? row;
}
