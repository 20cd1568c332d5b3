import type { FieldNode } from '../language/types.ts';

/**
 * Makes the form field that holds the value of a `grid`, `match` or `ticks` node; `kind` and `maxLength` are of that
 * node kind.
 */
export const heldField = (
  { kind, maxLength }: { readonly kind: FieldNode['kind']; readonly maxLength: number },
  propertyName: string,
): FieldNode => ({ type: 'field', kind, propertyName, maxLength });
