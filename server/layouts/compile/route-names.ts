import { documentSchemas } from '../../../shared/language/documents.ts';
import { routesOf } from '../check/documents.ts';
import { type Schema, schemaOf } from '../names/schema.ts';
import type { LongDocument } from '../names/source.ts';

const known = new WeakMap<Record<string, unknown>, ReadonlySet<string>>();

/**
 * Lists the names that a screen's address may hold (`route.…`): parameters of its routes, its `query`, and those in
 * which its nodes keep something, such as a filter. For a popup or form only the last.
 */
export function routeNamesOf(source: LongDocument): ReadonlySet<string> {
  let names = known.get(source.json);
  if (!names) {
    const found = new Set(givenNames(source));
    addPlaces(documentSchemas[source.kind] as Schema, source.json, found);
    names = found;
    known.set(source.json, names);
  }
  return names;
}

/** Parameters of the routes of a screen, and what it takes from outside. */
function givenNames(source: LongDocument): string[] {
  const { query } = source.json;
  return [
    ...routesOf(source).flatMap(({ route }) =>
      [...route.matchAll(/\{([A-Za-z0-9_]+)\}/g)].map(([, name]) => String(name)),
    ),
    ...(Array.isArray(query) ? query.map(String) : []),
  ];
}

/**
 * Lists, by file of a screen, the names of its address whose values come from outside the documents, so cannot be
 * checked.
 */
export function namesFromOutside(screens: readonly LongDocument[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byFile = new Map<string, Set<string>>();
  for (const source of screens)
    byFile.set(source.file, new Set([...(byFile.get(source.file) ?? []), ...givenNames(source)]));
  return byFile;
}

/** Adds where the nodes of a document keep something in the address. Lists of places only name those of others. */
function addPlaces(given: Schema, value: unknown, names: Set<string>): void {
  if (given.title === 'Place') {
    if (typeof value === 'string' && value.startsWith('route.')) names.add(value.slice('route.'.length));
    return;
  }
  if (value === null || typeof value !== 'object') return;
  const { items, properties, additionalProperties } = schemaOf(given, value);
  if (Array.isArray(value)) {
    if (items && items.title !== 'Place') for (const item of value) addPlaces(items, item, names);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    const own = properties?.[name] ?? additionalProperties;
    if (typeof own === 'object') addPlaces(own, item, names);
  }
}
