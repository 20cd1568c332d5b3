import { isObject, type Json } from '../names/json.ts';
import { hasPlaceholder } from '../names/schema.ts';

/** An entry that stands in its list already: which it is, and the property that says so. */
type Twice = { readonly index: number; readonly name: string; readonly property?: string };

/** By what an entry is told from the others: no two have the same, unless they are for different callers or moments. */
const identities = ['id', 'value'] as const;

/** Finds the entries of a list that are told from each other by a name, and have the same. */
export function findTwice(list: readonly unknown[]): Twice[] {
  if (list.length < 2) return [];
  const seen = new Map<string, Json[]>();
  return list.flatMap((item, index): Twice[] => {
    const property = isObject(item) ? identities.find(name => isScalar(item[name])) : undefined;
    if (!isObject(item) || property === undefined || Object.hasOwn(item, 'part')) return [];
    const key = `${property} ${String(item[property])}`;
    const others = seen.get(key) ?? [];
    seen.set(key, [...others, item]);
    return others.some(other => areForTheSame(other, item))
      ? [{ index, property, name: JSON.stringify(item[property]) }]
      : [];
  });
}

/** Finds the entries of a list that are the same as another one in everything. */
export function findEqual(list: readonly unknown[]): Twice[] {
  if (list.length < 2) return [];
  const seen = new Set<string>();
  return list.flatMap((item, index): Twice[] => {
    if (!isObject(item) || Object.hasOwn(item, 'part') || identities.some(name => isScalar(item[name]))) return [];
    const text = JSON.stringify(item);
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    const [property, name = ''] = Object.entries(item).find(([, value]) => typeof value === 'string') ?? [];
    return property === undefined ? [] : [{ index, property, name: withoutResult(JSON.stringify(name)) }];
  });
}

/** Finds the words and numbers of a list that stand in it twice. */
export function findSameScalars(list: readonly unknown[]): Twice[] {
  if (list.length < 2) return [];
  const seen = new Set<unknown>();
  return list.flatMap((item, index): Twice[] => {
    if (!isScalar(item) || hasPlaceholder(String(item))) return [];
    if (seen.has(item)) return [{ index, name: JSON.stringify(item) }];
    seen.add(item);
    return [];
  });
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
const areEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const areForTheSame = (one: Json, other: Json): boolean =>
  areEqual(one.requires, other.requires) && areEqual(one.when, other.when);

/** A path as most documents write it. */
const withoutResult = (text: string): string => text.replace(/^("(?:data\.[A-Za-z0-9]+|reply))\.Result(?=[."])/, '$1');
