import type { Caller } from '../auth/caller.ts';
import { differences, isSame, recordActivity, type State } from '../customers/activity.ts';
import { labelOf } from '../http/validation.ts';
import { sendHint } from '../notifications/hints.ts';
import { columnOf, fieldOf, type Resource, type Row, type Writing } from './declaration.ts';
import { findRow, type Path, untyped } from './rows.ts';

/** Adds a row and gives its id under the name that the path has for it. `before` comes first: nothing is looked up yet. */
export async function createRow(resource: Resource, writing: Writing, path: Path) {
  const { trx, caller, now, body } = writing;
  const { table, owner, key, create } = resource;
  const more = await create?.before?.(writing);
  const owned = await owner.of(trx, caller, path);
  const row = await untyped(trx)
    .insertInto(table)
    .values({ ...newColumns(resource, body, now, caller), ...more, ...owned })
    .returningAll()
    .executeTakeFirstOrThrow();
  await create?.after?.({ ...writing, row });
  await tell(resource, 'create', writing, undefined, row);
  return { [key]: String(row.id) };
}

export async function changeRow(resource: Resource, writing: Writing, path: Path): Promise<void> {
  const { trx, caller, body } = writing;
  const { table, change } = resource;
  const before = await findRow(trx, resource, caller, path);
  const more = await change?.before?.({ ...writing, row: before });
  const columns = { ...storedColumns(resource, body), ...more };
  if (Object.keys(columns).length === 0) return;
  const row = await untyped(trx)
    .updateTable(table)
    .set(columns)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await change?.after?.({ ...writing, row });
  await tell(resource, 'change', writing, before, row);
}

export async function removeRow(resource: Resource, writing: Writing, path: Path): Promise<void> {
  const { trx, caller } = writing;
  const { table, remove } = resource;
  const row = await findRow(trx, resource, caller, path);
  await remove?.before?.({ ...writing, row });
  await untyped(trx).deleteFrom(table).where('id', '=', row.id).execute();
  await remove?.after?.({ ...writing, row });
  await tell(resource, 'remove', writing, row, undefined);
}

/** The columns of a new row but those of its owner. */
export function newColumns(resource: Resource, body: Row, now: Date, caller: Caller | undefined): Row {
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

/** Records what the write did, and hints at it. A change that changed nothing is silent. */
async function tell(
  resource: Resource,
  operation: 'create' | 'change' | 'remove',
  { trx, caller, now }: Writing,
  before: Row | undefined,
  after: Row | undefined,
): Promise<void> {
  const { create, title, hint } = resource;
  const { action, event, tells } = resource[operation]!;
  const taken = (operation === 'change' ? resource.change : create)?.takes ?? [];
  const fields = (tells ?? taken).map(name => fieldOf(resource, name)).filter(({ only }) => only !== 'body');
  const state = (row: Row | undefined): State =>
    row === undefined
      ? {}
      : Object.fromEntries(fields.map(field => [field.label ?? labelOf(field.name), inText(row[columnOf(field)])]));
  const told = differences(state(before), state(after));
  if (operation === 'change' && isSame(told)) return;
  const row = (after ?? before)!;
  const hinted = hint?.(row);
  if (hinted) await sendHint(trx, hinted.to, hinted.hint);
  if (action === undefined) return;
  const target = title === undefined ? '' : inText(row[columnOf(fieldOf(resource, title))]);
  await recordActivity(trx, String(row.customer_id), caller, now, { action, target, ...told, ...event?.(row) });
}

function inText(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  return value === null || value === undefined ? '' : String(value);
}
