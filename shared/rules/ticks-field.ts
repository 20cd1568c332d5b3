import type { FieldNode } from '../language/types.ts';

/** The most that is sent at once, in characters: ten thousand keys. */
const longest = 400_000;

/** The field that holds what is ticked in a `ticks`; see the language. */
export const ticksField = (propertyName: string): FieldNode => ({
  type: 'field',
  kind: 'list',
  propertyName,
  maxLength: longest,
});
