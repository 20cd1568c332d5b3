import { joinRows } from '../../../shared/rules/joined-rows.ts';
import type { OpenDocument } from './document.ts';
import type { Row, Scope } from './scope.ts';

/**
 * Gives a function for the replies of a document with what its data sources join to the rows of others; the same object
 * for as long as nothing of it changes.
 */
export function joinedData({ data, status, layout }: OpenDocument): () => ReturnType<typeof data.get> {
  let before: readonly unknown[] = [];
  let joined = data.get();
  return () => {
    const replies = data.get();
    const all = status.get();
    const sources = Object.entries(layout.get().layout.data ?? {}).filter(([, { rows }]) => rows !== undefined);
    if (sources.length === 0) return replies;
    const isAwaited = (name: string): boolean => all[name]?.loading ?? !replies[name];
    const parts = [replies, layout.get(), sources.map(([name]) => isAwaited(name)).join()];
    if (parts.some((part, index) => part !== before[index]))
      joined = joinRows(replies, Object.fromEntries(sources), isAwaited);
    before = parts;
    return joined;
  };
}

/** True for a path into what is joined to a row while that is still awaited. */
export function isAwaited({ row }: Scope, path: string): boolean {
  const [root, name = '', below] = path.split('.');
  return root === 'row' && below !== undefined && Object.hasOwn(Object(row), name) && (row as Row)[name] === undefined;
}
