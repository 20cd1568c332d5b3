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
  /** Problems of its short forms. */
  readonly expansionProblems?: readonly Problem[];
};
