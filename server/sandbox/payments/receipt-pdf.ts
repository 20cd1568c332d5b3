import { buffer } from 'node:stream/consumers';
import type { partiesOf } from '../billing/parties.ts';
import type { Receipt } from '../billing/payments.ts';
import { writeDay, writeMoney } from '../billing/write-values.ts';
import type { Weight } from '../printing/fonts.ts';
import { createPrinter, noteOfMissing, numberPages } from '../printing/printer.ts';
import { wayOf } from './receipts.ts';

/** Points. */
const margin = 50;
const [regular, bold] = ['regular', 'bold'] as const;

/**
 * Prints the receipt of a payment that was made as an A4 PDF and gives its bytes. It is tagged for screen readers
 * (ISO 32000-1, section 14.8).
 */
export async function printReceipt(receipt: Receipt, parties: ReturnType<typeof partiesOf>): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit');
  const { Number: number, InvoiceId, Amount, Currency, Created, Left } = receipt;
  const title = `Receipt ${number}`;
  const pdf = new PDFDocument({
    ...{ size: 'A4', margin, pdfVersion: '1.7', bufferPages: true },
    ...{ tagged: true, lang: 'en-GB', displayTitle: true, info: { Title: title, Author: parties.From.Name } },
  });
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const printer = await createPrinter(pdf, JSON.stringify({ receipt, parties }));
  const add = (tag: string, text: string, weight: Weight = regular, size = 10): void => {
    root.add(
      pdf.struct(tag, printer.optionsOf(text), () => {
        printer.write(text, { weight, size }, { x: margin, width: 495 });
        pdf.y += size * 0.4;
      }),
    );
  };
  // The built-in fonts have no bullets: the digits of a card stand after a word.
  const way = wayOf(receipt).replace('•••• ', 'ending ');
  add('P', parties.From.Name, bold, 12);
  add('P', `${parties.From.Address}. VAT ${parties.From.TaxNumber}`);
  add('H1', title, bold, 20);
  add('P', `To ${parties.To.Name}, ${parties.To.Address}. VAT ${parties.To.TaxNumber}`);
  add('P', `${writeMoney(Amount, Currency)} paid ${way} on ${writeDay(Created.slice(0, 10))}.`, bold, 13);
  add('P', InvoiceId === null ? 'For credit, to be used for invoices to come.' : `For invoice ${InvoiceId}.`);
  if (Left !== null) add('P', `Left to pay of this invoice: ${writeMoney(Left, Currency)}.`);
  const note = noteOfMissing(printer);
  if (note !== undefined) add('P', note, regular, 8);
  root.end();
  numberPages(pdf, printer, title);
  pdf.end();
  return await buffer(pdf);
}
