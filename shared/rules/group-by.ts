/** Groups values by a key; each group keeps their order. */
export function groupBy<V>(values: Iterable<V>, keyOf: (value: V) => string): ReadonlyMap<string, readonly V[]> {
  const groups = new Map<string, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
