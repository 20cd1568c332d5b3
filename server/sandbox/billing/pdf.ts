import type { PrintedBrand } from '../outbox/branded.ts';
import { openDocument } from '../printing/document.ts';
import type { Weight } from '../printing/fonts.ts';
import type { Found } from './documents.ts';
import type { GroupSum, Line } from './lines.ts';
import type { Parties } from './parties.ts';
import type { InvoicePayment } from './payments.ts';

export type PrintedDocument = {
  readonly head: Omit<Found, 'id' | 'periodBefore'>;
  readonly parties: Parties;
  readonly taxes: readonly { readonly Rate: number; readonly Taxable: string; readonly Tax: string }[];
  readonly customers: readonly GroupSum[];
  /** By customer; empty where there are too many to print. */
  readonly lines: readonly Line[];
  /** Those that were made. */
  readonly payments: readonly InvoicePayment[];
  /** Of the reseller, whose logo and accent it shows. */
  readonly brand?: PrintedBrand | undefined;
};

/** Points. */
const margin = 50;

const meansNames = { Card: 'Card', DirectDebit: 'Direct debit', Credit: 'Credit', BankTransfer: 'Bank transfer' };

const [regular, bold] = ['regular', 'bold'] as const;
/** Start and width of each column. */
const places = [
  [0, 180],
  [180, 115],
  [295, 45],
  [340, 60],
  [400, 35],
  [435, 60],
] as const;

/**
 * Prints an invoice or a credit memo as an A4 PDF and gives its bytes. It is tagged for screen readers (ISO 32000-1,
 * section 14.8): language, title, headings, paragraphs and tables with headers. Amounts are printed as stored; none is
 * computed.
 */
