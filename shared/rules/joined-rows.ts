import type { Envelope } from '../contract/envelope.ts';
import type { DataSource } from '../language/types.ts';
import { readPath, type Scope } from './path.ts';

/** Rows whose keys are sent in one read at most. */
export const mostKeys = 100;

/** The parameter of a read that takes the keys of rows, and these as it takes them. */
export type KeysToJoin = { readonly parameter: string; readonly keys: string };

type Row = Readonly<Record<string, unknown>>;
type Replies = Readonly<Record<string, Envelope>>;
type Sources = Readonly<Record<string, DataSource>>;

/** Gives the parameter of a joining data source that takes the keys of rows, and the path of a row's key. */
function keyOfJoin(source: Pick<DataSource, 'with'>): readonly [parameter: string, path: string] | undefined {
  return Object.entries(source.with ?? {}).find(
    (bound): bound is [string, string] => typeof bound[1] === 'string' && bound[1].startsWith('row.'),
  );
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** The key of a row as text; '' where it has none, or one that would read as two. */
function keyIn(row: unknown, path: string): string {
  const key = readPath({ row }, path);
  const written = typeof key === 'string' || typeof key === 'number' ? String(key) : '';
  return written.includes(',') ? '' : written;
}

/**
 * Gives the parameter and the keys by which a data source asks for what it joins: those of the first 100 rows that have
 * one, each once, in the order of text. Undefined while there are none.
 */
export function keysToJoin(source: DataSource, scope: Scope): KeysToJoin | undefined {
  const rows = source.rows === undefined ? undefined : readPath(scope, source.rows);
  const key = keyOfJoin(source);
  if (!Array.isArray(rows) || key === undefined) return undefined;
  const [parameter, path] = key;
  const keys = new Set(rows.slice(0, mostKeys).map(row => keyIn(row, path)));
  keys.delete('');
  return keys.size === 0 ? undefined : { parameter, keys: [...keys].sort().join(',') };
}

/** Each row with what was joined to it last, so that a row stays the same object for as long as this does. */
const known = new WeakMap<Row, { readonly name: string; readonly item: unknown; readonly joined: Row }>();

function withItem(row: Row, name: string, item: unknown): Row {
  const before = known.get(row);
  if (before && before.name === name && before.item === item) return before.joined;
  const joined = { ...row, [name]: item };
  known.set(row, { name, item, joined });
  return joined;
}

/** The same value with another one at the end of some names. */
function replaced(value: unknown, [name, ...others]: readonly string[], end: unknown): unknown {
  return name === undefined ? end : { ...(value as Row), [name]: replaced((value as Row)[name], others, end) };
}

/** Gives the list in the reply of a joining source: its Result, or the Items of that. */
export function joinedItems(reply: Envelope | undefined): readonly unknown[] {
  const result = reply?.Result;
  const items = isRow(result) && !Array.isArray(result) ? result['Items'] : result;
  return Array.isArray(items) ? items : [];
}

/**
 * Gives replies by source name in which the rows of lists have what other sources join to them. A row without an item
 * gets null, and undefined while the joining source is awaited.
 */
export function joinRows(replies: Replies, sources: Sources, isAwaited: (name: string) => boolean): Replies {
  let data = replies;
  for (const [name, source] of Object.entries(sources)) {
    const rows = source.rows === undefined ? undefined : readPath({ data }, source.rows);
    const path = keyOfJoin(source)?.[1];
    if (!Array.isArray(rows) || path === undefined) continue;
    const items = new Map<string, unknown>();
    for (const item of joinedItems(replies[name]).filter(isRow)) {
      const key = String(item[source.by ?? '']);
      if (!items.has(key)) items.set(key, item);
    }
    const none = isAwaited(name) ? undefined : null;
    const joined = rows.map(row =>
      isRow(row) ? withItem(row, source.as ?? name, items.get(keyIn(row, path)) ?? none) : row,
    );
    data = replaced(data, (source.rows as string).split('.').slice(1), joined) as Replies;
  }
  return data;
}
