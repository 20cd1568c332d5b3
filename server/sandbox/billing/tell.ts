import { sql } from 'kysely';
import { mailPayers, notifyPayers } from '../payments/events.ts';
import { nameOf } from '../payments/methods.ts';
import { automaticPayers, plannedPayments } from '../payments/planned.ts';
import type { Write } from '../tables.ts';
import { idOfDocument } from './documents.ts';
import { writeDay, writeMoney, writeMonth } from './write-values.ts';

type Told = {
  readonly number: string;
  readonly period: string;
  readonly gross: string;
  readonly left: string;
  readonly currency: string;
  readonly due: string;
  /** When and with what it is paid automatically; null where it is not. */
  readonly day: string | null;
  readonly brand: string | null;
  readonly last4: string | null;
};

/**
 * Tells those of a reseller's own people who see billing of a new invoice: in the portal, and by mail with its amount,
 * its due day, and what is taken by itself and when.
 * @param portalUrl the portal's address from the configuration, never from a request
 */
export async function tellOfInvoice(trx: Write, reseller: number, id: number, portalUrl: string, now: Date) {
  const { rows } = await sql<Told>`
    select ${idOfDocument('i')} as number, i.period::text, i.gross::text, (i.gross - i.prepaid - i.paid)::text as left,
      i.currency, i.due::text, p.next_on::text as day, m.brand, m.last4
    from invoices i left join (${plannedPayments(automaticPayers(reseller))}) p on p.id = i.id
      left join payment_methods m on m.id = p.method
    where i.id = ${id}`.execute(trx);
  const told = rows[0];
  if (told === undefined) return;
  const { number, period, gross, left, currency, due, day, brand, last4 } = told;
  const isAutomatic = day !== null && last4 !== null;
  await notifyPayers(trx, reseller, now, {
    category: 'info',
    message: `Invoice ${number} of ${writeMonth(period)} is there`,
    content: `It is due on ${writeDay(due)}${isAutomatic ? ' and is paid automatically' : ''}.`,
  });
  const text = [
    `your invoice ${number} of ${writeMonth(period)} is there: ${writeMoney(gross, currency)}, due on ${writeDay(due)}.`,
    isAutomatic
      ? `${writeMoney(left, currency)} is taken on ${writeDay(day)} with ${nameOf({ brand, last4 })}. There is nothing to do.`
      : `To pay: ${writeMoney(left, currency)}. Nothing is taken by itself.`,
    '',
    `To see it:\n${new URL(`/billing/invoices/invoice-detail/${number}`, portalUrl)}`,
  ].join('\n');
  const subject = `Invoice ${number}: ${writeMoney(gross, currency)}, due on ${writeDay(due)}`;
  await mailPayers(trx, { reseller, account: null }, { subject, text }, now);
}
