import type { Caller } from '../auth/caller.ts';
import type { Need } from '../auth/needs.ts';
import type { Field } from '../resource/declaration.ts';
import type { Owner, Path } from '../resource/owners.ts';
import type { Database, Write } from '../tables.ts';
import type { RowState } from './tables.ts';

export const rowStates = [
  'Ready',
  'Invalid',
  'Created',
  'Failed',
  'Undone',
  'Kept',
] as const satisfies readonly RowState[];

/** A column of the file: how the template heads it, and by which letters alone a head of a file names it. */
export type FileColumn = {
  readonly head: string;
  /** Its name in what `read` is given. */
  readonly name: string;
  readonly isNeeded?: true;
  /** "emailaddress" for "E-mail address". */
  readonly letters: readonly string[];
};

/** A row of the file as `read` made it; `isWhole` is false where it has more or fewer values than the head. */
export type FileRow<Columns> = Columns & { readonly line: number; readonly isWhole: boolean };

/** A stored row. */
export type ImportRow<Columns> = Columns & { readonly id: number; readonly status: RowState };

/** One row that is carried out, in its transaction. */
export type RowWriting = { readonly trx: Write; readonly caller: Caller; readonly now: Date; readonly path: Path };

/** A row that is not carried out, and why. */
export class RowRefused extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * An import from a CSV file: its rows are checked one by one, then carried out one by one, and undone. `addImport` makes
 * its routes.
 */
export type Import<Columns extends object> = {
  /** Name of several rows: "users". Names the template, and stands in messages. */
  readonly nouns: string;
  readonly tag: string;
  readonly path: string;
  readonly needs: Need;
  /** Rule of the imports that a caller reaches. */
  readonly owner: Owner;
  /** The table of imports, that of their rows, and the column of a row that holds what it has made. */
  readonly tables: { readonly imports: string; readonly rows: string; readonly made: string };
  readonly file: readonly FileColumn[];
  /** Rows of a file that shows how one is filled, in the order of the columns. */
  readonly example: readonly (readonly string[])[];
  /** Every reason that a row can have. */
  readonly reasons: readonly string[];
  /** Fields of a row in replies, beside its id, line, status and reason. */
  readonly fields: readonly Field[];
  /** Makes the stored columns of the values of a row, by name of the file's columns. */
  read(value: (name: string) => string): Columns;
  /** Gives for each row why it cannot be carried out, or undefined. */
  check(
    on: { readonly db: Database; readonly caller: Caller; readonly owned: Readonly<Record<string, unknown>> },
    rows: readonly FileRow<Columns>[],
  ): Promise<(string | undefined)[]>;
  /** Carries out a row; gives the id of what it made. Refuses by throwing `RowRefused`. */
  create(writing: RowWriting, row: ImportRow<Columns>): Promise<number | string>;
  /** Deletes what a row has made. Refuses by throwing `RowRefused`. */
  undo(writing: RowWriting, made: number | string): Promise<void>;
  /** The reason that an error of `create` or `undo` stands for, if any. */
  reasonOf(error: unknown): string | undefined;
};
