/**
 * Gives what a document writes where a name stands, as text; '' for a list or an object, which is no name. Use it on
 * everything that was not checked yet: `String` throws for an object that has no usable `toString`.
 */
export const writtenName = (value: unknown): string =>
  value !== null && typeof value === 'object' ? '' : String(value);
