import { comparisonNames } from '../../../shared/rules/condition.ts';
import { isObject, type Json } from '../names/json.ts';
import { newRecord } from '../names/new-record.ts';
import type { ExpandPlace } from './expand-place.ts';
import { inside } from './expand-place.ts';
import { hasRoot, longPath } from './paths.ts';

const isComparison = (name: string): boolean => (comparisonNames as readonly string[]).includes(name);
const isShortTest = (name: string, value: unknown): boolean =>
  hasRoot(name) || name === 'given' || (name === 'empty' && typeof value !== 'boolean');

/**
 * Expands a short condition: each of its names is a test and all must hold, a path with its value or values or with
 * other comparisons, `given` and `empty` with paths.
 */
export function expandCondition(value: unknown, place: ExpandPlace): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const isShort = value.path === undefined && entries.some(([name, item]) => isShortTest(name, item));
  if (!isShort) return expandLong(value, place);
  const tests = entries.flatMap(([name, item]) => {
    const at = inside(place, name);
    if (name === 'given' || (name === 'empty' && typeof item !== 'boolean'))
      return [item].flat().map(path => ({
        at,
        test: { path: typeof path === 'string' ? longPath(path, place) : path, empty: name === 'empty' },
      }));
    if (!hasRoot(name)) return [{ at: place, test: expandLong({ [name]: item }, place) as object }];
    const path = longPath(name, place);
    if (isObject(item)) return [{ at, test: expandLong({ path: name, ...item }, { ...place, at: at.at }) as object }];
    return [{ at, test: Array.isArray(item) ? { path, in: item } : { path, is: item } }];
  });
  for (const { at, test } of tests) place.trace?.placed(test, at.at);
  if (tests.length === 1) return tests[0]?.test;
  const all = tests.map(({ test }) => test);
  const long = { all };
  place.trace?.placed(long, place.at);
  place.trace?.placed(all, place.at);
  return long;
}

function expandLong(value: Json, place: ExpandPlace): unknown {
  const long = newRecord();
  place.trace?.placed(long, place.at);
  for (const [name, item] of Object.entries(value)) {
    const at = inside(place, name);
    if ((name === 'path' || isComparison(name)) && typeof item === 'string') long[name] = longPath(item, place);
    else if (name === 'not') long[name] = expandCondition(item, at);
    else if ((name === 'all' || name === 'any') && Array.isArray(item)) {
      const list = item.map((test, index) => expandCondition(test, inside(at, index)));
      place.trace?.placed(list, at.at);
      long[name] = list;
    } else long[name] = item;
  }
  return long;
}
