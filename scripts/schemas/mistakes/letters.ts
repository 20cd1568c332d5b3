import { referencesIn } from '../../../server/editing/references.ts';
import { changedAt, writtenOf, writtenPlace } from '../../../server/editing/written-place.ts';
import type { LongDocument } from '../../../server/layouts/names/source.ts';
import { type Draw, type Mutation, mutationFrom } from './mutation.ts';

/** Changes one letter; undefined for a text without any. */
function changeLetter(text: string, draw: Draw): { readonly written: string; readonly at: number } | undefined {
  const letters = [...text].flatMap((letter, index) => (/[A-Za-z]/.test(letter) ? [index] : []));
  if (letters.length === 0) return undefined;
  const at = letters[draw(letters.length)] as number;
  const was = text[at] as string;
  const put = was === was.toUpperCase() ? (was === 'X' ? 'Q' : 'X') : was === 'x' ? 'q' : 'x';
  return { written: text.slice(0, at) + put + text.slice(at + 1), at };
}

/** The piece of a path, address or key in which a letter stands. */
function pieceAt(text: string, at: number): string {
  const start = Math.max(...['.', '{', '/', '?', '&', '=', ':'].map(sign => text.lastIndexOf(sign, at))) + 1;
  const [piece = ''] = text.slice(start).split(/[.}/?&=#]/);
  return piece.replace(/^-/, '');
}

/** Lists a mutation of each reference of a document: one letter of it is another one. */
export function letterMistakes(source: LongDocument): ((draw: Draw) => Mutation | undefined)[] {
  return referencesIn(source).map(reference => draw => {
    const place = writtenPlace(source, reference);
    const changed = place && changeLetter(place.text, draw);
    if (!place || !changed) return undefined;
    const { at, isName, text } = place;
    const json = isName
      ? changedAt(writtenOf(source), at.slice(0, -1), around => renamed(around as object, text, changed.written))
      : changedAt(writtenOf(source), at, () => changed.written);
    const words = [pieceAt(changed.written, changed.at)];
    const now = isName ? [...at.slice(0, -1), changed.written] : at;
    return mutationFrom(json, { kind: 'letter', was: text, words, at: now, reference }, source);
  });
}

const renamed = (object: object, from: string, to: string): object =>
  Object.fromEntries(Object.entries(object).map(([name, item]) => [name === from ? to : name, item]));
