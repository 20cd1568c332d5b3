import type { ReactNode } from 'react';
import type { TableNode } from '../../shared/language/types.ts';
import { Icon } from '../look/icon.tsx';
import { usePlace } from '../runtime/navigation.tsx';
import type { Scope } from '../runtime/scope.ts';
import { useSpeech } from '../runtime/values.ts';
import { roles } from './table-roles.ts';
import { type Column, cellClass } from './table-row.tsx';

type TableHeadProps = {
  readonly node: TableNode;
  readonly columns: readonly Column[];
  readonly lead: Column | undefined;
  readonly scope: Scope;
};

const sorts = { none: 'sort', ascending: 'arrow-up', descending: 'arrow-down' } as const;

/** The heads of the columns; a column that the server sorts is a button that turns the order round. */
export function TableHead({ node, columns, lead, scope }: TableHeadProps): ReactNode {
  const speech = useSpeech();
  const [chosen, sortBy] = usePlace(node.sort?.path, node.paging && [node.paging.page]);
  const sort = String(chosen ?? node.sort?.initial ?? '');
  const orderOf = (name: string) => (sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none');
  return (
    <thead {...roles.group}>
      <tr {...roles.row}>
        {columns.map(column => {
          const title = speech.text(column.title, node.values, scope);
          const name = node.sort && column.sort;
          const order = name === undefined ? 'none' : orderOf(name);
          return (
            <th
              key={column.id ?? column.path}
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
                  onClick={() => sortBy(order === 'ascending' ? `-${name}` : name)}
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
