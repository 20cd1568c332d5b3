import type { ValueKind } from '../../../shared/language/reply.ts';
import type { Scalar } from '../../../shared/language/types.ts';
import type { Limits } from './contract.ts';

export type ValueClass = 'string' | 'number' | 'boolean';

/** Declares the values of something. Where a property is absent any value may stand. */
export type Declared = {
  /** Names what has the values, as a message begins: `The parameter "sort" of "customers.list"`. */
  readonly of: string;
  /** Names the place of the declaration, unless the name in `of` does. */
  readonly by?: string;
  /** JSON types that a value may have; none where it is a list or an object. */
  readonly classes?: readonly ValueClass[];
  /** The kind of the value, or of each item of a list of values. */
  readonly kind?: ValueKind;
  readonly isList?: true;
  /** All values that there are. */
  readonly values?: readonly Scalar[];
  readonly limits?: Limits;
};
