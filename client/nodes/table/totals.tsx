import type { ReactNode } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import { isMoney } from '../../../shared/rules/format.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { Money } from '../../look/money.tsx';
import type { Scope } from '../../runtime/state/scope.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { type Column, keyOfColumn } from './columns.ts';
import { roles } from './roles.ts';
import { cellClass } from './row.tsx';

type TotalsProps = {
  readonly node: TableNode;
  readonly columns: readonly Column[];
  readonly lead: Column | undefined;
  readonly scope: Scope;
};

/**
 * The last row of a table: the sums over all pages, as the reply gives them. Not drawn when no visible column has one.
 */
export function Totals({ node, columns, lead, scope }: TotalsProps): ReactNode {
  const speech = useSpeech();
  const write = ({ total, format }: Column): ReactNode => {
    const text = total === undefined ? '' : speech.format(readPath(scope, total), format);
    return text !== '' && isMoney(format) ? <Money text={text} /> : text;
  };
  if (!columns.some(column => column !== lead && write(column) !== '')) return null;
  return (
    <tfoot {...roles.group}>
      <tr {...roles.row}>
        {node.bulk && <td {...roles.cell} className="cell-check" />}
        {columns.map(column =>
          column === lead ? (
            <th key={keyOfColumn(column)} {...roles.rowHeader} scope="row" className="cell-lead">
              {speech.word('table.total')}
            </th>
          ) : (
            <td
              key={keyOfColumn(column)}
              {...roles.cell}
              className={cellClass(column)}
              data-label={write(column) === '' ? undefined : speech.text(column.title, node.values, scope)}
            >
              {write(column)}
            </td>
          ),
        )}
        {node.menu && <td {...roles.cell} className="cell-menu" />}
      </tr>
    </tfoot>
  );
}
