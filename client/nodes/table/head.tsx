import type { ReactNode } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import { isMoney } from '../../../shared/rules/format.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { usePlace } from '../../runtime/effects/navigation.tsx';
import type { Scope } from '../../runtime/state/scope.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { type Column, keyOfColumn } from './columns.ts';
import { roles } from './roles.ts';
import { cellClass } from './row.tsx';

type TableHeadProps = {
  readonly node: TableNode;
  readonly columns: readonly Column[];
  readonly lead: Column | undefined;
  readonly scope: Scope;
  /** The box that chooses all rows of the page. */
  readonly box?: ReactNode;
};

const sorts = { none: 'sort', ascending: 'arrow-up', descending: 'arrow-down' } as const;

/** The order of the rows as one name, descending with "-" before it, and a setter. */
function useSort(node: TableNode): [string, (name: string) => void] {
  const [chosen, sortBy] = usePlace(node.sort?.path, node.paging && [node.paging.page]);
  return [String(chosen ?? node.sort?.initial ?? ''), sortBy];
}

/** The menu that sorts a table where its rows are drawn as cards and have no column heads. */
export function SortBy({ node, columns, scope }: Omit<TableHeadProps, 'lead' | 'box'>): ReactNode {
  const { word, text } = useSpeech();
  const [sort, sortBy] = useSort(node);
  const names = columns.flatMap(({ sort: name, title }) =>
    node.sort && name
      ? ['', '-'].map(sign => ({
          name: sign + name,
          text: word(sign ? 'table.descending' : 'table.ascending', { column: text(title, node.values, scope) }),
        }))
      : [],
  );
  if (names.length === 0) return null;
  const label = word('table.sortBy');
  return (
    <label className="chip">
      {label}: <b aria-hidden="true">{names.find(({ name }) => name === sort)?.text}</b>
      <Icon name="chevron-down" />
      <select
        aria-label={label}
        value={sort}
        data-testid={partId(node.testId, 'sort')}
        onChange={event => sortBy(event.target.value)}
      >
        {names.every(({ name }) => name !== sort) && <option value={sort} />}
        {names.map(one => (
          <option key={one.name} value={one.name}>
            {one.text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The head row of a table; the head of a column that the server can sort by is a button that changes the order. */
export function TableHead({ node, columns, lead, scope, box }: TableHeadProps): ReactNode {
  const speech = useSpeech();
  const [sort, sortBy] = useSort(node);
  const orderOf = (name: string) => (sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none');
  return (
    <thead {...roles.group}>
      <tr {...roles.row}>
        {box && (
          <th {...roles.columnHeader} scope="col" className="cell-check">
            <span className="check">{box}</span>
          </th>
        )}
        {columns.map(column => {
          const title = speech.text(column.title, node.values, scope);
          const name = node.sort && column.sort;
          const order = name === undefined ? 'none' : orderOf(name);
          // Of money the most comes first: that is what one looks for.
          const isUp = order === 'none' ? !isMoney(column.format) : order === 'descending';
          const next = isUp ? String(name) : `-${name}`;
          return (
            <th
              key={keyOfColumn(column)}
              {...roles.columnHeader}
              scope="col"
              className={column === lead ? 'cell-lead' : cellClass(column)}
              aria-sort={order === 'none' ? undefined : order}
            >
              {name === undefined ? (
                title
              ) : (
                <button
                  className="sort"
                  type="button"
                  data-testid={partId(node.testId, `sort-${name}`)}
                  onClick={() => sortBy(next)}
                >
                  {title}
                  <Icon name={sorts[order]} />
                </button>
              )}
            </th>
          );
        })}
        {node.menu && (
          <th {...roles.columnHeader} scope="col" className="cell-menu">
            <span className="visually-hidden">{speech.word('table.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
