import { keysToJoin, mostKeys } from '../../../shared/rules/joined-rows.ts';
import { useLate } from '../../look/use-late.ts';
import { useDocument } from '../state/document-scope.tsx';
import { joinedData } from '../state/joined-data.ts';
import { joins } from '../state/joins.ts';
import { type Row, rowsOf, type Scope } from '../state/scope.ts';
import { useStore } from '../state/store.ts';
import { useValue, useWord } from '../state/values.ts';
import { type SourceView, sourceOf, useSource } from './data-source.ts';

joins.set({ keysToJoin, joinedData });

/** A list of the current document; `rows` is undefined where there is nothing of it to show. */
export type RowsView = Omit<SourceView, 'envelope'> & {
  readonly rows: readonly Row[] | undefined;
  /** True while a skeleton stands in place of the first rows: not before 400 ms, then for a second at least. */
  readonly isLate: boolean;
};

/**
 * Gives the rows at a path, with the state of their data source. A successful reply without a list at the path counts
 * as failed.
 */
export function useRows(path: string, scope: Scope): RowsView {
  const { envelope, loading, failed: refused, reference, retry } = useSource(sourceOf(path));
  const found = rowsOf(useValue(path, scope));
  const garbled = useWord('error.unexpected');
  const failed = refused ?? (envelope && !loading && !found ? garbled : undefined);
  const isLate = useLate(loading && !found);
  const join = useFailedJoin(path, found);
  return {
    rows: isLate ? undefined : found,
    isLate,
    loading,
    failed: isLate ? undefined : (failed ?? join?.failed),
    reference,
    retry: failed === undefined && join ? join.retry : retry,
  };
}

/** Hook that says in words which joined values are missing from rows that are there, and how to try again. */
function useFailedJoin(
  path: string,
  rows: readonly Row[] | undefined,
): Pick<SourceView, 'failed' | 'retry'> | undefined {
  const document = useDocument();
  const sources = Object.entries(document.layout.get().layout.data ?? {}).filter(([, source]) => source.rows === path);
  const name = useStore(document.status, all => sources.find(([name]) => all[name]?.failed !== undefined)?.[0]);
  const reason = useStore(document.status, all => (name === undefined ? undefined : all[name]?.failed));
  const unread = useWord('joined.failed', { reason });
  const tooMany = useWord('joined.most', { count: mostKeys });
  if (!rows || sources.length === 0) return undefined;
  if (name !== undefined) return { failed: unread, retry: () => document.reads.get(name)?.() };
  return rows.length > mostKeys ? { failed: tooMany, retry: () => undefined } : undefined;
}
