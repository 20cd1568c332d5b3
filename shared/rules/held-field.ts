import type { FieldNode } from '../language/types.ts';

/** The field that a form has for what a `grid`, `match` or `ticks` in it holds; `holds` is what the node kind says of it. */
export const heldField = (
  { kind, maxLength }: { readonly kind: FieldNode['kind']; readonly maxLength: number },
  propertyName: string,
): FieldNode => ({ type: 'field', kind, propertyName, maxLength });
