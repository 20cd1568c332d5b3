import { type RawBuilder, sql } from 'kysely';
import type { PaymentTerm } from './tables.ts';

/** Days after its issue on which an invoice is due, by the term that its reseller has chosen. */
const daysOfTerm: Readonly<Record<PaymentTerm, number>> = { OnInvoice: 0, Days14: 14, Days30: 30 };

/** The term of a reseller that has chosen none. */
export const firstTerm: PaymentTerm = 'Days30';

/**
 * Gives SQL for the days from the issue of an invoice until it is due, for the reseller that issues it now. The day is
 * then kept with the invoice (`invoices.due`): whatever is said or done about it goes by that, and a term chosen later
 * is for later invoices.
 */
export const daysToPay = (resellerId: number): RawBuilder<number> => sql<number>`(
  select (${JSON.stringify(daysOfTerm)}::jsonb ->> coalesce(max(payment_term), ${firstTerm}))::int
  from payment_settings where reseller_id = ${resellerId})`;
