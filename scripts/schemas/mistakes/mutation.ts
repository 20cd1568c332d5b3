import type { Reference } from '../../../server/editing/references.ts';
import { parseSource } from '../../../server/layouts/load/load.ts';
import type { LongDocument, Pointer, Source } from '../../../server/layouts/names/source.ts';

/** The kinds of mistakes of a person, by the names under which the report counts them. */
export type MistakeKind = 'letter' | 'nesting' | 'value' | 'root' | 'duplicate' | 'other list';

/** A document with one mistake in it. */
export type Mutation = {
  readonly kind: MistakeKind;
  /** The words that stood there, for the report. */
  readonly was: string;
  /** The wrong word, or what a path of it names: a message must name one of these at its line. */
  readonly words: readonly string[];
  /** Its place in the document as it is written with the mistake. */
  readonly at: Pointer;
  readonly source: Source;
  /** The text of the document with the mistake. */
  readonly text: string;
  /** The reference that was changed; absent where the mistake is of another kind. */
  readonly reference?: Reference;
};

/** A function that draws a whole number below a count. */
export type Draw = (count: number) => number;

/** Makes a repeatable sequence of numbers below a count (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed;
  return count => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

/** Makes a mutation of changed JSON; undefined where it is no document any more. Every entry has a line of its own. */
export function mutationFrom(
  json: unknown,
  given: Omit<Mutation, 'source' | 'text'>,
  { file }: LongDocument,
): Mutation | undefined {
  const text = JSON.stringify(json, null, 1);
  const source = parseSource(file, text);
  return 'file' in source ? { ...given, source, text } : undefined;
}
