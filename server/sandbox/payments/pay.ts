import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Containment } from '../contain.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { moveCredit } from './credit.ts';
import { hintPayments, notifyPayers, recordEvent } from './events.ts';
import type { PaymentParts } from './hosted-pages.ts';
import { findMethod } from './methods.ts';
import { lockInvoice, requireOwed, takeOff } from './owed.ts';
import type { Charge } from './provider/charges.ts';
import { mailReceipt } from './receipts.ts';
import { card, type PaymentStatus } from './tables.ts';

/** Milliseconds after which a payment without an answer was lost with its process, or with the provider's answer. */
const lostAfter = 30_000;

type Payment = Omit<Tables['payments'], 'id' | 'status' | 'means'> & {
  readonly id: number;
  readonly status: PaymentStatus;
};
type NewPayment = Omit<Tables['payments'], 'id' | 'status' | 'reason' | 'settled' | 'means'> & {
  readonly means: 'Card' | 'DirectDebit' | 'Credit';
};

/** The key by which the provider charges a payment once, however often it is asked. */
const keyOf = ({ id }: Pick<Payment, 'id'>): string => `payment-${id}`;

const findPayment = (db: Database, id: number): Promise<Payment> =>
  db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Finds what was paid by a press. What nobody pressed is found by its name alone. */
const findPress = (db: Database, { account_id, press }: Pick<NewPayment, 'account_id' | 'press'>) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('account_id', account_id === null ? 'is' : '=', account_id)
    .where('press', '=', press)
    .executeTakeFirst();

/**
 * Writes a payment, once per press and at most of what is owed; gives the one that is known by its press.
 * @throws {CloudError} 409 for a press that was for another payment, and what `requireOwed` throws
 */
async function writePayment(trx: Write, row: NewPayment): Promise<Payment> {
  if (row.invoice_id !== null) await lockInvoice(trx, row.invoice_id);
  let known = await findPress(trx, row);
  if (!known) {
    if (row.invoice_id !== null) await requireOwed(trx, row.invoice_id, row.amount);
    await trx
      .insertInto('payments')
      .values({ ...row, reason: null, settled: null })
      .onConflict(same => same.doNothing())
      .execute();
    known = (await findPress(trx, row))!;
  }
  const isSame =
    known.method_id === row.method_id && known.amount === row.amount && known.invoice_id === row.invoice_id;
  if (!isSame) throw refuseConflict('PressUsed');
  return known;
}

export type PaymentAsked = {
  readonly methodId: string;
  /** In minor units. */
  readonly amount: number;
  /** Null: it tops the credit up. */
  readonly invoiceId: number | null;
};

/**
 * Pays with a stored card or a direct debit, once per press: first the payment is written, then the provider is asked under its key, then
 * what it said is recorded. A payment without an answer stays Pending until `settlePending` has asked again.
 * @throws {CloudError} 404 for a payment method of somebody else, 409 for one that cannot pay and for a press that was for another
 *   payment; of an invoice also 409 where it is paid or being paid, and 400 for more than is owed
 */
export async function payWithMethod(parts: PaymentParts, caller: Caller, asked: PaymentAsked, press: string) {
  const { resellerId: reseller_id, accountId: account_id, currency } = caller;
  const method = await findMethod(parts.db, caller, asked.methodId);
  const isKnown = (await findPress(parts.db, { account_id, press })) !== undefined;
  if (!isKnown && method.status !== 'Active')
    throw method.kind === card ? refuseConflict('CardInactive') : refuseConflict('DebitInactive');
  if (!isKnown && method.currency !== currency) throw refuseConflict('CardCurrency', { Currency: method.currency });
  const { amount, invoiceId: invoice_id } = asked;
  const row = { reseller_id, account_id, method_id: method.id, amount, currency, invoice_id, press };
  const means = method.kind === card ? 'Card' : 'DirectDebit';
  return await charge(parts, { ...row, means, created: parts.now() });
}

/** Writes a payment as Pending, has the card provider charge its payment method, and stores the outcome. */
export async function charge(parts: PaymentParts, row: NewPayment): Promise<Payment> {
  const { db } = parts;
  const payment = await db.transaction().execute(trx => writePayment(trx, row));
  if (payment.status !== 'Pending') return payment;
  const charged = await askForCharge(parts, payment);
  if (charged) await recordCharge(parts, payment, charged);
  return findPayment(db, payment.id);
}

