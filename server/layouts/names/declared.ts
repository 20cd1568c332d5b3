import type { ValueKind } from '../../../shared/language/reply.ts';
import type { Scalar } from '../../../shared/language/types.ts';
import type { Limits } from './contract.ts';

export type ValueClass = 'string' | 'number' | 'boolean';

/** What is declared of the values of something. What is absent is not declared: any value may stand there. */
export type Declared = {
  /** What has the values, as a message begins: `The parameter "sort" of "customers.list"`. */
  readonly of: string;
  /** Where the values are declared, where the name in `of` does not say it. */
  readonly by?: string;
  /** JSON types that a value may have; none where it is a list or an object. */
  readonly classes?: readonly ValueClass[];
  /** What kind of value it is, or each of its items where it is a list of values. */
  readonly kind?: ValueKind;
  readonly isList?: true;
  /** All values that there are. */
  readonly values?: readonly Scalar[];
  readonly limits?: Limits;
};
