import type { LongDocument, Source } from '../layouts/names/source.ts';
import type { NamedFolder } from './name-lists.ts';

/** The documents of a folder as they are being edited, right or wrong: what the functions of an editor go by. */
export type EditedFolder = NamedFolder & {
  /** The documents as they are written, those alone that can be read. */
  readonly sources: readonly Source[];
  /** The same in their long form. */
  readonly documents: readonly LongDocument[];
};
