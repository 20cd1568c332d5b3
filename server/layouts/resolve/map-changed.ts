/** Maps the items of an array or object; gives the same array or object when no item changes. */
export function mapChanged<T extends object>(value: T, change: (item: unknown, name: string) => unknown): T {
  let changed: Record<string, unknown> | undefined;
  for (const [name, item] of Object.entries(value)) {
    const now = change(item, name);
    if (now === item) continue;
    changed ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    changed[name] = now;
  }
  return (changed as T | undefined) ?? value;
}
