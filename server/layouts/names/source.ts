import type { DocumentKind } from '../../../shared/language/documents.ts';
import type { Problem } from './problem.ts';

/** A position in a document: property names and list indexes from its root. */
export type Pointer = readonly (string | number)[];

/** One schema file, read and parsed. */
export type Source = {
  readonly file: string;
  readonly hash: string;
  readonly kind: DocumentKind;
  readonly json: Record<string, unknown>;
  /** A problem at a place in this file. */
  problem(at: Pointer, message: string, severity?: Problem['severity']): Problem;
};

/** The faults of a document's short forms. */
type ExpansionFindings = {
  /** Faults of the short forms in themselves. */
  readonly form: readonly Problem[];
  /** References that lead nowhere, so that what is not written is not known. */
  readonly cause: readonly Problem[];
  /** Texts that are found by no name. */
  readonly text: readonly Problem[];
  /** Properties that objects of the long form need and lack for such a cause. */
  readonly excused?: WeakMap<object, ReadonlySet<string>>;
};

/**
 * A document in its long form, which is all that the checker, the compiler and the trimmer know. Its problems are told
 * where it is written.
 */
export type LongDocument = Source & {
  readonly isLong: true;
  /** Pieces of it stand in other files. */
  readonly isComposed?: true;
  /** True where the requirement of a part stands together with that of its use, as nobody wrote it. */
  isJoined?(at: Pointer): boolean;
  /** The document as it is written, and where a place of the long form stands in it; absent where nothing is short. */
  readonly written?: { readonly json: Record<string, unknown>; at(long: Pointer): Pointer };
  /** The faults of its short forms; absent where there are none. */
  readonly expansion?: ExpansionFindings;
  /** Keys of texts that there are not, and which nobody wrote: that they are missing is told in `expansion`. */
  readonly guessedTexts?: ReadonlySet<string>;
};
