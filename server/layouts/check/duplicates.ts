import { isObject, type Json } from '../names/json.ts';

/** An entry that stands in its list already: which it is, and where. */
type Twice = { readonly index: number; readonly name: string; readonly property?: string };

/** By what an entry is told from the others: no two have the same, unless they are for different callers or moments. */
const identities = ['id', 'value'] as const;
/** What an entry is called that has none of these: two of one name are wrong where they are the same in all else. */
const names = ['path', 'text', 'title', 'label'] as const;

/** Finds the entries of a list that stand in it twice. */
export function findTwice(list: readonly unknown[]): Twice[] {
  const seen = new Map<string, Json[]>();
  return list.flatMap((item, index): Twice[] => {
    // Of fields their form says so.
    if (!isObject(item) || Object.hasOwn(item, 'part') || Object.hasOwn(item, 'propertyName')) return [];
    const property = [...identities, ...names].find(name => isScalar(item[name]));
    if (property === undefined) return [];
    const key = `${property} ${String(item[property])}`;
    const others = seen.get(key) ?? [];
    seen.set(key, [...others, item]);
    const isIdentity = (identities as readonly string[]).includes(property);
    const isTwice = others.some(other => (isIdentity ? areForTheSame(other, item) : areEqual(other, item)));
    return isTwice ? [{ index, property, name: shown(item[property]) }] : [];
  });
}

/** Finds the words and numbers of a list that stand in it twice. */
export function findSameScalars(list: readonly unknown[]): Twice[] {
  const seen = new Set<unknown>();
  return list.flatMap((item, index): Twice[] => {
    if (!isScalar(item)) return [];
    if (seen.has(item)) return [{ index, name: shown(item) }];
    seen.add(item);
    return [];
  });
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
const areEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const areForTheSame = (one: Json, other: Json): boolean =>
  areEqual(one.requires, other.requires) && areEqual(one.when, other.when);

/** As it is written in most documents: without the Result of a path. */
const shown = (value: unknown): string =>
  JSON.stringify(value).replace(/^("(?:data\.[A-Za-z0-9]+|reply))\.Result(?=[."])/, '$1');
