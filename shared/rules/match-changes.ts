/** What an item of a `match` is matched with, if anything, and whether it is left out. */
export type Match = { readonly option: string | null; readonly ignored: boolean };

/**
 * Parses the value of a `match` field into the user's changes, by the key of an item; undefined when it is malformed.
 */
export function readChanges(value: unknown): Map<string, Match> | undefined {
  if (value === undefined || value === '') return new Map();
  let list: unknown;
  try {
    list = JSON.parse(String(value));
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const changes = new Map<string, Match>();
  for (const item of list) {
    if (!Array.isArray(item) || item.length !== 3) return undefined;
    const [key, option, ignored] = item as unknown[];
    if (typeof key !== 'string' || typeof ignored !== 'boolean') return undefined;
    if (typeof option !== 'string' && option !== null) return undefined;
    changes.set(key, { option, ignored });
  }
  return changes;
}

/**
 * Gives the changes of a `match` as text (JSON) for its field, which `readChanges` reads: only the items whose match
 * differs from the `loaded` one, in the order of `loaded`. Undefined when none differs.
 */
export function writeChanges(
  loaded: ReadonlyMap<string, Match>,
  changes: ReadonlyMap<string, Match>,
): string | undefined {
  const list = [...loaded].flatMap(([key, before]) => {
    const now = changes.get(key);
    return now && (now.option !== before.option || now.ignored !== before.ignored)
      ? [[key, now.option, now.ignored]]
      : [];
  });
  return list.length === 0 ? undefined : JSON.stringify(list);
}
