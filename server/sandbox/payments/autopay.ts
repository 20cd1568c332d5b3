import { sql } from 'kysely';
import type { Containment } from '../contain.ts';
import { CloudError } from '../http/errors.ts';
import type { PaymentParts } from './hosted-pages.ts';
import { charge } from './pay.ts';
import { automaticPayers, plannedPayments } from './planned.ts';
import { card, type MethodKind } from './tables.ts';

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
 * Pays the invoices that are due by the default payment method of their reseller, where automatic payment is on. Two
 * processes cannot make the same attempt; one left without an answer is cleared by `settlePending`. An invoice whose
 * payment throws holds up no other.
 */
export async function payDueInvoices(parts: PaymentParts, contained: Containment): Promise<void> {
  const { db, now } = parts;
  const { rows } = await sql<Due>`
    select id::int, reseller_id::int as reseller, method::int, kind, (amount * 100)::bigint as amount, currency, attempts
    from (${plannedPayments(automaticPayers(null))}) planned
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
