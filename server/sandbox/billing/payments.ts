import { type RawBuilder, sql } from 'kysely';
import { nameOf } from '../payments/methods.ts';
import type { PaymentMeans, PaymentStatus } from '../payments/tables.ts';
import type { Database } from '../tables.ts';
import { idOfDocument } from './documents.ts';

/** A payment of an invoice, as a route answers it. */
export type InvoicePayment = {
  readonly Id: string;
  readonly Created: string;
  readonly Means: PaymentMeans;
  /** Of a stored method what people call it; null of credit and of a bank transfer. */
  readonly PaidWith: string | null;
  readonly IsAutomatic: boolean;
  readonly Status: PaymentStatus;
  /** Code that the provider gave of one that failed. */
  readonly Reason: string | null;
  readonly Amount: string;
  readonly Currency: string;
};

/** A payment by itself: of an invoice, or one that topped the credit up. */
export type Receipt = InvoicePayment & {
  /** As it is printed: "R-1042". */
  readonly Number: string;
  /** Null: it topped the credit up. */
  readonly InvoiceId: string | null;
  /** Amount of the invoice that is left to pay now; null without an invoice. */
  readonly Left: string | null;
};

/** Lists the payments of an invoice, also those that failed or have no answer yet, the newest first. */
export const listPayments = (db: Database, invoiceId: number): Promise<Receipt[]> =>
  readPayments(db, sql`p.invoice_id = ${invoiceId}`);

/** Reads a payment of a reseller by its id; undefined for one of somebody else. */
export async function findReceipt(db: Database, resellerId: number, id: number): Promise<Receipt | undefined> {
  const [receipt] = await readPayments(db, sql`p.id = ${id} and p.reseller_id = ${resellerId}`);
  return receipt;
}

async function readPayments(db: Database, which: RawBuilder<unknown>): Promise<Receipt[]> {
  const { rows } = await sql<Omit<Receipt, 'PaidWith'> & { brand: string | null; last4: string | null }>`
    select p.id::text as "Id", 'R-' || p.id as "Number", ${idOfDocument('i')} as "InvoiceId",
      (i.gross - i.prepaid - i.paid)::numeric(14, 2)::text as "Left", to_char(p.created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "Created",
      p.means as "Means", m.brand, m.last4, p.account_id is null and p.means <> 'BankTransfer' as "IsAutomatic",
      p.status as "Status", p.reason as "Reason", (p.amount::numeric / 100)::numeric(14, 2)::text as "Amount",
      p.currency as "Currency"
    from payments p left join payment_methods m on m.id = p.method_id left join invoices i on i.id = p.invoice_id
    where ${which} order by p.id desc`.execute(db);
  return rows.map(({ brand, last4, ...row }) => ({
    ...row,
    PaidWith: last4 === null ? null : nameOf({ brand, last4 }),
  }));
}
