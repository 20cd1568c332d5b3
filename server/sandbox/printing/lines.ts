import bidiFactory from 'bidi-js';

const bidi = bidiFactory();
const byLetter = new Intl.Segmenter('und', { granularity: 'grapheme' });
const byWord = new Intl.Segmenter('und', { granularity: 'word' });

/** A piece of text that is drawn with one font, from left to right. */
export type Run<F> = { readonly text: string; readonly font: F };

export type Line<F> = { readonly text: string; readonly runs: readonly Run<F>[] };

export type Measure<F> = {
  /** The font of a letter with its marks. */
  fontOf(letter: string): F;
  widthOf(run: Run<F>): number;
};

/**
 * Breaks a text into lines of a width, between words; in scripts without spaces (Chinese, Thai) where one may, and within
 * a word that is wider than a line. Each line is in the order in which it is seen (UAX #9).
 */
export function breakLines<F>(text: string, width: number, measure: Measure<F>): Line<F>[] {
  const lines: string[] = [];
  const widthOf = (part: string): number => runsOf(part, measure).reduce((sum, run) => sum + measure.widthOf(run), 0);
  let line = '';
  for (const piece of piecesOf(text)) {
    if (line !== '' && widthOf((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
    while (widthOf(line.trimEnd()) > width) {
      const letters = Array.from(byLetter.segment(line), ({ segment }) => segment);
      let fits = 1;
      while (fits < letters.length && widthOf(letters.slice(0, fits + 1).join('')) <= width) fits += 1;
      if (fits === letters.length) break;
      lines.push(letters.slice(0, fits).join(''));
      line = letters.slice(fits).join('');
    }
  }
  lines.push(line.trimEnd());
  const direction = bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 ? 'rtl' : 'ltr';
  return lines.map(part => ({ text: part, runs: inVisualOrder(part, direction, measure) }));
}

/** Parts of a text between which a line may end. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let mayEnd = true;
  let wasWord = false;
  for (const { segment, isWordLike = false } of byWord.segment(text)) {
    if (pieces.length === 0 || mayEnd || (wasWord && isWordLike)) pieces.push(segment);
    else pieces[pieces.length - 1] += segment;
    mayEnd = /\s$/.test(segment);
    wasWord = isWordLike;
  }
  return pieces;
}

/** A text by font, in the order in which it is read; a space is a run of its own. */
function runsOf<F>(text: string, { fontOf }: Pick<Measure<F>, 'fontOf'>): (Run<F> & { readonly at: number })[] {
  const runs: { text: string; font: F; at: number }[] = [];
  for (const { segment, index } of byLetter.segment(text)) {
    const font = fontOf(segment);
    const last = runs.at(-1);
    if (last && last.font === font && segment !== ' ' && last.text !== ' ') last.text += segment;
    else runs.push({ text: segment, font, at: index });
  }
  return runs;
}

function inVisualOrder<F>(text: string, direction: 'ltr' | 'rtl', measure: Measure<F>): Run<F>[] {
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  const runs = runsOf(text, measure).flatMap(run => splitByLevel(run, levels));
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  // Rule L2: from the highest level down, what lies together at this level or above is turned round.
  for (let level = highest; level > 0; level--) {
    for (let start = 0; start < runs.length; start++) {
      let end = start;
      while (end < runs.length && runs[end]!.level >= level) end += 1;
      if (end > start) runs.splice(start, end - start, ...runs.slice(start, end).reverse());
      start = Math.max(start, end - 1);
    }
  }
  return runs.map(({ text: part, font, level }) => ({ text: level % 2 === 1 ? mirrored(part) : part, font }));
}

function splitByLevel<F>({ text, font, at }: Run<F> & { readonly at: number }, levels: Uint8Array) {
  const parts: { text: string; font: F; level: number }[] = [];
  for (const { segment, index } of byLetter.segment(text)) {
    const level = levels[at + index] ?? 0;
    const last = parts.at(-1);
    if (last?.level === level) last.text += segment;
    else parts.push({ text: segment, font, level });
  }
  return parts;
}

/** Letters of right-to-left scripts are turned round with their fonts' shaping; what else stands among them here. */
function mirrored(text: string): string {
  if (/[\p{sc=Arabic}\p{sc=Hebrew}]/u.test(text)) return text;
  return Array.from(byLetter.segment(text), ({ segment }) => bidi.getMirroredCharacter(segment) ?? segment)
    .reverse()
    .join('');
}
