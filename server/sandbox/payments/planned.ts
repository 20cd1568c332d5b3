import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { idOfDocument } from '../billing/documents.ts';
import type { Database } from '../tables.ts';

/** Days after a failed attempt on which the next one is made, with the same payment method. */
const daysBetween = 3;
/** Attempts with one payment method: the first, and three more. Another default method begins anew. */
const mostAttempts = 4;

/** Resellers (all, or one) who pay automatically, with the id of their default payment method. */
export const automaticPayers = (resellerId: number | null) => sql`
  select reseller_id, default_payment_method_id as method_id from payment_settings
  where auto_pay and (${resellerId}::bigint is null or reseller_id = ${resellerId}::bigint)`;

/**
 * Gives SQL for the open invoices of payers, with the day of the next attempt: the due day, then three days after each
 * failure; null after the fourth, and without an active payment method.
 * @param payers SQL for `reseller_id` and `method_id`
 */
export const plannedPayments = (payers: RawBuilder<unknown>) => sql`
  select i.id, i.reseller_id, i.currency, i.gross - i.prepaid - i.paid as amount, m.id as method, m.kind,
    made.attempts, made.failed, made.waiting, case
      when m.id is null or made.failed >= ${mostAttempts}::int then null
      when made.failed > 0 then made.latest + ${daysBetween}::int
      else i.due end as next_on
  from (${payers}) s
  join invoices i on i.reseller_id = s.reseller_id and i.kind = 'Invoice' and i.gross - i.prepaid - i.paid > 0
  left join payment_methods m on m.id = s.method_id and m.status = 'Active' and m.currency = i.currency
  cross join lateral (
    select count(*) filter (where p.account_id is null)::int as attempts,
      count(*) filter (where p.account_id is null and p.method_id = m.id and p.status <> 'Paid')::int as failed,
      coalesce(bool_or(p.status = 'Pending'), false) as waiting,
      (max(p.created) filter (where p.account_id is null and p.method_id = m.id) at time zone 'UTC')::date as latest
    from payments p where p.invoice_id = i.id
  ) made`;

/** Reads the day on which a reseller's open invoice is next paid automatically; null when it is not. */
export async function readNextAttempt(db: Database, resellerId: number, invoiceId: number): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select next_on::text as day from (${plannedPayments(automaticPayers(resellerId))}) planned where id = ${invoiceId}`.execute(
    db,
  );
  return rows[0]?.day ?? null;
}

/** An amount that would be taken automatically, and its day. */
export type AutoPayPlan = {
  readonly Items: readonly { readonly InvoiceId: string; readonly Amount: string; readonly Day: string }[];
  readonly Total: string;
  /** Names exactly this plan, so that nothing else is agreed to. */
  readonly Plan: string;
};

/**
 * Reads what would be taken of a reseller's open invoices if they were paid automatically with a payment method, the
 * soonest first: each on the day it is due, or today where that is over.
 */
export async function planAutoPay(
  db: Database,
  resellerId: number,
  methodId: number | null,
  now: Date,
): Promise<AutoPayPlan> {
  const payer = sql`select ${resellerId}::bigint as reseller_id, ${methodId}::bigint as method_id`;
  const { rows } = await sql<{ InvoiceId: string; Amount: string; Day: string; Total: string }>`
    select ${idOfDocument('i')} as "InvoiceId", amount::numeric(14, 2)::text as "Amount",
      greatest(next_on, (${now}::timestamptz at time zone 'UTC')::date)::text as "Day",
      (sum(amount) over ())::numeric(14, 2)::text as "Total"
    from (${plannedPayments(payer)}) planned join invoices i on i.id = planned.id
    where next_on is not null and not waiting
    order by "Day", i.id`.execute(db);
  const Items = rows.map(({ Total: _, ...item }) => item);
  const Plan = createHash('sha256')
    .update(JSON.stringify([methodId, Items]))
    .digest('base64url')
    .slice(0, 20);
  return { Items, Total: rows[0]?.Total ?? '0.00', Plan };
}
