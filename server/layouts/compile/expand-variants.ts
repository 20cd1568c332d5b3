import type { Source } from '../load/load.ts';

type Entry = { readonly id: string; readonly state?: object };

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Entry>).id === 'string';

/**
 * A document and those that it says are the same but for a few things (`also`), each as if it were written out. What is
 * wrong with one of them is told where it differs, else where all of them stand.
 */
export function withAlso(source: Source): Source[] {
  const { also, ...json } = source.json;
  if (!Array.isArray(also)) return [source];
  const others = also.flatMap((entry: unknown, index) =>
    isEntry(entry)
      ? [
          {
            ...source,
            json: { ...json, ...entry, ...(entry.state && { state: { ...(json.state as object), ...entry.state } }) },
            problem: (at, ...said) =>
              source.problem(at[0] !== undefined && at[0] in entry ? ['also', index, ...at] : at, ...said),
          } satisfies Source,
        ]
      : [],
  );
  return [{ ...source, json }, ...others];
}
