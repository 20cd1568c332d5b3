import { sql } from 'kysely';
import type { Containment } from '../contain.ts';
import { CloudError } from '../http/errors.ts';
import type { Database } from '../tables.ts';
import type { PaymentParts } from './hosted-pages.ts';
import { charge } from './pay.ts';
import { card, type MethodKind } from './tables.ts';

/** Days after a failed attempt on which the next one is made, with the same payment method. */
const daysBetween = 3;
/** Attempts with one payment method: the first, and three more. Another default method begins anew. */
const mostAttempts = 4;

type Due = {
  readonly id: number;
  readonly reseller: number;
  readonly method: number;
  readonly kind: MethodKind;
  readonly amount: number;
  readonly currency: string;
  readonly attempts: number;
};

/**
 * Gives SQL for the open invoices of resellers who pay automatically, with the day of the next attempt: the due day,
 * then three days after each failure; null after the fourth, and without an active default payment method.
 */
export const plannedPayments = (resellerId: number | null) => sql`
  select i.id, i.reseller_id, i.currency, i.gross - i.prepaid - i.paid as amount, m.id as method, m.kind,
    made.attempts, made.failed, made.waiting, case
      when m.id is null or made.failed >= ${mostAttempts}::int then null
      when made.failed > 0 then made.latest + ${daysBetween}::int
      else i.due end as next_on
  from payment_settings s
  join invoices i on i.reseller_id = s.reseller_id and i.kind = 'Invoice' and i.gross - i.prepaid - i.paid > 0
  left join payment_methods m on m.id = s.default_payment_method_id and m.status = 'Active' and m.currency = i.currency
  cross join lateral (
    select count(*) filter (where p.account_id is null)::int as attempts,
      count(*) filter (where p.account_id is null and p.method_id = m.id and p.status <> 'Paid')::int as failed,
      coalesce(bool_or(p.status = 'Pending'), false) as waiting,
      (max(p.created) filter (where p.account_id is null and p.method_id = m.id) at time zone 'UTC')::date as latest
    from payments p where p.invoice_id = i.id
  ) made
  where s.auto_pay and (${resellerId}::bigint is null or s.reseller_id = ${resellerId}::bigint)`;

/** Reads the day on which a reseller's open invoice is next paid automatically; null when it is not. */
export async function readNextAttempt(db: Database, resellerId: number, invoiceId: number): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select next_on::text as day from (${plannedPayments(resellerId)}) planned where id = ${invoiceId}`.execute(db);
  return rows[0]?.day ?? null;
}

/**
 * Pays the invoices that are due by the default payment method of their reseller, where automatic payment is on. Two
 * processes cannot make the same attempt; one left without an answer is cleared by `settlePending`. An invoice whose
 * payment throws holds up no other.
 */
export async function payDueInvoices(parts: PaymentParts, contained: Containment): Promise<void> {
  const { db, now } = parts;
  const { rows } = await sql<Due>`
    select id::int, reseller_id::int as reseller, method::int, kind, (amount * 100)::bigint as amount, currency, attempts
    from (${plannedPayments(null)}) planned
    where not waiting and next_on <= (${now()}::timestamptz at time zone 'UTC')::date
      and id <> all(${contained.waiting()}::bigint[])
    order by id limit 200`.execute(db);
  for (const { id, reseller, method, kind, amount, currency, attempts } of rows) {
    await contained.run(id, async () => {
      try {
        await charge(parts, {
          ...{ reseller_id: reseller, account_id: null, method_id: method, amount, currency, invoice_id: id },
          ...{ means: kind === card ? 'Card' : 'DirectDebit', press: `autopay-${id}-${attempts + 1}`, created: now() },
        });
      } catch (error) {
        // Somebody has paid it in the meantime.
        if (!(error instanceof CloudError)) throw error;
      }
    });
  }
}
