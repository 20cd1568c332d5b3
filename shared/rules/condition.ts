import type { Condition } from '../language/types.ts';
import { isDecimal } from './money.ts';
import { readPath, type Scope } from './path.ts';

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** True for two values that are there and read the same: the wire writes an id as a number here and as text there. */
function isSame(value: unknown, other: unknown): boolean {
  return !isEmpty(value) && !isEmpty(other) && String(value) === String(other);
}

/** What a value is to be compared as: 1 number or amount, 2 day, 3 moment, 0 none of them. */
function scaleOf(value: unknown): number {
  if (typeof value === 'number' || isDecimal(value)) return 1;
  // Engines read dates into texts that are none.
  const [, time] = /^\d{4}-\d\d-\d\d(T.+)?$/.exec(String(value)) ?? ['', ''];
  return time === '' ? 0 : time ? 3 : 2;
}

/** How much more or later a value is. NaN where both are not the same: a day begins when its zone says. */
function compare(value: unknown, other: unknown): number {
  const scale = scaleOf(value);
  if (scale === 0 || scale !== scaleOf(other)) return Number.NaN;
  return scale === 1 ? Number(value) - Number(other) : Date.parse(String(value)) - Date.parse(String(other));
}
const isLess = (value: unknown, other: unknown): boolean => compare(value, other) < 0;
const isMore = (value: unknown, other: unknown): boolean => compare(value, other) > 0;

/** The tests that compare the value at `path` with the value at another path. What is missing meets none of them. */
const comparisons = {
  same: isSame,
  before: isLess,
  after: isMore,
  below: isLess,
  above: isMore,
  contains: (value: unknown, other: unknown): boolean =>
    Array.isArray(value)
      ? value.some(item => isSame(item, other))
      : !isEmpty(value) && !isEmpty(other) && String(value).includes(String(other)),
};

export type Comparison = keyof typeof comparisons;
export const comparisonNames = Object.keys(comparisons) as Comparison[];

/**
 * Evaluates a condition (`when`) over the data in scope. Conditions with unknown keys never get here: they are errors
 * when a document loads.
 */
export function isMet(condition: Condition | undefined, scope: Scope): boolean {
  if (!condition) return true;
  if (condition.not && isMet(condition.not, scope)) return false;
  if (condition.all?.some(part => !isMet(part, scope))) return false;
  if (condition.any && !condition.any.some(part => isMet(part, scope))) return false;
  if (condition.path === undefined) return true;
  const value = readPath(scope, condition.path) ?? null;
  if (condition.is !== undefined && value !== condition.is) return false;
  if (condition.in && !condition.in.includes(value as string)) return false;
  if (condition.empty !== undefined && isEmpty(value) !== condition.empty) return false;
  if (condition.atLeast !== undefined && !(compare(value, condition.atLeast) >= 0)) return false;
  return comparisonNames.every(name => {
    const other = condition[name];
    return other === undefined || comparisons[name](value, readPath(scope, other));
  });
}
