import { cutFonts, unseen, type Weight, weights } from './fonts.ts';
import { breakLines, type Run } from './lines.ts';

/** The built-in fonts have the letters of Windows-1252, those of Western Europe. */
const builtIn = { regular: 'Helvetica', bold: 'Helvetica-Bold' } as const;
const others = /[^ -~\u00a0-ÿ€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\n]/u;

export type TextColumn = { readonly x: number; readonly width: number; readonly align?: 'left' | 'right' };
export type Style = { readonly weight: Weight; readonly size: number; readonly lineGap?: number };

export type Printer = {
  /** Draws a text from the document's `y` on, over as many lines and pages as it needs, and moves `y` below it. */
  write(text: string, style: Style, column: TextColumn): void;
  heightOf(text: string, style: Style, width: number): number;
  /** For `struct`: the text in the order in which it is read, where it is drawn in another. */
  optionsOf(text: string): { actual?: string };
  /** Codes such as "[U+1F600]", in place of letters that no font has; those that were printed so far. */
  readonly missing: ReadonlySet<string>;
};

/** Distance of the baseline of the built-in fonts from the top of a line, as a part of their size. */
const baseline = 0.718;

/** The font in use, as PDFKit keeps it. */
type OpenedFont = { readonly _font: { readonly font: { hasGlyphForCodePoint(point: number): boolean } } };

/**
 * Prepares a document to print texts of any script: what the built-in fonts do not have comes from embedded ones, cut to
 * the letters of `content`, which is all that is going to be printed. A letter that no font has is printed as its code.
 */
export async function createPrinter(pdf: PDFKit.PDFDocument, content: string): Promise<Printer> {
  const cut = await cutFonts(composed(content), letter => others.test(letter));
  const fonts = cut.map(({ letters, data }, index) => {
    for (const weight of weights) pdf.registerFont(`cut ${index} ${weight}`, data[weight]);
    const { _font: opened } = pdf.font(`cut ${index} regular`) as unknown as OpenedFont;
    // What a font's list says is not always there.
    return {
      name: `cut ${index}`,
      letters: new Set([...letters].filter(one => opened.font.hasGlyphForCodePoint(one))),
    };
  });
  const missing = new Set<string>();

  const has = (letters: ReadonlySet<number>, letter: string): boolean =>
    Array.from(letter).every(one => letters.has(one.codePointAt(0)!) || unseen.test(one));
  /** Undefined for the built-in one. */
  const fontOf = (letter: string): string | undefined =>
    others.test(letter) ? fonts.find(({ letters }) => has(letters, letter))?.name : undefined;

  /** Gives a text as it is printed: letters that no font has as their codes. */
  const printed = (text: string): string => {
    const shown = composed(text);
    if (!others.test(shown)) return shown;
    return Array.from(new Intl.Segmenter('und').segment(shown), ({ segment }) => {
      if (!others.test(segment) || fontOf(segment) !== undefined) return segment;
      return Array.from(segment, one => (unseen.test(one) ? '' : others.test(one) ? codeOf(one) : one)).join('');
    }).join('');
  };
  const codeOf = (letter: string): string => {
    const code = `[U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
    missing.add(code);
    return code;
  };

  const use = (font: string | undefined, { weight, size }: Style) =>
    pdf.font(font === undefined ? builtIn[weight] : `${font} ${weight}`, size);
  const linesOf = (text: string, style: Style, width: number) =>
    breakLines(text, width, {
      fontOf,
      widthOf: ({ text: part, font }: Run<string | undefined>) => use(font, style).widthOfString(part),
    });
  /** Other scripts reach higher and lower than Latin letters. */
  const lineHeight = ({ size, lineGap = 0 }: Style): number => size * 1.35 + lineGap;

  return {
    missing,
    write(text, style, { x, width, align = 'left' }) {
      const shown = printed(text);
      const { size, lineGap = 0 } = style;
      if (!others.test(shown)) {
        use(undefined, style).text(shown, x, undefined, { width, align, lineGap });
        return;
      }
      for (const { runs } of shown.split('\n').flatMap(part => linesOf(part, style, width))) {
        if (pdf.y + lineHeight(style) > pdf.page.height - pdf.page.margins.bottom) pdf.addPage();
        const top = pdf.y;
        const widths = runs.map(({ text: part, font }) => use(font, style).widthOfString(part));
        let left = align === 'right' ? x + width - widths.reduce((sum, one) => sum + one, 0) : x;
        for (const [index, { text: part, font }] of runs.entries()) {
          use(font, style).text(part, left, top + size * baseline, { lineBreak: false, baseline: 'alphabetic' });
          left += widths[index]!;
        }
        pdf.x = x;
        pdf.y = top + lineHeight(style);
      }
    },
    heightOf(text, style, width) {
      const shown = printed(text);
      if (others.test(shown))
        return shown.split('\n').flatMap(part => linesOf(part, style, width)).length * lineHeight(style);
      return use(undefined, style).heightOfString(shown, { width, lineGap: style.lineGap ?? 0 });
    },
    optionsOf: text => (others.test(text) ? { actual: text } : {}),
  };
}

/** One code point for a letter with its mark where there is one, so that one font has both. */
const composed = (text: string): string => text.normalize('NFC').replace(/[^\S\n]/g, ' ');

/** Writes a document's name and "Page 2 of 5" below each page, outside of what a screen reader reads. */
export function numberPages(pdf: PDFKit.PDFDocument, printer: Printer, title: string): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    const { left, right, bottom } = pdf.page.margins;
    pdf.page.margins.bottom = 0;
    pdf.y = pdf.page.height - bottom / 2 - 8;
    pdf.markContent('Artifact', { type: 'Pagination' });
    const column = { x: left, width: pdf.page.width - left - right, align: 'right' } as const;
    printer.write(`${title}. Page ${page - start + 1} of ${count}`, { weight: 'regular', size: 8 }, column);
    pdf.endMarkedContent();
  }
}

/** The sentence that says what codes in a printed document stand for; undefined where it has none. */
export function noteOfMissing({ missing }: Printer): string | undefined {
  if (missing.size === 0) return undefined;
  return `${[...missing].join(', ')}: the code of a character that the fonts of this document do not have.`;
}
