/** Joins entries (or, with `key`, that property of each item) to the value of a field of kind `list`: one per line. */
export const writeLines = (items: unknown, key?: string): string =>
  (items as Record<string, string>[])
    .map(item => (key ? item[key] : item))
    .sort()
    .join('\n');
