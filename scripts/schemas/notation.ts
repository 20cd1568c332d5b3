type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for null, arrays and single values. */
export const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A part of a reply in the notation of operations, taken apart. */
export type Parts = {
  readonly type: 'value' | 'list' | 'map' | 'record';
  /** Of a list its one entry, of a dictionary what its entries are, of an object its fields. */
  readonly inner: unknown;
  readonly optional: boolean;
  readonly requires?: unknown;
  /** True where it stands in "of". */
  readonly isWrapped: boolean;
};

/**
 * Takes apart one declaration of a reply: whether it is a value, list, map or record, what is inside, whether it may be
 * absent, and its requirement.
 */
export function partsOf(notation: unknown): Parts {
  const plain = { optional: false, isWrapped: false };
  if (Array.isArray(notation)) return { ...plain, type: 'list', inner: notation };
  if (!isObject(notation)) return { ...plain, type: 'value', inner: notation, optional: isOptional(notation) };
  const { kind, map, of, optional, requires } = notation;
  const around = { optional: optional === true, isWrapped: false, ...(requires !== undefined && { requires }) };
  if (kind !== undefined) return { ...around, type: 'value', inner: notation, optional: isOptional(notation) };
  if (map !== undefined) return { ...around, type: 'map', inner: map };
  if (of === undefined) return { ...plain, type: 'record', inner: notation };
  return { ...around, type: Array.isArray(of) ? 'list' : 'record', inner: of, isWrapped: true };
}

const written = (notation: unknown): string => String(isObject(notation) ? notation.kind : notation);

/** Gives the kind of a value in a declared reply, without its "?". */
export const kindOf = (notation: unknown): string => written(notation).replace(/\?$/, '');
/** True for a value in a declared reply that may be absent or null. */
export const isOptional = (notation: unknown): boolean => written(notation).endsWith('?');
