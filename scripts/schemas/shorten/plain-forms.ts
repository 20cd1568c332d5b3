import { inCamelCase, lastName } from '../../../server/layouts/expand/names.ts';
import type { Holder } from './short-parts.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A path without the Result that documents leave out. */
export const shortPath = (text: string): string =>
  text.replace(
    /(^|\{)((?:data\.[a-z][A-Za-z0-9]*)|reply)\.(Result|Succeed|Errors?|Messages)(?=$|[.}])/g,
    (_, start, root, name) => (name === 'Result' ? `${start}${root}` : `${start}${root}.$${name}`),
  );

const connectives = ['not', 'all', 'any'] as const;

/** One test as the names of a short condition; undefined where it has none. */
function testOf(condition: Json): readonly [name: string, value: unknown] | undefined {
  const { path, is, in: among, empty, ...others } = condition;
  const tests = [is, among, empty].filter(test => test !== undefined);
  if (typeof path !== 'string') return undefined;
  if (tests.length === 0 && Object.keys(others).length === 1 && !connectives.some(name => Object.hasOwn(others, name)))
    return [path, others];
  if (tests.length !== 1 || Object.keys(others).length > 0) return undefined;
  if (empty !== undefined) return [empty ? 'empty' : 'given', path];
  return [path, among ?? is];
}

/** Writes a condition of a document in its short form (path → value); gives it back as it is where it has none. */
export function shortCondition(condition: unknown): unknown {
  if (!isObject(condition)) return condition;
  const test = testOf(condition);
  if (test) return Object.fromEntries([test]);
  const { all, any, not, ...others } = condition;
  if (Object.keys(others).length > 0) return condition;
  if (not !== undefined) return { not: shortCondition(not) };
  if (Array.isArray(any)) return { any: any.map(shortCondition) };
  if (!Array.isArray(all)) return condition;
  return shortAll(all) ?? { all: all.map(shortCondition) };
}

/** Tests that must all hold, as the names of one object; undefined where two of them have one name, or one has none. */
function shortAll(all: readonly unknown[]): Json | undefined {
  const short: Json = {};
  for (const condition of all) {
    const test = isObject(condition) ? testOf(condition) : undefined;
    const rest = isObject(condition) && Object.keys(condition).length === 1 ? Object.entries(condition)[0] : undefined;
    const isNot = rest?.[0] === 'not';
    const [name, value] = test ?? (isNot ? ['not', shortCondition(rest[1])] : ['', undefined]);
    const isTest = name === 'empty' || name === 'given';
    if (name === '' || (Object.hasOwn(short, name) && !isTest)) return undefined;
    short[name] = Object.hasOwn(short, name) ? [short[name], value].flat() : value;
  }
  return Object.keys(short).length > 1 || short.given || short.empty ? short : undefined;
}

/** Writes bindings (name → path) as a list of paths, where most are named as the end of the path that they read. */
export function shortBindings(bindings: unknown): unknown {
  if (!isObject(bindings)) return bindings;
  const entries = Object.entries(bindings);
  const isNamed = ([name, value]: [string, unknown]) =>
    typeof value === 'string' && inCamelCase(lastName(value)) === name;
  const named = entries.filter(isNamed);
  const others = entries.filter(entry => !isNamed(entry));
  if (named.length === 0) return bindings;
  return [...named.map(([, value]) => value), ...(others.length > 0 ? [Object.fromEntries(others)] : [])];
}

/** A field of what is sent as the path that gives it; undefined where its name or value is another. */
function fieldPath([name, value]: readonly [string, unknown]): string | undefined {
  const { path, ...others } = isObject(value) ? value : { path: value };
  if (typeof path !== 'string' || lastName(path) !== name) return undefined;
  if (Object.keys(others).length === 0) return isObject(value) ? undefined : path;
  return Object.keys(others).length === 1 && others.default === '' ? `${path}?` : undefined;
}

/** Writes the template of a body as a list of paths, where most fields are named as the end of the path they read. */
export function shortTemplate(template: unknown): unknown {
  if (!isObject(template) || Object.hasOwn(template, 'value') || Object.hasOwn(template, 'path')) return template;
  const inner = Object.entries(template).map(([name, value]): [string, unknown] => [
    name,
    name === 'when' || name === 'rows' ? value : shortTemplate(value),
  ]);
  const isFields = !['rows', 'when', 'of'].some(name => Object.hasOwn(template, name));
  const paths = inner.map(fieldPath);
  if (!isFields || paths.filter(path => path !== undefined).length < 2) return Object.fromEntries(inner);
  const others = inner.filter((_, index) => paths[index] === undefined);
  const named = paths.filter(path => path !== undefined);
  return others.length === 0 ? named : [...named, Object.fromEntries(others)];
}

/** Replaces, in place, a list of one effect by that effect, and an effect of a name alone by its name. */
export function shortenEffects({ parent, key }: Holder): void {
  const list = (parent[key] as Json[]).map(effect =>
    isObject(effect) && Object.keys(effect).length === 1 && typeof effect.do === 'string' ? effect.do : effect,
  );
  parent[key] = list.length === 1 ? list[0] : list;
}

/** Moves the effects of `on.press` of a node to `press`, in place, where it has no other handler. */
export function shortenPress(object: Json): void {
  const { on } = object;
  if (!isObject(on) || Object.keys(on).length !== 1 || on.press === undefined) return;
  const entries = Object.entries(object).map(([name, value]) => (name === 'on' ? ['press', on.press] : [name, value]));
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, Object.fromEntries(entries));
}