export async function printDocument({
  head,
  parties,
  taxes,
  customers,
  lines,
  payments,
  brand,
}: PrintedDocument): Promise<Uint8Array> {
  const name = head.Kind === 'Invoice' ? 'Invoice' : 'Credit memo';
  const title = `${name} ${head.Id}`;
  const printed = { head, parties, customers, lines, payments, name: brand?.name };
  const accent = brand && `#${brand.accent}`;
  const { pdf, root, printer, add, addPicture, finish } = await openDocument(title, printed, margin, parties.From.Name);
  const currency = new Intl.NumberFormat('en-GB', { style: 'currency', currency: head.Currency });
  // As decimal strings, so that no amount passes through a binary fraction. The built-in fonts have no minus sign; their
  // en dash is as wide as a digit, as a minus is.
  const money = (amount: string): string => currency.format(amount as `${number}`).replace('-', '–');

  const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 2 });
  const rate = (share: number): string => percent.format(share / 100);

  type Cells = readonly (string | undefined)[];
  const startTable = () => {
    const table = pdf.struct('Table');
    root.add(table);
    const addRow = (cells: Cells, tag: 'TH' | 'TD', weight: Weight = tag === 'TH' ? bold : regular): void => {
      const shown = cells.map(cell => cell ?? '');
      const style = { weight, size: 9 };
      const height = Math.max(...shown.map((cell, column) => printer.heightOf(cell, style, places[column]![1] - 6)));
      if (pdf.y + height > pdf.page.height - margin) pdf.addPage();
      const top = pdf.y;
      const row = pdf.struct('TR');
      table.add(row);
      for (const [column, cell] of shown.entries()) {
        const [left, width] = places[column]!;
        const align = column < 2 ? 'left' : 'right';
        const draw = () => {
          pdf.y = top;
          printer.write(cell, style, { x: margin + left, width: width - 6, align });
        };
        row.add(pdf.struct(tag, printer.optionsOf(cell), draw));
      }
      row.end();
      pdf.y = top + height + 3;
    };
    return { addRow, end: () => table.end() };
  };

  // Points are larger than CSS pixels by a third.
  if (brand?.logo) addPicture(brand.logo.content, brand.logo.width * 0.75, brand.name);
  else if (brand) add('P', brand.name, bold, 16, accent);
  add('P', parties.From.Name, bold, 12);
  add('P', `${parties.From.Address}. VAT ${parties.From.TaxNumber}`);
  add('H1', title, bold, 20, accent);
  add('P', `To ${parties.To.Name}, ${parties.To.Address}. VAT ${parties.To.TaxNumber}`);
  add('P', `Issued ${dayOf(head.Issued)}. Charges from ${dayOf(head.Period)} to ${dayOf(head.PeriodEnd)}.`);
  if (head.Kind === 'Invoice') add('P', `Left to pay: ${money(head.Left)}, due on ${dayOf(head.Due)}.`, bold, 11);
  if (head.Against !== null) add('P', `Credits charges of invoice ${head.Against}.`);

  add('H2', 'Charges', bold, 13);
  const charges = startTable();
  charges.addRow(['Customer and service', 'From to', 'Quantity', 'Unit price', 'Tax', 'Amount'], 'TH');
  for (const customer of customers) {
    charges.addRow([customer.Name, '', '', '', '', money(customer.Amount)], 'TD', bold);
    for (const line of lines.filter(({ CustomerName }) => CustomerName === customer.Name)) {
      charges.addRow(
        [
          line.Service,
          `${dayOf(line.Starts)} to ${dayOf(line.Ends)}`,
          String(line.Quantity),
          money(line.UnitPrice),
          rate(line.TaxRate),
          money(line.Amount),
        ],
        'TD',
      );
    }
  }
  charges.end();
  const count = (number: number): string => number.toLocaleString('en-GB');
  if (lines.length < head.Lines)
    add('P', `The ${count(head.Lines)} lines of this document are too many to be printed. Its export has all of them.`);
  if (customers.length < head.Customers)
    add('P', `Printed are the ${count(customers.length)} largest of ${count(head.Customers)} customers.`);

  add('H2', 'Totals', bold, 13);
  const totals = startTable();
  totals.addRow(['Tax by rate', '', '', 'On', 'Rate', 'Tax'], 'TH');
  for (const { Rate, Taxable, Tax } of taxes)
    totals.addRow(['VAT', '', '', money(Taxable), rate(Rate), money(Tax)], 'TD');
  totals.addRow(['Before tax', '', '', '', '', money(head.Net)], 'TD');
  totals.addRow(['Tax', '', '', '', '', money(head.Tax)], 'TD');
  totals.addRow(['Total', '', '', '', '', money(head.Gross)], 'TD', bold);
  const credited = head.CreditedBy === null ? 'Credited' : `Credited by ${head.CreditedBy}`;
  totals.addRow([head.Kind === 'Invoice' ? credited : 'Used', '', '', '', '', money(head.Prepaid)], 'TD');
  if (head.Kind === 'Invoice') totals.addRow(['Paid', '', '', '', '', money(head.Paid)], 'TD');
  totals.addRow(
    [head.Kind === 'Invoice' ? 'Left to pay' : 'Not used yet', '', '', '', '', money(head.Left)],
    'TD',
    bold,
  );
  totals.end();
  if (head.Kind === 'Invoice') {
    add('H2', 'To pay by bank transfer', bold, 13);
    const { Name, Bank, Account } = parties.PayTo;
    add('P', `To ${Name}, ${Bank}. ${Account}. Reference ${head.Id}.`);
  }
  if (payments.length > 0) {
    add('H2', 'Payments', bold, 13);
    const made = startTable();
    made.addRow(['Paid with', 'On', '', '', '', 'Amount'], 'TH');
    for (const { PaidWith, Means, Created, Amount } of payments)
      made.addRow(
        [
          (PaidWith ?? meansNames[Means]).replace('•••• ', 'ending '),
          dayOf(Created.slice(0, 10)),
          '',
          '',
          '',
          money(Amount),
        ],
        'TD',
      );
    made.end();
  }
  return await finish();
}

/** YYYY-MM-DD as 01/11/2026. */
const dayOf = (day: string): string => day.split('-').reverse().join('/');
