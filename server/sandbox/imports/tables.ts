/** States of a row of an import. */
export type RowState = 'Ready' | 'Invalid' | 'Created' | 'Failed' | 'Undone' | 'Kept';

/** An import as it is stored, but for its id and owner. */
export type StoredImport = {
  readonly name: string;
  readonly created: Date;
  readonly expires: Date;
  /** The file's table, until it is carried out. */
  readonly content: string | null;
  readonly recognised: string | null;
  /** Which columns its rows are read from; null until that is known. */
  readonly places: string | null;
};
