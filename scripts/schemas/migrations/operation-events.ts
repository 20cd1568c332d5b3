import { commandDeclarations } from '../../../server/commands/index.ts';
import { expandDocuments } from '../../../server/layouts/expand/expand.ts';
import { parseSource } from '../../../server/layouts/load/load.ts';
import { setIn } from '../edit-folder.ts';
import type { Migration } from './migration.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Every data source of a document in its long form. */
function sourcesIn(value: unknown, name = ''): Json[] {
  if (value === null || typeof value !== 'object') return [];
  if (name === 'data' && isObject(value)) return Object.values(value).filter(isObject);
  return Object.entries(value).flatMap(([key, item]) => sourcesIn(item, key));
}

/**
 * Migration: where all data sources of an operation name the same events for reading again, moves these to the
 * operation.
 */
export const moveEventsToOperations: Migration = documents => {
  const sources = documents.flatMap(({ file, text }) => {
    const source = parseSource(file, text);
    return 'file' in source ? [source] : [];
  });
  const eventsByOperation = new Map<string, Set<string>>();
  for (const { json } of expandDocuments(sources, commandDeclarations))
    for (const { operation, refreshOn } of sourcesIn(json)) {
      const found = eventsByOperation.get(String(operation)) ?? new Set();
      eventsByOperation.set(String(operation), found.add(JSON.stringify(refreshOn ?? null)));
    }
  for (const document of documents) {
    const { operations } = document.json;
    if (!isObject(operations)) continue;
    for (const [name, operation] of Object.entries(operations)) {
      const [events, ...others] = eventsByOperation.get(name) ?? [];
      if (events === undefined || events === 'null' || others.length > 0) continue;
      if (isObject(operation) && operation.refreshOn === undefined)
        setIn(document, ['operations', name, 'refreshOn'], JSON.parse(events), 'requires');
    }
  }
  return [];
};
