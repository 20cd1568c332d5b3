import { sql } from 'kysely';
import { nameOf } from '../payments/methods.ts';
import type { PaymentMeans, PaymentStatus } from '../payments/tables.ts';
import type { Database } from '../tables.ts';

/** A payment of an invoice, as a route answers it. */
export type InvoicePayment = {
  readonly Id: string;
  readonly Created: string;
  readonly Means: PaymentMeans;
  /** Of a stored method what people call it; null of credit and of a bank transfer. */
  readonly PaidWith: string | null;
  readonly IsAutomatic: boolean;
  readonly Status: PaymentStatus;
  /** What the provider said of one that failed, as a code. */
  readonly Reason: string | null;
  readonly Amount: string;
  readonly Currency: string;
};

/** Lists the payments of an invoice, also those that failed or have no answer yet, the newest first. */
export async function listPayments(db: Database, invoiceId: number): Promise<InvoicePayment[]> {
  const { rows } = await sql<Omit<InvoicePayment, 'PaidWith'> & { brand: string | null; last4: string | null }>`
    select p.id::text as "Id", to_char(p.created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "Created",
      p.means as "Means", m.brand, m.last4, p.account_id is null and p.means <> 'BankTransfer' as "IsAutomatic",
      p.status as "Status", p.reason as "Reason", (p.amount::numeric / 100)::numeric(14, 2)::text as "Amount",
      p.currency as "Currency"
    from payments p left join payment_methods m on m.id = p.method_id
    where p.invoice_id = ${invoiceId} order by p.id desc`.execute(db);
  return rows.map(({ brand, last4, ...row }) => ({
    ...row,
    PaidWith: last4 === null ? null : nameOf({ brand, last4 }),
  }));
}
