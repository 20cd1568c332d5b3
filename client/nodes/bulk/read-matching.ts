import type { DataSource, ScreenLayout, TableNode } from '../../../shared/language/types.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { sourceOf } from '../../runtime/data/data-source.ts';
import { sourceAddress } from '../../runtime/data/prefetched-replies.ts';
import type { OpenDocument } from '../../runtime/state/document.ts';
import type { Portal } from '../../runtime/state/portal.ts';
import { type Row, rowsOf, type Scope } from '../../runtime/state/scope.ts';

/** Rows of one read, as an export reads them. */
const pageSize = 100;

/** The same scope with other values in places of the address or the page. */
function withPlaces(scope: Scope, places: Readonly<Record<string, string>>): Scope {
  let next = scope;
  for (const [place, value] of Object.entries(places)) {
    const [head = '', name = ''] = place.split('.');
    next = { ...next, [head]: { ...(next[head] as object), [name]: value } };
  }
  return next;
}

/**
 * Reads the first `count` rows that match search and filters, in the order shown, a page at a time: through the same read
 * as the table itself. Throws Failure.
 */
export async function readMatching(
  portal: Portal,
  document: OpenDocument,
  { rows, paging }: TableNode,
  scope: Scope,
  count: number,
): Promise<readonly Row[]> {
  const name = sourceOf(rows) ?? '';
  const { data } = document.layout.get().layout as Pick<ScreenLayout, 'data'>;
  const source: DataSource | undefined = data?.[name];
  if (!source || !paging) return [];
  const found: Row[] = [];
  for (let page = 1; found.length < count && page <= Math.ceil(count / pageSize); page++) {
    const here = withPlaces(scope, { [paging.page]: String(page), [paging.size]: String(pageSize) });
    const address = sourceAddress(source, here);
    const envelope = address && (await portal.host.read(address));
    found.push(...(rowsOf(readPath({ data: { [name]: envelope } }, rows)) ?? []));
  }
  return found.slice(0, count);
}
