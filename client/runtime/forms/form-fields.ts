import type { FieldNode, Node } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { bind, readPath, type Scope } from '../../../shared/rules/path.ts';
import { writeLines } from '../../../shared/rules/write-lines.ts';

const collected = new WeakMap<object, readonly FieldNode[]>();

/** Gives the fields below a form, in order; the same list for the same node. */
export function fieldsOf(form: object & { readonly children?: readonly Node[] | undefined }): readonly FieldNode[] {
  let fields = collected.get(form);
  if (!fields) {
    fields = fieldsIn(form.children);
    collected.set(form, fields);
  }
  return fields;
}

/**
 * Gives the first values of a form, by field name: from the object at the path `initial`, else what the field itself
 * binds. A field with neither has no entry.
 */
export function firstValues(
  fields: readonly FieldNode[],
  initial: string | undefined,
  scope: Scope,
): Record<string, unknown> {
  const given = initial === undefined ? undefined : readPath(scope, initial);
  const values: Record<string, unknown> = {};
  for (const { propertyName, kind, key, initial: own } of fields) {
    if (given && typeof given === 'object' && Object.hasOwn(given, propertyName)) {
      const value = (given as Record<string, unknown>)[propertyName];
      values[propertyName] = kind === 'list' ? writeLines(value, key) : value;
    } else if (own !== undefined) values[propertyName] = bind(own, scope);
  }
  return values;
}

/** Gives what the entries of list fields are called in the object at the path `initial`; undefined where none says so. */
export function entryNames(
  fields: readonly FieldNode[],
  initial: string | undefined,
  scope: Scope,
): ReadonlyMap<string, string> | undefined {
  const lists = fields.filter(({ nameKey }) => nameKey !== undefined);
  if (lists.length === 0 || initial === undefined) return undefined;
  const first = readPath(scope, initial) as Readonly<Record<string, unknown>> | undefined;
  const names = new Map<string, string>();
  for (const { propertyName, key = '', nameKey = '' } of lists)
    for (const item of (first?.[propertyName] ?? []) as readonly Readonly<Record<string, string>>[])
      names.set(item[key] ?? '', item[nameKey] ?? '');
  return names;
}

const none: readonly string[] = [];
const named = new WeakMap<object, readonly string[]>();
const formPath = /(?:^|\{)form\.(\$?\w+)/g;

/**
 * Lists the names of form values that a node reads while it is drawn, without those that its effects (`on`) or its
 * children read.
 */
export function formNames(part: object | undefined): readonly string[] {
  if (!part) return none;
  let names = named.get(part);
  if (!names) {
    const found = new Set<string>();
    for (const [key, value] of Object.entries(part)) {
      if (typeof value === 'string') {
        if (value.includes('form.')) for (const [, name] of value.matchAll(formPath)) found.add(name as string);
      } else if (value && typeof value === 'object' && key !== 'on' && typeof value.type !== 'string') {
        for (const name of formNames(value)) found.add(name);
      }
    }
    names = found.size > 0 ? [...found] : none;
    named.set(part, names);
  }
  return names;
}
