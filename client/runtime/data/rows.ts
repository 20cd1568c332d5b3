import { useLate } from '../../look/use-late.ts';
import { type Row, rowsOf, type Scope } from '../state/scope.ts';
import { useValue, useWord } from '../state/values.ts';
import { type SourceView, sourceOf, useSource } from './data-source.ts';

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
  const { envelope, loading, failed: refused, retry } = useSource(sourceOf(path));
  const found = rowsOf(useValue(path, scope));
  const garbled = useWord('error.unexpected');
  const failed = refused ?? (envelope && !loading && !found ? garbled : undefined);
  const isLate = useLate(loading && !found);
  return { rows: isLate ? undefined : found, isLate, loading, failed: isLate ? undefined : failed, retry };
}
