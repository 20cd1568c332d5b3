/** The entries of the value of a field of kind `list`. */
export const readLines = (value: unknown): string[] =>
  String(value ?? '')
    .split('\n')
    .filter(Boolean);
