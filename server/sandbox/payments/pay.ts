import type { Caller } from '../auth/caller.ts';
import { conflict } from '../http/errors.ts';
import type { Database, Write } from '../tables.ts';
import { hintPayments, recordEvent } from './events.ts';
import type { PaymentParts } from './hosted-pages.ts';
import { findMethod } from './methods.ts';
import type { Charge } from './provider/charges.ts';
import { card, type PaymentStatus, type PaymentsTables } from './tables.ts';

/** Milliseconds after which a payment without an answer was lost with its process, or with the provider's answer. */
const lostAfter = 30_000;

export type PaymentAsked = {
  readonly methodId: string;
  /** In minor units. */
  readonly amount: number;
  /** Undefined: it tops the credit up. */
  readonly invoiceId?: string;
};

type Payment = Omit<PaymentsTables['payments'], 'id' | 'status'> & {
  readonly id: number;
  readonly status: PaymentStatus;
};

/** The key by which the provider charges a payment once, however often it is asked. */
const keyOf = ({ id }: Pick<Payment, 'id'>): string => `payment-${id}`;

const findPayment = (db: Database, id: number): Promise<Payment> =>
  db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/**
 * Pays with a stored card, once per press: first the payment is written, then the provider is asked under its key, then
 * what it said is recorded. A payment without an answer stays Pending until `settlePending` has asked again.
 * @throws {CloudError} 404 for a card of somebody else, 409 for one that cannot pay and for a press that was for another payment
 */
export async function pay(parts: PaymentParts, caller: Caller, asked: PaymentAsked, press: string): Promise<Payment> {
  const { db, provider, now } = parts;
  const { resellerId, accountId, currency } = caller;
  const method = await findMethod(db, caller, asked.methodId);
  const row = {
    ...{ reseller_id: resellerId, account_id: accountId, method_id: method.id, amount: asked.amount, currency, press },
    invoice_id: asked.invoiceId ?? null,
  };
  const known = await db
    .selectFrom('payments')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('press', '=', press)
    .executeTakeFirst();
  if (!known && (method.kind !== card || method.status !== 'Active'))
    throw conflict('Only an active card pays. Choose another one.');
  if (!known && method.currency !== currency) throw conflict(`This card was stored for ${method.currency}.`);
  if (!known)
    await db
      .insertInto('payments')
      .values({ ...row, reason: null, created: now(), settled: null })
      .onConflict(same => same.columns(['account_id', 'press']).doNothing())
      .execute();
  const payment = await db
    .selectFrom('payments')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('press', '=', press)
    .executeTakeFirstOrThrow();
  const isSame =
    payment.method_id === row.method_id && payment.amount === row.amount && payment.invoice_id === row.invoice_id;
  if (!isSame) throw conflict('This Idempotency-Key was used for another request.');
  if (payment.status !== 'Pending') return payment;
  const charge = await provider.charge({
    ...{ key: keyOf(payment), methodId: method.provider_id, amount: payment.amount, currency },
  });
  if (charge) await recordCharge(parts, payment, charge);
  return findPayment(db, payment.id);
}

const statuses: Readonly<Record<Charge['status'], PaymentStatus>> = {
  processed: 'Paid',
  declined: 'Declined',
  voided: 'NotCharged',
};

/** Records what the provider said of a payment, once; credit that was bought is there from then on. */
async function recordCharge({ db, now }: PaymentParts, payment: Payment, charge: Charge): Promise<void> {
  const status = statuses[charge.status];
  const { id, reseller_id, account_id } = payment;
  await db.transaction().execute(async trx => {
    const settled = await trx
      .updateTable('payments')
      .set({ status, reason: charge.code, settled: now() })
      .where('id', '=', id)
      .where('status', '=', 'Pending')
      .executeTakeFirst();
    if (settled.numUpdatedRows === 0n) return;
    if (status === 'Paid' && payment.invoice_id === null) await addCredit(trx, payment, now());
    await recordEvent(trx, {
      ...{ resellerId: reseller_id, accountId: account_id, action: 'payment', at: now() },
      outcome: status === 'Paid' ? 'done' : 'refused',
      reason: charge.code ?? charge.status,
    });
    await hintPayments(trx, reseller_id);
  });
}

/** What a reseller has in credit, in minor units. */
export async function balanceOf(db: Database, resellerId: number): Promise<number> {
  const last = await db
    .selectFrom('credit_movements')
    .select('balance')
    .where('reseller_id', '=', resellerId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last?.balance ?? 0;
}

async function addCredit(trx: Write, { id, reseller_id, amount, currency }: Payment, created: Date): Promise<void> {
  // Movements of a reseller are written one after the other, as each has the balance after it.
  await trx.selectFrom('resellers').select('id').where('id', '=', reseller_id).forUpdate().execute();
  const balance = (await balanceOf(trx, reseller_id)) + amount;
  await trx
    .insertInto('credit_movements')
    .values({ reseller_id, kind: 'TopUp', amount, balance, currency, payment_id: id, created })
    .execute();
}

/**
 * Settles payments whose answer was lost: asks what was charged under their key; where nothing was, and nobody can be
 * asking any more, nothing ever will be.
 */
export async function settlePending(parts: PaymentParts): Promise<void> {
  const { db, provider, now } = parts;
  const pending = await db
    .selectFrom('payments')
    .selectAll()
    .where('status', '=', 'Pending')
    .orderBy('id')
    .limit(1000)
    .execute();
  for (const payment of pending) {
    const found = await provider.findCharge(keyOf(payment));
    const isLost = now().getTime() - payment.created.getTime() > lostAfter;
    const charge = found === 'none' ? (isLost ? await provider.voidCharge(keyOf(payment)) : undefined) : found;
    if (charge) await recordCharge(parts, payment, charge);
  }
}
