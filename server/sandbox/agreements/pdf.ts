import { openDocument } from '../printing/document.ts';
import type { Weight } from '../printing/fonts.ts';
import type { Section } from './tables.ts';

export type Printed = {
  readonly title: string;
  readonly version: number;
  readonly sections: readonly Section[];
  /** Empty where nobody has signed. */
  readonly signature: string;
  readonly image: Uint8Array | null;
};

/** Points. */
const margin = 60;
const indent = 20;
const [regular, bold] = ['regular', 'bold'] as const;

/**
 * Prints an agreement as an A4 PDF document and gives its bytes. The PDF is tagged for screen readers (ISO 32000-1,
 * section 14.8): language, title, headings, paragraphs, lists and the signature's image.
 */
export async function printAgreement({ title, version, sections, signature, image }: Printed): Promise<Uint8Array> {
  const { pdf, root, printer, finish } = await openDocument(title, { title, sections, signature }, margin);
  const write = (text: string, weight: Weight, size: number, left = 0) => {
    const width = pdf.page.width - 2 * margin - left;
    printer.write(text, { weight, size, lineGap: size * 0.25 }, { x: margin + left, width });
    pdf.y += size * 0.5;
  };
  const add = (tag: string, ...[text, ...line]: Parameters<typeof write>): void => {
    root.add(pdf.struct(tag, printer.optionsOf(text), () => write(text, ...line)));
  };

  add('H1', title, bold, 20);
  add('P', `Version ${version}`, regular, 10);
  for (const { type, content, content_label = '' } of sections) {
    const label = content_label === '' ? '' : `${content_label} `;
    if (type === 2) add('H2', `${label}${content}`, bold, 13);
    else if (type === 5) {
      const items = content
        .split('|')
        .map(item => pdf.struct('LBody', printer.optionsOf(item), () => write(`• ${item}`, regular, 11, indent)));
      root.add(
        pdf.struct(
          'L',
          {},
          items.map(item => pdf.struct('LI', {}, [item])),
        ),
      );
    } else add('P', `${label}${content}`, regular, 11, type === 4 ? indent : 0);
  }
  if (signature !== '') add('P', signature, bold, 11);
  if (image !== null) {
    const [width, height] = [200, 80];
    if (pdf.y + 10 + height > pdf.page.height - margin) pdf.addPage();
    const draw = () => {
      pdf.image(Buffer.from(image), margin, pdf.y + 10, { fit: [width, height] });
    };
    root.add(pdf.struct('Figure', { alt: 'Signature' }, draw));
  }
  return await finish(`${title}, version ${version}`, add);
}
