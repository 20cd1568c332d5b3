import { sql } from 'kysely';
import { sendHint } from '../notifications/hints.ts';
import type { Database, Write } from '../tables.ts';

/** Records what was done or refused around payments and payment methods, as an audit trail. */
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

/** Tells the browsers of the reseller's own people to read payments and payment methods again. */
export const hintPayments = (db: Database, reseller: number): Promise<void> =>
  sendHint(db, { reseller, customer: '' }, { kind: 'payments-changed' });

/**
 * Notifies those of the reseller's own people who may see billing. The words name no amount: prices may be hidden from
 * some of them.
 */
export async function notifyPayers(
  trx: Write,
  reseller: number,
  now: Date,
  told: { readonly message: string; readonly content: string },
): Promise<void> {
  const payers = await trx
    .selectFrom('accounts as a')
    .innerJoin('account_permissions as p', 'p.account_id', 'a.id')
    .where('a.reseller_id', '=', reseller)
    .where('a.customer_id', 'is', null)
    .where(sql<boolean>`'billing' = any(p.views)`)
    .select('a.id')
    .execute();
  for (const { id } of payers) {
    const category = 'warning' as const;
    await trx
      .insertInto('notifications')
      .values({ ...told, service_name: 'Billing', category, account_id: id, created: now })
      .execute();
    await sendHint(trx, { account: id }, { kind: 'notification' });
  }
}
