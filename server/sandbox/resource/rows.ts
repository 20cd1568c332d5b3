import { type Kysely, sql } from 'kysely';
import type { SeedPart } from '../area.ts';
import type { Caller } from '../auth/caller.ts';
import { differences, isSame, recordActivity, type State } from '../customers/activity.ts';
import { conflict, notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { labelOf } from '../http/validation.ts';
import { sendHint } from '../notifications/hints.ts';
import { containing, countUpTo, exactTo, searchKeyOf } from '../search.ts';
import type { Database } from '../tables.ts';
import {
  type Field,
  type List,
  type Operation,
  type OperationName,
  type Resource,
  type Row,
  type Verb,
  type Writing,
  withoutRowType,
} from './declaration.ts';
import { snakeCase } from './fields.ts';
import type { Owner, Path } from './owners.ts';

/**
 * Gives the database without the types of its tables, since a resource's declaration names its table and columns
 * itself.
 */
export const untyped = (db: Database) => db as unknown as Kysely<Record<string, Record<string, unknown>>>;

export type ListQuery = Row & { page?: number; pageSize?: number; sort?: string; search?: string };

type ListCall = { readonly caller: Caller; readonly path: Path; readonly query: ListQuery };

/** `apart`: a filter that is left out. `ids`: of the rows that the search finds, where these were found before. */
type Finding = { readonly apart?: string | undefined; readonly ids?: readonly number[] | undefined };

/** The rows that the query finds. */
async function foundRows(
  db: Database,
  resource: Resource,
  list: List,
  { caller, path, query }: ListCall,
  { apart, ids }: Finding = {},
) {
  const { search = '' } = query;
  let rows = await ownRows(db, resource, caller, path);
  for (const name of Object.keys(list.filters ?? {})) {
    const wanted = query[name];
    if (name !== apart && wanted !== undefined && wanted !== 'all')
      rows = rows.where(filteredBy(resource, name, caller), '=', wanted);
  }
  if (search === '') return rows;
  if (ids) return rows.where(sql.ref(`${resource.table}.id`), '=', sql`any(${[...ids]}::bigint[])`);
  if (list.finds) return rows.where(list.finds(search, caller));
  const texts = resource.fields.filter(one => one.searched).map(one => expressionOf(resource, one, caller));
  return rows.where(searchKeyOf(sql`concat_ws(' ', ${sql.join(texts)})`), 'like', containing(search));
}

/** The column that a filter is about; where a field of its name is computed, what computes it. */
function filteredBy(resource: Resource, name: string, caller: Caller) {
  const column = columnOf({ name });
  const field = resource.fields.find(one => typeof one.column === 'function' && snakeCase(one.name) === column);
  return field ? expressionOf(resource, field, caller) : sql.ref(`${resource.table}.${column}`);
}

/**
 * Finds the ids of the rows that the search of a query finds, whatever the filter that is counted says, so that the text of
 * each row is compared once; undefined without a search, and where it finds more than are counted.
 */
async function searchedIds(db: Database, resource: Resource, list: List, call: ListCall) {
  if ((call.query.search ?? '') === '') return undefined;
  const rows = await foundRows(db, resource, list, call, { apart: list.counts?.filter });
  const found = await rows
    .select(`${resource.table}.id`)
    .limit(exactTo + 1)
    .execute();
  return found.length > exactTo ? undefined : found.map(({ id }) => Number(id));
}

/** How many rows one filter would leave, by its values. */
async function countBy(db: Database, resource: Resource, list: List, call: ListCall, ids: Finding['ids']) {
  const { filter, values } = list.counts!;
  const rows = await foundRows(db, resource, list, call, { apart: filter, ids });
  const column = sql.ref(`${resource.table}.${columnOf({ name: filter })}`);
  const counted = Object.entries(values).map(([name, value]) =>
    sql<number>`count(*) filter (where ${value === 'all' ? sql`true` : sql`${column} = ${value}`})`.as(name),
  );
  return await rows.select(counted).executeTakeFirstOrThrow();
}

/**
 * Lists the rows of a resource that the caller may see, with the filters, search and order of the query. With
 * `pageSize` gives one page, with a total that is exact up to a limit (`TotalIsExact`); without it all rows.
 */
export async function listRows(db: Database, resource: Resource, list: List, call: ListCall) {
  const { table } = resource;
  const { caller, query } = call;
  const { page = 1, pageSize, sort = list.sort } = query;
  const ids = pageSize === undefined ? undefined : await searchedIds(db, resource, list, call);
  const rows = await foundRows(db, resource, list, call, { ids });
  const [direction, nulls] = sort.startsWith('-') ? ['desc', 'nulls last'] : ['asc', 'nulls first'];
  const field = fieldOf(resource, sort);
  // An index serves the order of a column without nulls only if they are not named.
  const isNullable = 'nullable' in Object(field.shape);
  const order = sql`${expressionOf(resource, field, caller)} ${sql.raw(isNullable ? `${direction} ${nulls}` : direction)}`;
  const inOrder = <Q extends Rows>(query: Q) =>
    query.orderBy(order).orderBy(`${table}.id`, direction as 'asc' | 'desc');
  // The database computes the fields of every row that it sorts or skips: a page is found by ids first.
  const found =
    pageSize === undefined
      ? rows
      : rows.where(
          `${table}.id`,
          'in',
          inOrder(rows)
            .limit(pageSize)
            .offset((page - 1) * pageSize)
            .select(`${table}.id`),
        );
  const Items = await inOrder(selectFields(resource, 'list', caller, found) as Rows).execute();
  if (list.withoutTotal) return Items;
  const counts = list.counts && { Counts: await countBy(db, resource, list, call, ids) };
  if (pageSize === undefined) return { Items, Total: Items.length, ...counts };
  const count = await countUpTo(db, rows.select(`${table}.id`));
  return { Items, Total: Math.min(count, exactTo), TotalIsExact: count <= exactTo, ...counts };
}

/**
 * Reads one row of a resource, with the fields that the caller may see.
 * @throws {CloudError} 404 when it does not exist or the caller may not see it
 */
export async function readRow(db: Database, resource: Resource, caller: Caller, path: Path): Promise<Row> {
  const rows = selectFields(resource, 'details', caller, await ownRow(db, resource, caller, path));
  return await rows.executeTakeFirstOrThrow(notFound);
}

/**
 * Reads the stored row that the path names. Inside a transaction it locks the row.
 * @throws {CloudError} 404 when the caller does not see it
 */
export async function findRow<R = Row>(db: Database, resource: Resource<R>, caller: Caller, path: Path): Promise<R> {
  const rows = (await ownRow(db, withoutRowType(resource), caller, path)).selectAll(resource.table);
  return (await (db.isTransaction ? rows.forUpdate(resource.table) : rows).executeTakeFirstOrThrow(notFound)) as R;
}

/** The part of a resource that its rows are found by. */
type Found = Pick<Resource, 'table' | 'key' | 'keyField' | 'owner' | 'joins' | 'fields' | 'noun'>;

async function ownRow(db: Database, resource: Found, caller: Caller, path: Path) {
  const { table, keyField } = resource;
  const key = String(path[resource.key]);
  const rows = await ownRows(db, resource, caller, path);
  if (keyField === undefined) return rows.where(`${table}.id`, '=', idOf(key));
  return rows.where(
    sql`lower(${sql.ref(`${table}.${columnOf(fieldOf(resource, keyField))}`)})`,
    '=',
    key.toLowerCase(),
  );
}

async function ownRows(db: Database, resource: Found, caller: Caller, path: Path) {
  const { table, joins = [] } = resource;
  const owned = Object.entries(await resource.owner.of(db, caller, path));
  let rows = untyped(db)
    .selectFrom(table)
    .where(({ and }) => and(Object.fromEntries(owned.map(([column, value]) => [`${table}.${column}`, value]))));
  for (const joined of joins)
    rows = rows.leftJoin(joined.table, `${joined.table}.${joined.on}`, `${table}.${joined.refersTo}`) as typeof rows;
  return rows;
}
type Rows = Awaited<ReturnType<typeof ownRows>>;

function selectFields(resource: Resource, place: 'list' | 'details', caller: Caller, rows: Rows) {
  const fields = fieldsIn(resource, place).filter(({ isFor }) => isFor?.(caller) ?? true);
  return rows.select(fields.map(field => expressionOf(resource, field, caller).as(field.name)));
}

const expressionOf = ({ table }: Resource, field: Field, caller: Caller) =>
  typeof field.column === 'function' ? field.column(caller) : sql.ref(`${table}.${columnOf(field)}`);

/**
 * Carries out an operation (create, change, remove) that a resource declares, with its `before` and `after` hooks,
 * activity and hint; gives the row.
 * @throws {CloudError} 404 when the caller does not see the row, and as the hooks
 */
export async function writeRow(resource: Resource, name: OperationName, writing: Writing, path: Path): Promise<Row> {
  const { trx, caller, now, body } = writing;
  const table = resource.table;
  const operation = resource[name] as Operation<Row, Writing & { readonly owned?: Row; readonly row?: Row }>;
  await operation.holds?.(writing);
  const before = name === 'create' ? undefined : await findRow(trx, resource, caller, path);
  const owned = before === undefined ? await resource.owner.of(trx, caller, path) : undefined;
  const more = await operation.before?.({ ...writing, ...(before && { row: before }), ...(owned && { owned }) });
  let after: Row | undefined;
  if (before === undefined) {
    const values = { ...newColumns(resource, body, now, caller), ...more, ...owned };
    after = await untyped(trx).insertInto(table).values(values).returningAll().executeTakeFirstOrThrow();
  } else if (name === 'remove') {
    await untyped(trx).deleteFrom(table).where('id', '=', before.id).execute();
  } else {
    const updating = untyped(trx).updateTable(table).where('id', '=', before.id).returningAll();
    const columns = { ...storedColumns(resource, body), ...more };
    after = Object.keys(columns).length > 0 ? await updating.set(columns).executeTakeFirstOrThrow() : before;
  }
  const row = (after ?? before)!;
  await operation.after?.({ ...writing, row });
  await tell(resource, name, writing, before, after);
  return row;
}

/**
 * Carries out a verb of a resource on the row that the path names, with its hooks, activity and hint; gives the row.
 * @throws {CloudError} 404 when the caller does not see the row, 409 when it is in another state, and as the hooks
 */
export async function runVerb(resource: Resource, verb: Verb<Row>, writing: Writing, path: Path): Promise<Row> {
  const { trx, caller, now } = writing;
  const { from, to, action, event } = verb;
  await verb.holds?.(writing);
  const row = await findRow(trx, resource, caller, path);
  await verb.before?.({ ...writing, row });
  if (Object.entries(from).some(([column, value]) => row[column] !== value)) throw conflict(verb.otherwise);
  const updating = untyped(trx).updateTable(resource.table).set(to).where('id', '=', row.id).returningAll();
  const after = await updating.executeTakeFirstOrThrow();
  await verb.after?.({ ...writing, row: after });
  await hintAt(resource, writing, after);
  if (action === undefined) return after;
  const target = inText(row[columnOf(fieldOf(resource, resource.title))]);
  const told = { before: inText(Object.values(from)[0]), after: inText(Object.values(to)[0]) };
  await recordActivity(trx, aboutOf(row, caller), caller, now, { action, target, ...told, ...event?.(row) });
  return after;
}

/** The customer whose row it is, or else the reseller. */
const aboutOf = ({ customer_id }: Row, { resellerId }: Caller) => (customer_id ? String(customer_id) : { resellerId });

/**
 * Reads fields of one row by their names.
 * @throws {CloudError} 404 when the caller does not see it
 */
export async function readFields(
  db: Database,
  resource: Resource,
  names: readonly string[],
  { caller, path }: { readonly caller: Caller; readonly path: Path },
): Promise<Row> {
  const fields = names.map(name => fieldOf(resource, name));
  const row = await ownRow(db, resource, caller, path);
  return await row
    .select(fields.map(field => expressionOf(resource, field, caller).as(field.name)))
    .executeTakeFirstOrThrow(notFound);
}

async function hintAt({ hint }: Resource, { trx }: Writing, row: Row): Promise<void> {
  const hinted = hint?.(row);
  if (hinted) await sendHint(trx, hinted.to, hinted.hint);
}

/** A row of another resource, which the path names, in a column of this one: comments of a note. Nothing is seeded. */
export const ofRow = <R>(parent: Resource<R>, column: string): Owner => ({
  async of(db, caller, path) {
    const { id } = (await findRow(db, parent, caller, path)) as { id: number };
    return { [column]: id };
  },
  seeded: async () => undefined,
});

/** Makes the parts of the seed (none or one) that insert a resource's seeded rows. */
export function seedParts<R>(declared: Resource<R>): SeedPart[] {
  const resource = withoutRowType(declared);
  const { seed } = resource;
  if (!seed) return [];
  return [
    {
      name: seed.part,
      async insert(trx, { now }) {
        for (const [name, rows] of Object.entries(seed.rows)) {
          const owned = await resource.owner.seeded(trx, name);
          if (owned === undefined) continue;
          const values = rows.map(row => ({ ...newColumns(resource, row, now, undefined), ...owned }));
          const inserting = untyped(trx).insertInto(resource.table).values(values);
          await inserting.onConflict(on => on.doNothing()).execute();
        }
      },
    },
  ];
}

/** The columns of a new row but those of its owner. */
function newColumns(resource: Resource, body: Row, now: Date, caller: Caller | undefined): Row {
  const made = resource.fields.flatMap(field => (field.made ? [[columnOf(field), field.made(now, caller)]] : []));
  return { ...Object.fromEntries(made), ...storedColumns(resource, body) };
}

function storedColumns(resource: Resource, body: Row): Row {
  const columns = Object.entries(body).flatMap(([name, given]) => {
    const field = fieldOf(resource, name);
    // A computed field in a body tells the state that the row is changed from, and is not stored.
    if (field.only === 'body' || typeof field.column === 'function') return [];
    return [[columnOf(field), typeof given === 'string' ? (field.stored?.(given) ?? given) : given]];
  });
  return Object.fromEntries(columns);
}

/** Records what was done, and hints at it. A change that changed nothing is silent. */
async function tell(resource: Resource, name: OperationName, writing: Writing, before?: Row, after?: Row) {
  const { trx, caller, now } = writing;
  const { create, change, title } = resource;
  const { action, event, tells = (name === 'change' ? change : create)?.takes ?? [] } = resource[name]!;
  const fields = tells.map(told => fieldOf(resource, told)).filter(({ only }) => only !== 'body');
  const wordsOf = (row: Row): State =>
    Object.fromEntries(fields.map(field => [field.label ?? labelOf(field.name), inText(row[columnOf(field)])]));
  const told = differences(before ? wordsOf(before) : {}, after ? wordsOf(after) : {});
  if (name === 'change' && isSame(told)) return;
  const row = (after ?? before)!;
  await hintAt(resource, writing, row);
  if (action === undefined) return;
  const target = inText(row[columnOf(fieldOf(resource, title))]);
  await recordActivity(trx, aboutOf(row, caller), caller, now, { action, target, ...told, ...event?.(row) });
}

const inText = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? ''));

/** The column of a field that is stored, or of a parameter of the query: "LastSignIn" → "last_sign_in". */
function columnOf({ name, column }: Pick<Field, 'name' | 'column'>): string {
  if (typeof column === 'function') throw new Error(`${name} is computed: it has no column.`);
  return column ?? snakeCase(name);
}

/** Finds a field of a resource by its name, as in a sort (`-Name`). Throws when it has none. */
export function fieldOf({ fields, noun }: Pick<Resource, 'fields' | 'noun'>, name: string): Field {
  const found = fields.find(field => field.name === name.replace(/^-|\?$/g, ''));
  if (found === undefined) throw new Error(`A ${noun} has no field "${name}".`);
  return found;
}

/** Gives the fields of a resource that a list, or the details of a row, show. */
export const fieldsIn = ({ fields }: Resource, place: 'list' | 'details'): Field[] =>
  fields.filter(({ only = place }) => only === place);
