import type { LongDocument } from '../names/source.ts';

type Entry = { readonly id: string; readonly state?: object };

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Entry>).id === 'string';

/**
 * Gives a document and its variants (`also`: the same but for a few properties), each written out as a document of its
 * own. Problems of a variant are reported where it differs.
 */
export function withAlso(source: LongDocument): LongDocument[] {
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
          } satisfies LongDocument,
        ]
      : [],
  );
  return [{ ...source, json }, ...others];
}
