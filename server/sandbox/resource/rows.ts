import { type Kysely, sql } from 'kysely';
import type { SeedPart } from '../area.ts';
import type { Caller } from '../auth/caller.ts';
import { differences, isSame, recordActivity, type State } from '../customers/activity.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { labelOf } from '../http/validation.ts';
import { sendHint } from '../notifications/hints.ts';
import { containing, countUpTo, exactTo } from '../search.ts';
import type { Database } from '../tables.ts';
import type { Field, Operation, OperationName, Resource, Row, Writing } from './declaration.ts';
import type { Path } from './owners.ts';

/**
 * Gives the database without the types of its tables, since a resource's declaration names its table and columns
 * itself.
 */
export const untyped = (db: Database) => db as unknown as Kysely<Record<string, Record<string, unknown>>>;

export type ListQuery = Row & { page?: number; pageSize?: number; sort?: string; search?: string };

/**
 * Lists the rows of a resource that the caller may see, with the filters, search and order of the query. With
 * `pageSize` gives one page, with a total that is exact up to a limit (`TotalIsExact`); without it all rows.
 */
export async function listRows(db: Database, resource: Resource, caller: Caller, path: Path, query: ListQuery) {
  const { list, table } = resource;
  const { page = 1, pageSize, sort = list.sort, search = '' } = query;
  let rows = await ownRows(db, resource, caller, path);
  for (const name of Object.keys(list.filters ?? {})) {
    const wanted = query[name];
    if (wanted !== undefined && wanted !== 'all') rows = rows.where(columnOf({ name }), '=', wanted);
  }
  if (search !== '') {
    const texts = resource.fields.filter(one => one.searched).map(one => expressionOf(resource, one, caller));
    rows = rows.where(sql`lower(concat_ws(' ', ${sql.join(texts)}))`, 'like', containing(search));
  }
  const [direction, nulls] = sort.startsWith('-') ? ['desc', 'nulls last'] : ['asc', 'nulls first'];
  const field = fieldOf(resource, sort);
  // An index serves the order of a column without nulls only if they are not named.
  const isNullable = 'nullable' in Object(field.shape);
  const Items = await selectFields(resource, 'list', caller, rows)
    .orderBy(sql`${expressionOf(resource, field, caller)} ${sql.raw(isNullable ? `${direction} ${nulls}` : direction)}`)
    .orderBy(`${table}.id`, direction as 'asc' | 'desc')
    .limit(pageSize ?? null)
    .offset(pageSize === undefined ? 0 : (page - 1) * pageSize)
    .execute();
  if (list.withoutTotal) return Items;
  if (pageSize === undefined) return { Items, Total: Items.length };
  const found = await countUpTo(db, rows.select('id'));
  return { Items, Total: Math.min(found, exactTo), TotalIsExact: found <= exactTo };
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
  const rows = (await ownRow(db, resource as unknown as Resource, caller, path)).selectAll();
  return (await (db.isTransaction ? rows.forUpdate() : rows).executeTakeFirstOrThrow(notFound)) as R;
}

const ownRow = async (db: Database, resource: Resource, caller: Caller, path: Path) =>
  (await ownRows(db, resource, caller, path)).where('id', '=', idOf(String(path[resource.key])));

async function ownRows(db: Database, resource: Resource, caller: Caller, path: Path) {
  const owned = await resource.owner.of(db, caller, path);
  return untyped(db)
    .selectFrom(resource.table)
    .where(({ and }) => and(owned));
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

/** Makes the parts of the seed (none or one) that insert a resource's seeded rows. */
export function seedParts<R>(declared: Resource<R>): SeedPart[] {
  const resource = declared as unknown as Resource;
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
    if (field.only === 'body') return [];
    return [[columnOf(field), typeof given === 'string' ? (field.stored?.(given) ?? given) : given]];
  });
  return Object.fromEntries(columns);
}

/** Records what was done, and hints at it. A change that changed nothing is silent. */
async function tell(resource: Resource, name: OperationName, { trx, caller, now }: Writing, before?: Row, after?: Row) {
  const { create, change, title, hint } = resource;
  const { action, event, tells = (name === 'change' ? change : create)?.takes ?? [] } = resource[name]!;
  const fields = tells.map(told => fieldOf(resource, told)).filter(({ only }) => only !== 'body');
  const wordsOf = (row: Row): State =>
    Object.fromEntries(fields.map(field => [field.label ?? labelOf(field.name), inText(row[columnOf(field)])]));
  const told = differences(before ? wordsOf(before) : {}, after ? wordsOf(after) : {});
  if (name === 'change' && isSame(told)) return;
  const row = (after ?? before)!;
  const hinted = hint?.(row);
  if (hinted) await sendHint(trx, hinted.to, hinted.hint);
  if (action === undefined) return;
  const target = inText(row[columnOf(fieldOf(resource, title))]);
  await recordActivity(trx, String(row.customer_id), caller, now, { action, target, ...told, ...event?.(row) });
}

const inText = (value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? ''));

/** The column of a field that is stored, or of a parameter of the query: "LastSignIn" → "last_sign_in". */
function columnOf({ name, column }: Pick<Field, 'name' | 'column'>): string {
  if (typeof column === 'function') throw new Error(`${name} is computed: it has no column.`);
  return column ?? name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase();
}

/** Finds a field of a resource by its name, as in a sort (`-Name`). Throws when it has none. */
export function fieldOf({ fields, noun }: Resource, name: string): Field {
  const found = fields.find(field => field.name === name.replace(/^-|\?$/g, ''));
  if (found === undefined) throw new Error(`A ${noun} has no field "${name}".`);
  return found;
}

/** Gives the fields of a resource that a list, or the details of a row, show. */
export const fieldsIn = ({ fields }: Resource, place: 'list' | 'details'): Field[] =>
  fields.filter(({ only = place }) => only === place);
