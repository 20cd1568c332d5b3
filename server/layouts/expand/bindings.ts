import { isObject } from '../names/json.ts';
import { newRecord } from '../names/new-record.ts';
import { type ExpandPlace, inside } from './expand-place.ts';
import type { OperationFacts } from './folder-facts.ts';
import { formatInText } from './known-facts.ts';
import { inCamelCase, lastName } from './names.ts';
import { hasRoot, longPath } from './paths.ts';

/** Expands one short binding: a path is written in full, a constant stays. */
export function expandBinding(value: unknown, place: ExpandPlace): unknown {
  if (typeof value === 'string') return longPath(value, place);
  if (!isObject(value) || typeof value.path !== 'string') return value;
  const long = { ...value, path: longPath(value.path, place) };
  place.trace?.placed(long, place.at);
  return long;
}

/** A value as a text writes it: of money, days, moments and their like the path stands for the path with a format. */
function inText(value: unknown, place: ExpandPlace): unknown {
  const format = typeof value === 'string' && !value.startsWith('part.') ? formatInText(value, place) : undefined;
  if (format === undefined) return value;
  const long = { path: value, format };
  place.trace?.placed(long, place.at);
  place.trace?.made(long, 'format', place.at, 'known from the operation');
  return long;
}

type Bound = { readonly name: string; readonly value: unknown; readonly steps: readonly (string | number)[] };

/**
 * Lists the bindings of a list or object one by one, with the position of each. In a list a path binds the parameter of
 * its last name. Undefined for anything else.
 */
export function openBindings(value: unknown): readonly Bound[] | undefined {
  if (isObject(value)) return Object.entries(value).map(([name, bound]) => ({ name, value: bound, steps: [name] }));
  if (!Array.isArray(value) || !value.every(item => typeof item === 'string' || isObject(item))) return undefined;
  return value.flatMap((item, index): readonly Bound[] =>
    typeof item === 'string'
      ? [{ name: inCamelCase(lastName(item)), value: item, steps: [index] }]
      : (openBindings(item) ?? []).map(bound => ({ ...bound, steps: [index, ...bound.steps] })),
  );
}

/** The parameters that an operation declares. */
type Parameters = OperationFacts['with'];

/** A word that a parameter takes stands for itself: it is no path, and which there are is declared. */
export function constantOf(name: string, value: unknown, parameters: Parameters): unknown {
  const isTaken = typeof value === 'string' && !hasRoot(value) && parameters?.[name]?.enum?.includes(value);
  return isTaken ? { value } : value;
}

/**
 * Expands short bindings to an object by parameter name. Those of a text may be `formatted` by the kind in the
 * contract.
 */
export function expandBindings(value: unknown, place: ExpandPlace, formatted = false): unknown {
  const bindings = openBindings(value);
  if (!bindings) return value;
  const long = newRecord();
  for (const { name, value: bound, steps } of bindings) {
    const at = inside(place, ...steps);
    const given = constantOf(name, bound, place.parameters);
    long[name] = formatted ? inText(expandBinding(given, at), at) : expandBinding(given, at);
    if (given !== bound) {
      place.trace?.placed(long[name] as object, at.at);
      place.trace?.made(long[name] as object, 'value', at.at, 'a word of this parameter');
    }
    if (Array.isArray(value)) place.trace?.made(long, name, at.at, '');
  }
  place.trace?.placed(long, place.at);
  return long;
}
