export type Json = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for null, arrays and single values. */
export const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
