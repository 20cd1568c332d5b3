import type { Node } from '../language/types.ts';

/** Result of opening a `delivered` node: the cloud's model in the language of layouts, checked and sanitised. */
export type Delivered = {
  readonly title?: string;
  /** Fields, headings, texts and html in order; texts are literal. */
  readonly children: readonly Node[];
  /** First values by property name. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names the data as it was opened; sent back as `$stamp`, so that a newer one is not overwritten unseen. */
  readonly stamp?: string;
  /** Events to publish after a successful submit. */
  readonly events: readonly string[];
};
