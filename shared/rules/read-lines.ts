/** Splits the value of a field of kind `list` (one entry per line) into its entries. */
export const readLines = (value: unknown): string[] =>
  String(value ?? '')
    .split('\n')
    .filter(Boolean);
