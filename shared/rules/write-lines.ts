/** Entries, or items whose entry is at `key`, as the value of a field of kind `list`: in order, one a line. */
export const writeLines = (items: unknown, key?: string): string =>
  (items as Record<string, string>[])
    .map(item => (key ? item[key] : item))
    .sort()
    .join('\n');
