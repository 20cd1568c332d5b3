import type { Bindings, TableNode } from '../../../shared/language/types.ts';
import { firstSize } from '../../../shared/rules/paging.ts';

type Value = string | number;
type Sources = Record<string, unknown>;
type List = Partial<Pick<TableNode, 'rows' | 'paging' | 'sort'>>;

/** Every list of a layout, whatever its node type, that gives the first values of places. */
function listsIn(value: unknown, found: List[] = []): List[] {
  if (value === null || typeof value !== 'object') return found;
  const { rows, paging, sort } = value as List;
  if (typeof rows === 'string' && (paging || sort)) found.push(value as List);
  for (const inner of Object.values(value)) listsIn(inner, found);
  return found;
}

/** The values of the places of a list until the user chooses others. */
function firstValues({ paging, sort }: List): Map<string, Value> {
  const values = new Map<string, Value>();
  if (paging) values.set(paging.size, firstSize(paging));
  if (sort?.initial !== undefined) values.set(sort.path, sort.initial);
  return values;
}

/**
 * Gives the data sources, each with what its list sends before the user chooses: the first page size and sort order.
 */
export function withInitialValues(sources: Sources, body: unknown): Sources {
  const out = { ...sources };
  for (const list of listsIn(body)) {
    const [head, name = ''] = list.rows?.split('.') ?? [];
    if (head !== 'data' || !Object.hasOwn(out, name)) continue;
    const source = out[name] as { readonly with?: Bindings; readonly initial?: Readonly<Record<string, Value>> };
    const values = firstValues(list);
    const initial: Record<string, Value> = {};
    for (const [parameter, binding] of Object.entries(source.with ?? {})) {
      const value = typeof binding === 'string' ? values.get(binding) : undefined;
      if (value !== undefined) initial[parameter] = value;
    }
    if (Object.keys(initial).length > 0) out[name] = { ...source, initial: { ...initial, ...source.initial } };
  }
  return out;
}
