import type { Parties } from '../billing/parties.ts';
import type { Receipt } from '../billing/payments.ts';
import { writeDay, writeMoney } from '../billing/write-values.ts';
import { openDocument } from '../printing/document.ts';
import { wayOf } from './receipts.ts';

/**
 * Prints the receipt of a payment that was made as an A4 PDF and gives its bytes. It is tagged for screen readers
 * (ISO 32000-1, section 14.8).
 */
export async function printReceipt(receipt: Receipt, parties: Parties): Promise<Uint8Array> {
  const { Number: number, InvoiceId, Amount, Currency, Created, Left } = receipt;
  const title = `Receipt ${number}`;
  const { add, finish } = await openDocument(title, { receipt, parties }, 50, parties.From.Name);
  // The built-in fonts have no bullets: the digits of a card stand after a word.
  const way = wayOf(receipt).replace('•••• ', 'ending ');
  add('P', parties.From.Name, 'bold', 12);
  add('P', `${parties.From.Address}. VAT ${parties.From.TaxNumber}`);
  add('H1', title, 'bold', 20);
  add('P', `To ${parties.To.Name}, ${parties.To.Address}. VAT ${parties.To.TaxNumber}`);
  add('P', `${writeMoney(Amount, Currency)} paid ${way} on ${writeDay(Created.slice(0, 10))}.`, 'bold', 13);
  add('P', InvoiceId === null ? 'For credit, to be used for invoices to come.' : `For invoice ${InvoiceId}.`);
  if (Left !== null) add('P', `Left to pay of this invoice: ${writeMoney(Left, Currency)}.`);
  return await finish();
}
