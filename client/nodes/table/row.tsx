import { memo, type ReactNode } from 'react';
import type { Effect, Node, TableNode } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { isMoney } from '../../../shared/rules/format.ts';
import { fillAddress, readPath } from '../../../shared/rules/path.ts';
import { Avatar } from '../../look/avatar.tsx';
import { entryFor } from '../../look/catalogue-entry.ts';
import { Icon } from '../../look/icon.tsx';
import { MenuButton } from '../../look/menu-button.tsx';
import { Money } from '../../look/money.tsx';
import { partId } from '../../look/part-id.ts';
import { StatusMark } from '../../look/status-mark.tsx';
import { Tile } from '../../look/tile.tsx';
import { drawValue } from '../../look/value.tsx';
import { A } from '../../runtime/effects/navigation.tsx';
import { drawNodes } from '../../runtime/page/children.tsx';
import { isAwaited } from '../../runtime/state/joined-data.ts';
import { type Row, type Scope, withRow } from '../../runtime/state/scope.ts';
import type { Speech } from '../../runtime/state/speech.ts';
import { RowBox } from './boxes.tsx';
import { type Column, keyOfColumn } from './columns.ts';
import { roles } from './roles.ts';
import { keyOfRow } from './selection.ts';
import type { SelectionActions } from './use-selection.ts';

export type PressRow = (row: Row, effects: readonly Effect[], id: string | undefined) => Promise<void>;

const numeric: ReadonlySet<string> = new Set(['number', 'percent', 'currency', 'change', 'bytes', 'megabytes']);
/** Formats whose values are short and read as one. */
const short: ReadonlySet<string> = new Set([
  'date',
  'date-time',
  'short-date',
  'friendly-date',
  'weekday',
  'time',
  'month',
  'yes-no',
]);

/** The width that the kind of a column's values asks for: numbers stand at the end, dates and statuses on one line. */
function widthClass({ format = 'text', catalogue }: Column): string {
  if (numeric.has(format)) return 'cell-num';
  return catalogue || short.has(format) ? 'cell-short' : 'cell-text';
}

/** Gives the CSS classes of a column's cells; `cell-low` for a column that is hidden first when there is little room. */
export function cellClass(column: Column): string {
  return column.priority === 'low' ? `${widthClass(column)} cell-low cell-quiet` : widthClass(column);
}

type RowProps = {
  readonly row: Row;
  readonly node: TableNode;
  readonly columns: readonly Column[];
  readonly lead: Column | undefined;
  readonly scope: Scope;
  readonly speech: Speech;
  readonly press: PressRow;
  readonly isPressed: boolean;
  /** Undefined where rows are not chosen. */
  readonly isChosen: boolean | undefined;
  readonly choose: SelectionActions['choose'];
  /** Place among all rows, the head being 1; given where not all rows are drawn. */
  readonly place: number | undefined;
};

/** A row of a table. Its cells are drawn without components of their own, so that a thousand of them are quick. */
export const TableRow = memo(function TableRow(props: RowProps): ReactNode {
  const { row, node, columns, lead, speech, press, isPressed, isChosen, choose, place } = props;
  const scope = withRow(props.scope, row);
  return (
    <tr {...roles.row} aria-rowindex={place} aria-busy={isPressed || undefined}>
      {isChosen !== undefined && (
        <RowBox
          row={row}
          id={keyOfRow(row, node.key)}
          name={lead ? speech.format(readPath(scope, lead.path), lead.format) : ''}
          isChosen={isChosen}
          choose={choose}
          speech={speech}
          testId={node.testId}
        />
      )}
      {columns.map(column =>
        column === lead ? (
          <th
            key={keyOfColumn(column)}
            {...roles.rowHeader}
            scope="row"
            className="cell-lead"
            data-testid={column.testId}
          >
            {leadCell(column, node, scope, speech)}
          </th>
        ) : (
          <td
            key={keyOfColumn(column)}
            {...roles.cell}
            className={cellClass(column)}
            data-label={speech.text(column.title, node.values, scope)}
            data-testid={column.testId}
          >
            {cell(column, node, scope, speech)}
          </td>
        ),
      )}
      {node.menu && (
        <td {...roles.cell} className="cell-menu">
          {drawNodes(shownOf(node), scope)}
          <RowMenu
            node={node}
            menu={node.menu}
            scope={scope}
            row={row}
            speech={speech}
            press={press}
            isPressed={isPressed}
          />
        </td>
      )}
    </tr>
  );
});

