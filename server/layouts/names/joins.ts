import type { DataSource } from '../../../shared/language/types.ts';
import { below, type JoinsByList, keyOfList, type NamesInScope, type PathTarget, resolvePath } from './scope.ts';

type Declared = Pick<DataSource, 'rows' | 'as'>;

/** Gives the list of a reply whose items a data source joins: its Result, or the Items of that; undefined for neither. */
export function listOfJoin(reply: PathTarget | undefined): PathTarget | undefined {
  for (const names of reply ? [['Result'], ['Result', 'Items']] : []) {
    const list = below(reply as PathTarget, names);
    if (!('wrong' in list) && list.in === 'operation' && list.field?.contract.type === 'list') return list;
  }
  return undefined;
}

/** Collects what the data sources of a document join to rows, by the list of these. */
export function joinsOf(data: Readonly<Record<string, Declared>>, scope: NamesInScope): JoinsByList {
  const joins = new Map<string, Map<string, PathTarget>>();
  for (const [name, { rows, as = name }] of Object.entries(data)) {
    const list = typeof rows === 'string' ? keyOfList(resolvePath(rows, scope)) : undefined;
    const joined = listOfJoin(scope.sources.get(name));
    if (list === undefined || !joined) continue;
    const known = joins.get(list) ?? new Map<string, PathTarget>();
    joins.set(list, known.set(as, joined));
  }
  return joins;
}
