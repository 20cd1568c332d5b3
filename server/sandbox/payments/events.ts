import { sql } from 'kysely';
import { heldViews } from '../auth/held-views.ts';
import { seller } from '../billing/parties.ts';
import { sendHint } from '../notifications/hints.ts';
import { notify } from '../notifications/store.ts';
import { putMail } from '../outbox/mail.ts';
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

/** Those of a reseller's own people who may see billing. */
const payersOf = (trx: Write, reseller: number) =>
  trx
    .selectFrom('accounts as a')
    .innerJoin('account_permissions as p', 'p.account_id', 'a.id')
    .where('a.reseller_id', '=', reseller)
    .where('a.customer_id', 'is', null)
    .where('a.enabled', '=', true)
    .where(sql<boolean>`'billing' = any(${heldViews})`);

/**
 * Notifies those of the reseller's own people who may see billing. The words name no amount: prices may be hidden from
 * some of them.
 */
export async function notifyPayers(
  trx: Write,
  reseller: number,
  now: Date,
  told: { readonly message: string; readonly content: string; readonly category?: 'info' },
): Promise<void> {
  const payers = await payersOf(trx, reseller).select('a.id').execute();
  const ids = payers.map(({ id }) => id);
  await notify(trx, ids, { category: 'warning', ...told, service_name: 'Billing' }, now);
}

/** Mails those of the reseller's own people who see billing with its prices, or of these only one. */
export async function mailPayers(
  trx: Write,
  { reseller, account }: { readonly reseller: number; readonly account: number | null },
  { subject, text }: { readonly subject: string; readonly text: string },
  now: Date,
): Promise<void> {
  const payers = await payersOf(trx, reseller)
    .where('a.hide_pricing', '=', false)
    .$if(account !== null, all => all.where('a.id', '=', account))
    .select(['a.username', 'a.display_name'])
    .orderBy('a.id')
    .execute();
  for (const { username, display_name } of payers) {
    const body = `Hello ${display_name},\n\n${text}\n\n${seller.Name}`;
    await putMail(trx, { recipient: username, subject, body }, now);
  }
}
