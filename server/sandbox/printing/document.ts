import { buffer } from 'node:stream/consumers';
import type { Weight } from './fonts.ts';
import { createPrinter, noteOfMissing, numberPages } from './printer.ts';

type AddNote = (tag: string, text: string, weight: Weight, size: number) => void;

/**
 * Opens an A4 document that is tagged for screen readers (ISO 32000-1, section 14.8). Loads the PDF library at the first
 * call.
 * @param printed all that is going to be printed
 * @param margin in points
 */
export async function openDocument(title: string, printed: object, margin: number, author?: string) {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({
    size: 'A4',
    margin,
    pdfVersion: '1.7',
    bufferPages: true,
    tagged: true,
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: title, ...(author !== undefined && { Author: author }) },
  });
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const printer = await createPrinter(pdf, JSON.stringify(printed));
  /** Adds a paragraph or a heading over the whole width. */
  const add = (tag: string, text: string, weight: Weight = 'regular', size = 10, colour = '#000000'): void => {
    root.add(
      pdf.struct(tag, printer.optionsOf(text), () => {
        pdf.fillColor(colour);
        printer.write(text, { weight, size }, { x: margin, width: 495 });
        pdf.fillColor('#000000');
        pdf.y += size * 0.4;
      }),
    );
  };
  /** Adds a picture at the left, in points, with what it says to a screen reader. */
  const addPicture = (content: Uint8Array, width: number, alt: string): void => {
    root.add(
      pdf.struct('Figure', { alt }, () => {
        pdf.image(Buffer.from(content), margin, pdf.y, { width });
        pdf.moveDown(0.5);
      }),
    );
  };
  /** Ends the document with a note of letters that no font has, and `title` and a number on every page. */
  const finish = async (footer = title, addNote: AddNote = add): Promise<Uint8Array> => {
    const note = noteOfMissing(printer);
    if (note !== undefined) addNote('P', note, 'regular', 8);
    root.end();
    numberPages(pdf, printer, footer);
    pdf.end();
    return await buffer(pdf);
  };
  return { pdf, root, printer, add, addPicture, finish };
}
