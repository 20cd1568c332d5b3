import { sendHint } from '../notifications/hints.ts';
import type { Database } from '../tables.ts';

/** Keeps what was done or refused around payments, for those who look into it later. */
export async function recordEvent(
  db: Database,
  event: {
    readonly resellerId: number;
    readonly accountId: number | null;
    readonly action: string;
    readonly outcome: 'done' | 'refused';
    readonly reason?: string;
    readonly at: Date;
  },
): Promise<void> {
  await db
    .insertInto('payment_events')
    .values({
      reseller_id: event.resellerId,
      account_id: event.accountId,
      action: event.action,
      outcome: event.outcome,
      reason: event.reason ?? null,
      created: event.at,
    })
    .execute();
}

/** Tells the reseller's own people that payments or payment methods are worth reading again. */
export const hintPayments = (db: Database, reseller: number): Promise<void> =>
  sendHint(db, { reseller, customer: '' }, { kind: 'payments-changed' });
