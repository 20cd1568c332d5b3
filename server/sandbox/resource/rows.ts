import { type Kysely, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { containing, countUpTo, exactTo } from '../search.ts';
import type { Database } from '../tables.ts';
import { columnOf, type Field, fieldOf, fieldsIn, type Resource, type Row } from './declaration.ts';

/** The database without the types of its tables: a declaration names its table and columns itself. */
export const untyped = (db: Database) => db as unknown as Kysely<Record<string, Record<string, unknown>>>;

/** The parameters of a request's path. */
export type Path = Readonly<Record<string, unknown>>;

export type ListQuery = {
  readonly [filter: string]: unknown;
  readonly page?: number;
  readonly pageSize?: number;
  readonly sort?: string;
  readonly search?: string;
};

/** The rows of a list that the caller may see: a page of them, or all. */
export async function listRows(db: Database, resource: Resource, caller: Caller, path: Path, query: ListQuery) {
  const { table, fields, list } = resource;
  const owned = await resource.owner.of(db, caller, path);
  let rows = untyped(db)
    .selectFrom(table)
    .where(({ and }) => and(owned));
  for (const name of Object.keys(list.filters ?? {})) {
    const wanted = query[name];
    if (wanted !== undefined && wanted !== 'all') rows = rows.where(columnOf({ name }), '=', wanted);
  }
  if (query.search) {
    const searched = fields.filter(field => field.searched).map(field => expressionOf(resource, field, caller));
    rows = rows.where(sql`lower(concat_ws(' ', ${sql.join(searched)}))`, 'like', containing(query.search));
  }
  const sort = query.sort ?? list.sort;
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const sortField = fieldOf(resource, sort);
  const isNullable = typeof sortField.shape === 'object' && 'nullable' in sortField.shape;
  let chosen = selectFields(resource, 'list', caller, rows)
    .orderBy(expressionOf(resource, sortField, caller), order => {
      if (direction === 'asc') return isNullable ? order.asc().nullsFirst() : order.asc();
      return isNullable ? order.desc().nullsLast() : order.desc();
    })
    .orderBy(`${table}.id`, direction);
  const { page = 1, pageSize } = query;
  if (pageSize !== undefined) chosen = chosen.limit(pageSize).offset((page - 1) * pageSize);
  const Items = await chosen.execute();
  if (list.withoutTotal) return Items;
  if (pageSize === undefined) return { Items, Total: Items.length };
  const found = await countUpTo(db, rows.select('id'));
  return { Items, Total: Math.min(found, exactTo), TotalIsExact: found <= exactTo };
}

/** Everything that the caller may see of one row. */
export async function readRow(db: Database, resource: Resource, caller: Caller, path: Path): Promise<Row> {
  const found = await selectFields(
    resource,
    'details',
    caller,
    await oneRow(db, resource, caller, path),
  ).executeTakeFirst();
  if (found === undefined) throw notFound();
  return found;
}

/** The row that the path names, as it is stored, if it is the caller's; inside a transaction it is held until its end. */
export async function findRow<R = Row>(db: Database, resource: Resource<R>, caller: Caller, path: Path): Promise<R> {
  const query = (await oneRow(db, resource as Resource, caller, path)).selectAll();
  const row = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
  if (row === undefined) throw notFound();
  return row as R;
}

async function oneRow(db: Database, { owner, table, key }: Resource, caller: Caller, path: Path) {
  const owned = await owner.of(db, caller, path);
  return untyped(db)
    .selectFrom(table)
    .where(({ and }) => and({ ...owned, id: idOf(String(path[key])) }));
}

type Rows = Awaited<ReturnType<typeof oneRow>>;

function selectFields(resource: Resource, place: 'list' | 'details', caller: Caller, rows: Rows) {
  const fields = fieldsIn(resource, place).filter(({ isFor }) => isFor?.(caller) ?? true);
  return rows.select(fields.map(field => expressionOf(resource, field, caller).as(field.name)));
}

function expressionOf({ table }: Resource, field: Field, caller: Caller) {
  const { column } = field;
  return typeof column === 'function' ? column(caller) : sql.ref(`${table}.${columnOf(field)}`);
}
