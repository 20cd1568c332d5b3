import type { ValueKind } from '../../../shared/language/reply.ts';
import { type Comparison, comparisonNames } from '../../../shared/rules/condition.ts';
import type { Declared } from '../names/declared.ts';
import { type DeclaredPlace, declaredAt } from './constants.ts';

type Side = Pick<Declared, 'kind' | 'isList' | 'classes'>;

const moments: ReadonlySet<string> = new Set(['day', 'time', 'epoch'] satisfies ValueKind[]);
const numbers: ReadonlySet<string> = new Set(['count', 'number', 'percent', 'money', 'bytes'] satisfies ValueKind[]);
const texts: ReadonlySet<string> = new Set(['text', 'email', 'phone', 'domain', 'url'] satisfies ValueKind[]);

/** Kinds whose values are compared with each other, by one name. A plain number may be meant as any other. */
function groupOf(kind: string): string | undefined {
  if (kind === 'epoch') return 'time';
  return kind === 'number' ? undefined : kind;
}

const isObject = ({ classes, isList }: Side): boolean => classes?.length === 0 && !isList;
const isKindOf = (kinds: ReadonlySet<string>, { kind, isList }: Side): boolean =>
  kind === undefined || (!isList && kinds.has(kind));
const areAlike = (one: Side, other: Side): boolean => {
  const [a, b] = [one, other].map(({ kind }) => kind && groupOf(kind));
  return a === undefined || b === undefined || a === b;
};
const isValue = (side: Side): boolean => !isObject(side) && !side.isList;

type Rule = { readonly takes: string; fits(one: Side, other: Side): boolean };

const inTime: Rule = {
  takes: 'two days or two moments',
  fits: (one, other) => isKindOf(moments, one) && isKindOf(moments, other) && areAlike(one, other),
};
const inSize: Rule = {
  takes: 'two numbers of one kind',
  fits: (one, other) => isKindOf(numbers, one) && isKindOf(numbers, other) && areAlike(one, other),
};

const rules: Readonly<Record<Comparison, Rule>> = {
  same: {
    takes: 'two values, both of them yes or no or neither',
    fits: (one, other) =>
      isValue(one) &&
      isValue(other) &&
      (one.kind === undefined || other.kind === undefined || (one.kind === 'yes-no') === (other.kind === 'yes-no')),
  },
  before: inTime,
  after: inTime,
  below: inSize,
  above: inSize,
  contains: {
    takes: 'a list of values or a text with a value',
    fits: (one, other) =>
      isValue(other) && (one.kind === undefined ? !isObject(one) : one.isList === true || texts.has(one.kind)),
  },
};

function describe(path: string, side: Side): string {
  const { kind, isList } = side;
  if (kind === undefined) return `"${path}" ${isObject(side) ? 'is no single value' : 'may be anything'}`;
  return `"${path}" is ${isList ? 'a list ' : ''}of kind "${kind}"`;
}

/**
 * Finds where a condition compares one path with another (`before`, `contains`) and their kinds of values do not fit;
 * gives what is wrong, by the name of the comparison.
 */
export function wrongComparisons(
  condition: Readonly<Record<string, unknown>>,
  place: DeclaredPlace,
): { readonly name: Comparison; readonly wrong: string }[] {
  const { path } = condition;
  if (typeof path !== 'string') return [];
  return comparisonNames.flatMap(name => {
    const other = condition[name];
    if (typeof other !== 'string') return [];
    const [one, two] = [declaredAt(path, place) ?? {}, declaredAt(other, place) ?? {}];
    if (rules[name].fits(one, two)) return [];
    const wrong = `"${name}" compares ${rules[name].takes}: ${describe(path, one)}, and ${describe(other, two)}.`;
    return [{ name, wrong }];
  });
}
