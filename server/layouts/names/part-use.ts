import type { Json } from './json.ts';

/** The use of a part, as it is written in a list. */
export type PartUse = {
  readonly part: string;
  readonly with?: Json;
  readonly requires?: unknown;
  readonly when?: unknown;
};

/** True for a use of a part in a document: `{ "part": "<id>", "with": { … } }`. */
export const isPartUse = (value: unknown): value is PartUse =>
  value !== null && typeof value === 'object' && typeof (value as Partial<PartUse>).part === 'string';
