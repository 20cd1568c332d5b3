import { findReceipt, type Receipt } from '../billing/payments.ts';
import { writeDay, writeMoney } from '../billing/write-values.ts';
import type { Write } from '../tables.ts';
import { mailPayers } from './events.ts';

/** Says how a payment was made: "with Visa •••• 4417", "out of the credit", "by bank transfer". */
export function wayOf({ PaidWith, Means }: Pick<Receipt, 'PaidWith' | 'Means'>): string {
  if (PaidWith !== null) return `with ${PaidWith}`;
  return Means === 'Credit' ? 'out of the credit' : 'by bank transfer';
}

/**
 * Mails the receipt of a payment that was made: to who made it, or, where nobody pressed, to all who see billing.
 * @param portalUrl the portal's address from the configuration, never from a request
 */
export async function mailReceipt(
  trx: Write,
  {
    id,
    reseller_id,
    account_id,
  }: { readonly id: number; readonly reseller_id: number; readonly account_id: number | null },
  portalUrl: string,
  now: Date,
): Promise<void> {
  const receipt = await findReceipt(trx, reseller_id, id);
  if (receipt === undefined) return;
  const { Number: number, InvoiceId, Amount, Currency, Left, IsAutomatic } = receipt;
  const amount = writeMoney(Amount, Currency);
  const what = InvoiceId === null ? 'credit' : `invoice ${InvoiceId}`;
  const page = InvoiceId === null ? '/billing/credit' : `/billing/invoices/invoice-detail/${InvoiceId}`;
  const text = [
    `${amount} was paid ${wayOf(receipt)} for ${what} on ${writeDay(now.toISOString().slice(0, 10))}${IsAutomatic ? ', automatically' : ''}.`,
    `Receipt ${number}.`,
    ...(Left === null ? [] : [`Left to pay of this invoice: ${writeMoney(Left, Currency)}.`]),
    '',
    `To print the receipt:\n${new URL(page, portalUrl)}`,
  ].join('\n');
  const subject = `Receipt ${number}: ${amount} for ${what}`;
  await mailPayers(trx, { reseller: reseller_id, account: account_id }, { subject, text }, now);
}
