import type { FieldNode } from '../language/types.ts';
import { checkForm, type FieldError, normaliseValue, type PatternTest } from './validation.ts';

export type Values = Readonly<Record<string, unknown>>;
/** What is typed in a `grid`: by the key of an item those of its values that differ from its first ones. */
export type Typed = ReadonlyMap<string, Values>;
export type RowErrors = Readonly<Record<string, FieldError>>;

/** Parses the value of a `grid` field into what was typed, by the key of a row; undefined when it is malformed. */
export function readGrid(value: unknown): Map<string, Values> | undefined {
  if (value === undefined || value === null || value === '') return new Map();
  let list: unknown;
  try {
    list = JSON.parse(String(value));
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const typed = new Map<string, Values>();
  for (const item of list) {
    if (!Array.isArray(item) || item.length !== 2) return undefined;
    const [key, values] = item as unknown[];
    if (typeof key !== 'string' || values === null || typeof values !== 'object' || Array.isArray(values))
      return undefined;
    typed.set(key, values as Values);
  }
  return typed;
}

/**
 * Writes what was typed in a `grid` as the value of its field; undefined when nothing differs from the first values.
 */
export const writeGrid = (typed: Typed): string | undefined =>
  typed.size === 0 ? undefined : JSON.stringify([...typed]);

/**
 * Validates one row of a `grid` by the rules of its fields. Gives its values as they are sent, and its errors. `strict`
 * (the server) refuses names that no field has.
 */
export function checkRow(
  fields: readonly FieldNode[],
  initial: Values,
  typed: Values | undefined,
  test: PatternTest,
  strict = false,
): { readonly values: Values; readonly errors: RowErrors } {
  return checkForm(fields, { ...initial, ...typed }, {}, test, strict);
}

/** Gives what is typed in a `grid` with one more value; a value equal to the first one is removed instead. */
export function withValue(typed: Typed, key: string, initial: Values, field: FieldNode, value: unknown): Typed {
  const next = new Map(typed);
  const { [field.propertyName]: _, ...others } = typed.get(key) ?? {};
  const isSame = normaliseValue(field, value) === normaliseValue(field, initial[field.propertyName] ?? '');
  const row = isSame ? others : { ...others, [field.propertyName]: value };
  if (Object.keys(row).length === 0) next.delete(key);
  else next.set(key, row);
  return next;
}
