import type { DataSource } from '../language/types.ts';
import { isMet } from './condition.ts';
import type { KeysToJoin } from './joined-rows.ts';
import { bind, type Scope } from './path.ts';

/** The parameters of a read, as text, in the order of their names; browser and server name a reply alike by it. */
export type ReadRequest = { readonly operation: string; readonly query: string };

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * Gives the operation and parameters that a data source reads in this scope, without empty values; undefined while a
 * needed parameter is missing or its condition is not met. A source that joins rows sends their keys, which `keysOf` gives
 * (`keysToJoin`), and nothing while there are none.
 */
export function readRequest(
  source: DataSource,
  scope: Scope,
  keysOf?: (source: DataSource, scope: Scope) => KeysToJoin | undefined,
): ReadRequest | undefined {
  if (!isMet(source.when, scope)) return undefined;
  const join = source.rows === undefined ? undefined : keysOf?.(source, scope);
  if (source.rows !== undefined && !join) return undefined;
  const query = new URLSearchParams();
  for (const name of Object.keys(source.with ?? {}).sort()) {
    const bound = name === join?.parameter ? join.keys : bind(source.with?.[name] ?? { value: null }, scope);
    const value = isEmpty(bound) ? source.initial?.[name] : bound;
    if (!isEmpty(value)) query.set(name, String(value));
  }
  if (source.needs?.some(name => !query.has(name))) return undefined;
  return { operation: source.operation, query: query.toString() };
}

/** Gives the URL of a data source's read; it is also its key in the browser's cache. */
export function readAddress(request: ReadRequest): string {
  return `/ui/data/${request.operation}${request.query === '' ? '' : `?${request.query}`}`;
}
