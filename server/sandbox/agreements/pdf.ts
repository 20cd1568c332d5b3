import type { PDFFont, PDFPage } from 'pdf-lib';
import type { Section } from './tables.ts';

export type Printed = {
  readonly title: string;
  readonly version: number;
  readonly sections: readonly Section[];
  /** Empty where nobody has signed. */
  readonly signature: string;
  readonly image: Uint8Array | null;
};

/** A4 in points. */
const page = { width: 595, height: 842, margin: 60 };

/** An agreement as a PDF document; the library is loaded when the first one is asked for. */
export async function printAgreement({ title, version, sections, signature, image }: Printed): Promise<Uint8Array> {
  const { PDFDocument, StandardFonts } = await import('pdf-lib');
  const pdf = await PDFDocument.create();
  pdf.setTitle(title);
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  let sheet: PDFPage = pdf.addPage([page.width, page.height]);
  let top = page.height - page.margin;

  /** Goes down the page, and to the next one when there is no room. */
  function down(by: number): number {
    if (top - by < page.margin) {
      sheet = pdf.addPage([page.width, page.height]);
      top = page.height - page.margin;
    }
    top -= by;
    return top;
  }
  function write(text: string, font: PDFFont, size: number, indent = 0): void {
    const room = page.width - 2 * page.margin - indent;
    for (const line of breakLines(printable(text, font), room, one => font.widthOfTextAtSize(one, size))) {
      sheet.drawText(line, { x: page.margin + indent, y: down(size * 1.4), font, size });
    }
    down(size * 0.5);
  }

  write(title, bold, 20);
  write(`Version ${version}`, regular, 10);
  for (const { type, content, content_label = '' } of sections) {
    const label = content_label === '' ? '' : `${content_label} `;
    if (type === 2) write(`${label}${content}`, bold, 13);
    else if (type === 5) for (const item of content.split('|')) write(`• ${item}`, regular, 11, 20);
    else write(`${label}${content}`, regular, 11, type === 4 ? 20 : 0);
  }
  if (signature !== '') write(signature, bold, 11);
  if (image !== null) {
    const drawn = await pdf.embedPng(image);
    const { width, height } = drawn.scaleToFit(200, 80);
    sheet.drawImage(drawn, { x: page.margin, y: down(height + 10), width, height });
  }
  return await pdf.save();
}

/** The built-in fonts know the letters of Western Europe; any other becomes a question mark. */
function printable(text: string, font: PDFFont): string {
  const known = new Set(font.getCharacterSet());
  return [...text].map(letter => (known.has(letter.codePointAt(0)!) ? letter : '?')).join('');
}

function breakLines(text: string, room: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > room) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
