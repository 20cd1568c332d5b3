import { inCamelCase, lastName } from '../../../server/layouts/expand/names.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Of a node, what is drawn so where nothing is said. */
const assumed: Readonly<Record<string, Json>> = { facts: { look: 'list' }, link: { look: 'link' } };

/** Gives a document's long form without values that are the default anyway, and without needless ids of columns. */
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

/** Columns called as what they show. Those that a view hides by their id in the address keep it: they are left out here. */
function nameColumns(columns: readonly unknown[]): unknown {
  const names = columns.map(column => (isObject(column) ? inCamelCase(lastName(String(column.path))) : ''));
  return columns.map((column, index) => {
    const long = dropNeedless(column);
    const name = names[index] ?? '';
    const isColumn = isObject(long) && [long.id, long.path, long.title].every(part => typeof part === 'string');
    return isColumn && names.indexOf(name) === names.lastIndexOf(name) ? { ...long, id: name } : long;
  });
}
