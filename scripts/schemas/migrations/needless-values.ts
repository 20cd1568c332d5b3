import { inCamelCase, lastName } from '../../../server/layouts/expand/names.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Defaults by type of node: a property with this value can be left out, and the node is drawn the same. */
const assumed: Readonly<Record<string, Json>> = { facts: { look: 'list' }, link: { look: 'link' } };

/**
 * Gives a part of a document in its long form without values that change nothing: properties that have their default,
 * and ids of columns that nothing refers to. Such a column gets the id that the short form gives it, the name of the
 * field that it shows.
 */
export function dropNeedless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNeedless);
  if (!isObject(value)) return value;
  const plain = assumed[String(value.type)] ?? {};
  const entries = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    if (Object.hasOwn(plain, name) && plain[name] === item) return [];
    const hasView = value.view !== undefined;
    return [[name, name === 'columns' && Array.isArray(item) && !hasView ? nameColumns(item) : dropNeedless(item)]];
  });
  return Object.fromEntries(entries);
}

/**
 * Gives columns the name of the field that they show as their id; where two show the same field both keep their ids.
 * Not for a table with a view: the address keeps the columns that are hidden there by id.
 */
function nameColumns(columns: readonly unknown[]): unknown {
  const names = columns.map(column => (isObject(column) ? inCamelCase(lastName(String(column.path))) : ''));
  return columns.map((column, index) => {
    const long = dropNeedless(column);
    const name = names[index] ?? '';
    const isColumn = isObject(long) && [long.id, long.path, long.title].every(part => typeof part === 'string');
    return isColumn && names.indexOf(name) === names.lastIndexOf(name) ? { ...long, id: name } : long;
  });
}