async function askForCharge({ db, provider }: PaymentParts, payment: Payment): Promise<Charge | undefined> {
  const { provider_id } = await db
    .selectFrom('payment_methods')
    .select('provider_id')
    .where('id', '=', payment.method_id)
    .executeTakeFirstOrThrow();
  const { amount, currency } = payment;
  return await provider.charge({ key: keyOf(payment), methodId: provider_id, amount, currency });
}

/**
 * Pays an invoice out of the reseller's credit, in one transaction.
 * @throws {CloudError} as `payWithMethod`, and 409 where there is less credit
 */
export async function payWithCredit(parts: PaymentParts, caller: Caller, asked: PaymentAsked, press: string) {
  const { resellerId: reseller_id, accountId: account_id, currency } = caller;
  const { amount, invoiceId: invoice_id } = asked;
  const created = parts.now();
  return await parts.db.transaction().execute(async trx => {
    const row = { reseller_id, account_id, method_id: null, amount, currency, invoice_id, press };
    const payment = await writePayment(trx, { ...row, means: 'Credit', created });
    if (payment.status !== 'Pending') return payment;
    if (!(await moveCredit(trx, { ...payment, amount: -amount, created }))) throw refuseConflict('CreditShort');
    await recordOutcome(parts, trx, payment, { status: 'Paid', reason: null });
    return { ...payment, status: 'Paid' as const };
  });
}

const statuses: Readonly<Record<Charge['status'], PaymentStatus>> = {
  processed: 'Paid',
  declined: 'Declined',
  voided: 'NotCharged',
};

/** Records what the provider said of a payment, once; from then on what was paid for is there. */
async function recordCharge(parts: PaymentParts, payment: Payment, charged: Charge): Promise<void> {
  const { db, now } = parts;
  const status = statuses[charged.status];
  await db.transaction().execute(async trx => {
    if (payment.invoice_id !== null) await lockInvoice(trx, payment.invoice_id);
    const isFirst = await recordOutcome(parts, trx, payment, { status, reason: charged.code });
    if (!isFirst || status !== 'Paid' || payment.invoice_id !== null) return;
    await moveCredit(trx, { ...payment, created: now() });
  });
}

/** @returns false where the outcome of the payment is recorded already */
async function recordOutcome(
  { now: clock, portalUrl }: PaymentParts,
  trx: Write,
  payment: Payment,
  { status, reason }: { readonly status: PaymentStatus; readonly reason: string | null },
): Promise<boolean> {
  const { id, reseller_id, account_id, invoice_id, amount } = payment;
  const now = clock();
  const settled = await trx
    .updateTable('payments')
    .set({ status, reason, settled: now })
    .where('id', '=', id)
    .where('status', '=', 'Pending')
    .executeTakeFirst();
  if (settled.numUpdatedRows === 0n) return false;
  if (status === 'Paid' && invoice_id !== null) await takeOff(trx, invoice_id, amount, now);
  if (status === 'Paid') await mailReceipt(trx, payment, portalUrl, now);
  await recordEvent(trx, {
    ...{ resellerId: reseller_id, accountId: account_id, action: 'payment', at: now },
    outcome: status === 'Paid' ? 'done' : 'refused',
    reason: reason ?? status,
  });
  if (status !== 'Paid' && account_id === null)
    await notifyPayers(trx, reseller_id, now, {
      message: 'An invoice could not be paid automatically',
      content: 'Nothing was charged. Billing says why, and when it is tried again.',
    });
  await hintPayments(trx, reseller_id);
  return true;
}

/**
 * Clears payments whose answer was lost: asks the card provider what was charged under their key. If nothing was, a
 * person's payment is voided after some time, and an automatic one is asked for again. One that throws holds up no other.
 */
export async function settlePending(parts: PaymentParts, contained: Containment): Promise<void> {
  const { db, provider, now } = parts;
  const pending = await db
    .selectFrom('payments')
    .selectAll()
    .where('status', '=', 'Pending')
    .where(sql<boolean>`id <> all(${contained.waiting()}::bigint[])`)
    .orderBy('id')
    .limit(1000)
    .execute();
  for (const payment of pending) {
    await contained.run(payment.id, async () => {
      const found = await provider.findCharge(keyOf(payment));
      const isLost = now().getTime() - payment.created.getTime() > lostAfter;
      // A person may have turned away; the billing run goes on until it has an answer.
      const giveUp = () => (isLost ? provider.voidCharge(keyOf(payment)) : undefined);
      const charged =
        found === 'none' ? await (payment.account_id === null ? askForCharge(parts, payment) : giveUp()) : found;
      if (charged) await recordCharge(parts, payment, charged);
    });
  }
}
