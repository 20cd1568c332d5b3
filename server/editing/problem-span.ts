import { findNodeAtOffset, type Node as JsonNode } from 'jsonc-parser';
import type { Problem } from '../layouts/names/problem.ts';
import { readTree, type Span } from './tokens.ts';

/** A word that can be underlined, with what it reads. */
type Word = Span & { readonly text: string };

function offsetOf(text: string, { line, column }: Problem): number {
  let start = 0;
  for (let above = 1; above < line; above++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(text.length, start + column - 1);
}

/** Lists the quoted words of a message before "Did you mean"; the word that is not known comes first. */
function quotedIn(message: string): readonly string[] {
  const [said = ''] = message.split(/ Did you mean /);
  const found = (pattern: RegExp) => [...said.matchAll(pattern)].map(([, word]) => word as string);
  return [...found(/\bno "([^"]+)"/g), ...found(/"([^"]+)"/g)];
}

/** True where a message is about the value that a property has, and names the property. */
const isAboutValue = (message: string): boolean => /^"[^"]+" (must|cannot) be /.test(message);

const wordOf = (node: JsonNode): Word => {
  const quote = node.type === 'string' ? 1 : 0;
  return { start: node.offset + quote, end: node.offset + node.length - quote, text: String(node.value) };
};

/** The piece of a word that a message quotes: some of the names in a path, address or key. */
function quotedPiece(word: Word, quoted: string): Span | undefined {
  const at = word.text.indexOf(quoted);
  if (at < 0) return undefined;
  const isWhole = /[A-Za-z0-9_$-]/;
  const [before = '', after = ''] = [word.text[at - 1], word.text[at + quoted.length]];
  // Escaped characters are longer in the document than they read.
  if (isWhole.test(before) || isWhole.test(after) || word.end - word.start !== word.text.length) return undefined;
  return { start: word.start + at, end: word.start + at + quoted.length };
}

type Words = { readonly names: readonly Word[]; readonly values: readonly Word[] };

/** The names and single values of an object or a property. */
function wordsOf(node: JsonNode): Words {
  const properties = node.type === 'property' ? [node] : node.type === 'object' ? (node.children ?? []) : [];
  const isSingle = ({ type }: JsonNode): boolean => type !== 'object' && type !== 'array';
  const pairs = properties.map(({ children: [name, value] = [] }) => ({ name, value }));
  return {
    names: pairs.flatMap(({ name }) => (name ? [wordOf(name)] : [])),
    values:
      properties.length === 0
        ? [wordOf(node)]
        : pairs.flatMap(({ value }) => (value && isSingle(value) ? [wordOf(value)] : [])),
  };
}

/** The first word that a message quotes as a whole, else the first piece of one. */
const firstQuoted = (words: readonly Word[], quoted: readonly string[]): Span | undefined =>
  quoted.flatMap(one => words.find(({ text }) => text === one) ?? []).at(0) ??
  quoted.flatMap(one => words.flatMap(word => quotedPiece(word, one) ?? [])).at(0);

/**
 * Finds what to underline for a problem: the word at its place that the message names, else the single value that stands
 * there, or the first name of an object.
 */
export function spanOfProblem(text: string, problem: Problem): Span {
  const offset = offsetOf(text, problem);
  const lineEnd = text.indexOf('\n', offset);
  const restOfLine = { start: offset, end: Math.max(offset, lineEnd < 0 ? text.length : lineEnd) };
  const tree = readTree(text);
  const found = tree && findNodeAtOffset(tree, offset);
  if (!found || found.offset !== offset) return restOfLine;
  const node = found.parent?.type === 'property' && found.parent.offset === offset ? found.parent : found;
  if (node.type === 'array') return { start: offset, end: offset + 1 };
  const { names, values } = wordsOf(node);
  const quoted = quotedIn(problem.message);
  // A value says more exactly what is meant than its name.
  const named = firstQuoted(values, quoted) ?? (isAboutValue(problem.message) ? values[0] : undefined);
  const fallback = node.type === 'object' ? names[0] : (values[0] ?? names[0]);
  return named ?? firstQuoted(names, quoted) ?? fallback ?? { start: offset, end: offset + 1 };
}
