import type { Reply } from '../../../shared/language/reply.ts';
import type { Pointer } from '../names/source.ts';
import type { FolderFacts, OperationFacts } from './folder-facts.ts';

/** Told where each part of the long form stands in the document as it is written. */
export type Trace = {
  /** An object or list of the long form, and where it stands. */
  placed(long: object, at: Pointer): void;
  /** A property or entry that stands elsewhere or nowhere, and why it has its value. */
  made(long: object, name: string | number, at: Pointer, why: string): void;
};

/**
 * form: it is wrong in itself. cause: a reference leads nowhere, so that what is not written is not known. text: a text
 * is found by no name.
 */
export type ExpansionProblemKind = 'form' | 'cause' | 'text';

/** One place of a document while it is expanded. */
export type ExpandPlace = {
  readonly facts: FolderFacts;
  readonly trace: Trace | undefined;
  /** Told what is wrong with a short form; the place is true where there is a trace. */
  readonly problem: (at: Pointer, message: string, kind: ExpansionProblemKind) => void;
  /** Told of a property that an object of the long form needs and lacks, for a reason that was told. */
  readonly excuse: (long: object, name: string) => void;
  /** Told of the key of a text that there is not, and which is a guess. */
  readonly guess: (key: string) => void;
  /** Where it stands in the document as it is written. */
  readonly at: Pointer;
  /** Area of the texts of the document. */
  readonly area: string;
  /** Kind of the document. */
  readonly kind: string;
  /** Name of the document. */
  readonly document: string;
  /** Data source → its operation and what it binds. */
  readonly sources: ReadonlyMap<string, SourceFacts>;
  /** What the item is of the list around. */
  readonly row?: Reply | undefined;
  /** Path of that list. */
  readonly rows?: string | undefined;
  /** The place of that path. */
  readonly rowsAt?: Pointer;
  /** Path of the list that this one stands in. */
  readonly rowsAround?: string | undefined;
  /** True where something else stands in place of that path. */
  readonly hasWrongRows?: boolean;
  /** Where the choice around is kept, if its entries say how many there are of each. */
  readonly counted?: unknown;
  /** What the call before brought back. */
  readonly reply?: Reply | undefined;
  /** The parameters that are bound here, as the operation declares them. */
  readonly parameters?: OperationFacts['with'];
  /** Title of what is around. */
  readonly heading?: string | undefined;
  /** True within a node that is written in short form, and in a document that does not say its id. */
  readonly isShort: boolean;
  /** True of the first entry of a list. */
  readonly isFirst?: boolean;
};

export type SourceFacts = {
  readonly operation: string;
  readonly with: Readonly<Record<string, unknown>>;
  /** Of one that joins rows, the path of the list as it is written, and what the rows call it. */
  readonly joins?: { readonly rows: string; readonly as: string };
  /** The place of the operation's name. */
  readonly at: Pointer;
  /** Parameter → where what is bound to it stands. */
  readonly boundAt: ReadonlyMap<string, Pointer>;
};

/** Gives the position below a position in a document. Without a trace positions are not followed, which is faster. */
export const inside = (place: ExpandPlace, ...steps: (string | number)[]): ExpandPlace =>
  place.trace ? { ...place, at: [...place.at, ...steps] } : place;
