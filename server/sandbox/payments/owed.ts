import { sql } from 'kysely';
import { heldOf } from '../billing/held.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import type { Database, Write } from '../tables.ts';
import { writeAmount } from './amount.ts';

/** Reads what is left to pay of an invoice, and how much of it an unanswered payment may have taken, in minor units. */
export async function readOwed(
  db: Database,
  invoiceId: number,
): Promise<{ left: number; pending: number; currency: string }> {
  const { rows } = await sql<{ left: number; pending: number; currency: string }>`
    select ((gross - prepaid - paid) * 100)::bigint as left, currency, ${heldOf('i')}::bigint as pending
    from invoices i where i.id = ${invoiceId}`.execute(db);
  return rows[0] ?? { left: 0, pending: 0, currency: '' };
}

/** Locks an invoice against other payments until this transaction ends. */
export async function lockInvoice(trx: Write, invoiceId: number): Promise<void> {
  await trx.selectFrom('invoices').select('id').where('id', '=', invoiceId).forUpdate().execute();
}

/**
 * Refuses an amount above what is owed; payments without an answer hold theirs, since it may have been taken.
 * @throws {CloudError} 409 for a paid invoice, or for too much while such a payment is held; 400 for too much otherwise
 */
export async function requireOwed(trx: Write, invoiceId: number, amount: number): Promise<void> {
  const { left, pending, currency } = await readOwed(trx, invoiceId);
  if (left <= 0) throw refuseConflict('InvoicePaid');
  if (amount > left - pending && pending > 0) throw refuseConflict('PaymentPending');
  if (amount > left) throw refuseField('Amount', 'AmountAboveOwed', { Owed: writeAmount(left), Currency: currency });
}

/** Subtracts a payment from what is owed of its invoice, which is paid once nothing is left. */
export async function takeOff(trx: Write, invoiceId: number, amount: number, now: Date): Promise<void> {
  await sql`
    update invoices set paid = paid + ${amount}::numeric / 100, paid_on = case
      when gross - prepaid - paid - ${amount}::numeric / 100 = 0 then (${now}::timestamptz at time zone 'UTC')::date end
    where id = ${invoiceId}`.execute(trx);
}
