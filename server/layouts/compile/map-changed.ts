/** A list or object with each item in its changed form; itself where none changes. */
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