/** The value of a column: a status, an amount, or what its format writes; nothing is a dash. */
function written(column: Column, scope: Scope, speech: Speech): ReactNode {
  const value = readPath(scope, column.path);
  const entry = entryFor(column.catalogue, value);
  if (entry)
    return <StatusMark text={speech.text(entry.text, undefined, scope)} kind={entry.kind} moving={entry.moving} />;
  const text = speech.format(value, column.format);
  if (text === '') return isAwaited(scope, column.path) ? null : '–';
  return isMoney(column.format) ? <Money text={text} /> : drawValue(value, column.format, speech.format);
}

/** Where a cell leads; a count of none leads nowhere. */
function addressOf({ to, path }: Column, scope: Scope): string | undefined {
  return to === undefined || readPath(scope, path) === 0 ? undefined : fillAddress(to, scope);
}

function detailOf(column: Column, scope: Scope, speech: Speech): string {
  return column.detail === undefined
    ? ''
    : speech.format(readPath(scope, column.detail), column.detailFormat ?? 'text');
}

/** Test id of what leads from a cell elsewhere. */
function linkId(column: Column, node: TableNode): string | undefined {
  return partId(node.testId, `link-${column.id ?? column.path.replace('row.', '')}`);
}

function leadCell(column: Column, node: TableNode, scope: Scope, speech: Speech): ReactNode {
  const href = addressOf(column, scope);
  const detail = detailOf(column, scope, speech);
  const icon = column.iconPath && readPath(scope, column.iconPath);
  const content = written(column, scope, speech);
  return (
    <div className="lead">
      {column.avatar && <Avatar name={String(readPath(scope, column.path) ?? '')} square />}
      {typeof icon === 'string' && icon !== '' && <Tile icon={icon} />}
      <div className="lead__text">
        {href ? (
          <A className="lead__name" href={href} data-testid={linkId(column, node)}>
            {content}
          </A>
        ) : (
          <span className={content === '–' ? 'lead__none' : undefined}>{content}</span>
        )}
        {detail && <small>{detail}</small>}
      </div>
    </div>
  );
}

function cell(column: Column, node: TableNode, scope: Scope, speech: Speech): ReactNode {
  if (column.avatar || column.iconPath || column.detail) return leadCell(column, node, scope, speech);
  const href = addressOf(column, scope);
  const content = written(column, scope, speech);
  return href ? (
    <A href={href} data-testid={linkId(column, node)}>
      {content}
    </A>
  ) : (
    content
  );
}

type RowMenuProps = Pick<RowProps, 'node' | 'scope' | 'row' | 'speech' | 'press' | 'isPressed'> & {
  readonly menu: NonNullable<TableNode['menu']>;
};

/** The entries of the menu that are buttons of the row. */
const shownOf = ({ menu, values = {} }: TableNode): Node[] | undefined =>
  menu?.filter(item => item.shown).map(item => ({ ...item, values, type: 'button', small: true }));

function RowMenu({ node, menu, scope, row, speech, press, isPressed }: RowMenuProps): ReactNode {
  const items = menu.filter(item => !item.shown && isMet(item.when, scope));
  if (items.length === 0) return null;
  const label =
    node.menuLabel === undefined ? speech.word('table.actions') : speech.text(node.menuLabel, node.values, scope);
  return (
    <MenuButton
      className="row-menu"
      testId={partId(node.testId, 'row-menu')}
      label={label}
      busy={isPressed}
      entries={items.map((item, index) => ({
        key: item.id ?? String(index),
        text: speech.text(item.text, node.values, scope),
        icon: item.icon,
        danger: item.danger,
        divider: item.divider && index > 0,
        testId: item.testId,
        press: () => void press(row, item.on.press, item.id),
      }))}
    >
      <Icon name="more" />
    </MenuButton>
  );
}
