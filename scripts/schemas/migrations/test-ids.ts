import { formatDocument } from '../format.ts';
import type { Migration } from './migration.ts';
import renamed from './test-ids.json' with { type: 'json' };

const names: Readonly<Record<string, string | null>> = renamed;

/** A document with the test ids that have another name since; those that are null have none. */
function renameIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameIn);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    if (name !== 'testId' || typeof item !== 'string' || !Object.hasOwn(names, item)) return [[name, renameIn(item)]];
    const to = names[item] ?? null;
    return to === null ? [] : [[name, to]];
  });
  return Object.fromEntries(entries);
}

/** Migration: gives nodes the test ids that follow from their texts and fields, and removes those that no test uses. */
export const renameTestIds: Migration = documents => {
  for (const document of documents)
    if (!document.file.startsWith('text/') && document.json.operations === undefined)
      document.text = formatDocument(renameIn(JSON.parse(document.text)) as object);
  return [];
};
