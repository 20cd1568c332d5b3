import type { DataSource, Operation, TableNode } from '../../../shared/language/types.ts';
import { type CompileContext, into, report } from '../names/compile-context.ts';
import { suggest } from '../names/problem.ts';
import { checkJoinedOrder } from './join.ts';

type Value = string | number;
type Rule = NonNullable<Operation['with']>[string];
type Bound = { readonly operation: string; readonly parameter: string; readonly rule: Rule };

/** The parameters that a place of the document is bound to, of one of its data sources or of all. */
function parametersAt(path: string, place: CompileContext, only?: string): Bound[] {
  const data = (place.source.json.data ?? {}) as Readonly<Record<string, DataSource>>;
  return Object.entries(data).flatMap(([name, { operation, with: bindings = {} }]) =>
    only !== undefined && only !== name
      ? []
      : Object.entries(bindings).flatMap(([parameter, binding]) => {
          const rule = place.names.operations.get(operation)?.with?.[parameter];
          return binding === path && rule ? [{ operation, parameter, rule }] : [];
        }),
  );
}

/** Reports a value that an operation would refuse as soon as it is chosen. */
function checkValue(value: Value, bound: readonly Bound[], place: CompileContext): void {
  for (const { operation, parameter, rule } of bound) {
    const values = rule.enum?.map(String);
    const number = Number(value);
    const isOutside = number < (rule.minimum ?? -Infinity) || number > (rule.maximum ?? Infinity);
    const isNoNumber = (rule.type === 'integer' || rule.type === 'number') && !Number.isFinite(number);
    if (values ? !values.includes(String(value)) : isOutside || isNoNumber)
      report(
        place,
        `The parameter "${parameter}" of "${operation}" cannot be "${value}".${suggest(String(value), values ?? [])}`,
      );
  }
}

/**
 * Checks that the sort orders and page sizes that a table offers are those of the operation that its rows come from.
 */
export function checkOffered({ rows, columns, sort, paging }: Partial<TableNode>, place: CompileContext): void {
  const [head, source] = rows?.split('.') ?? [];
  if (head !== 'data') return;
  if (sort) {
    const bound = parametersAt(sort.path, place, source);
    if (sort.initial !== undefined) checkValue(sort.initial, bound, into(place, 'sort', 'initial'));
    columns?.forEach(({ sort: name, path }, index) => {
      if (name !== undefined && checkJoinedOrder(path, into(place, 'columns', index, 'sort'))) return;
      // The second press on the head turns the order round.
      for (const order of name === undefined ? [] : [name, `-${name}`])
        checkValue(order, bound, into(place, 'columns', index, 'sort'));
    });
  }
  if (paging) {
    const bound = parametersAt(paging.size, place, source);
    paging.sizes?.forEach((size, index) => {
      checkValue(size, bound, into(place, 'paging', 'sizes', index));
    });
  }
}

/** Checks that the options of a filter node are values that the operations it filters accept. */
export function checkFilter(value: Record<string, unknown>, place: CompileContext): void {
  const bound = parametersAt(String(value.path), place);
  ((value.options ?? []) as readonly { readonly value: string }[]).forEach((option, index) => {
    if (option.value !== '') checkValue(option.value, bound, into(place, 'options', index, 'value'));
  });
}

/**
 * Checks that rows of which one is chosen are all that there are: of a page of a longer list the others could never be
 * chosen. `unless` names the property by which the node finds the others.
 */
export function checkOfferedRows(value: unknown, unless: string | undefined, place: CompileContext): void {
  const node = value as Readonly<Record<string, unknown>>;
  const [root, source = '', , ...list] = String(node.rows).split('.');
  const found = (place.source.json.data as Readonly<Record<string, DataSource>> | undefined)?.[source];
  const operation = found && place.names.operations.get(found.operation);
  const isPage = list.length === 0 || list.join('.') === 'Items';
  if (root !== 'data' || !operation || !isPage) return;
  const search = unless === undefined ? undefined : node[unless];
  if (search === undefined && operation.with?.pageSize !== undefined)
    report(
      into(place, 'rows'),
      `"${found.operation}" gives a page of its list: what stands on no page could not be chosen.${unless === undefined ? '' : ` Give "${unless}".`}`,
    );
  const words = (search as { readonly path?: unknown } | undefined)?.path;
  if (words !== undefined && !Object.values(found.with ?? {}).includes(words as string))
    report(into(place, String(unless), 'path'), `The data source "${source}" does not search by "${String(words)}".`);
}
