import { Fragment, type ReactNode, useMemo, useRef, useState } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { type RowsView, useRows } from '../../runtime/data/rows.ts';
import { useRun } from '../../runtime/effects/effects.ts';
import { Trouble } from '../../runtime/effects/trouble.tsx';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { lazyComponent } from '../../runtime/state/lazy-component.tsx';
import { isSameFor, type Row, type Scope } from '../../runtime/state/scope.ts';
import { useSpeech, useText } from '../../runtime/state/values.ts';
import { spacer } from '../spacer.tsx';
import { PageBox, PageBoxOfCards } from './boxes.tsx';
import { type Column, keyOfColumn, leadOf } from './columns.ts';
import { SortBy, TableHead } from './head.tsx';
import { type BulkBarProps, loadListTools, loadTableWork } from './lazy-work.ts';
import { keepFromScrolling, openRow, tellCutText } from './open-row.ts';
import { Pager } from './pager.tsx';
import { roles } from './roles.ts';
import { type PressRow, TableRow } from './row.tsx';
import { chosenOf, keyOfRow, type Selection } from './selection.ts';
import { Bones, EmptyState, FailedState } from './states.tsx';

import { Totals } from './totals.tsx';
import { RowTrouble, TroubleRow } from './trouble.tsx';
import { type SelectionActions, useSelection } from './use-selection.ts';
import { useTableView } from './view.ts';
import { useWindow } from './window.ts';

const BulkBar = lazyComponent<BulkBarProps>(async () => (await loadTableWork()).BulkBar);
const DisplayBelow = lazyComponent<NodeProps<'table'>>(async () => (await loadListTools()).DisplayBelow);
const noRow: readonly Row[] = [];
/** A table with fewer columns and no toolbar needs no choice of them. */
const worthwhile = 5;

/**
 * A table of rows from the server, which pages, sorts, searches and filters them; these settings are kept in the
 * address. Old rows stay while new ones load. Of many rows only those near the visible part are drawn.
 */
export function Table({ node, scope }: NodeProps<'table'>): ReactNode {
  const source = useRows(node.rows, scope);
  const [selection, actions] = useSelection(node, source.rows ?? noRow);
  const total = node.paging && readPath(scope, node.paging.total);
  return (
    <>
      <TableBody node={node} scope={scope} source={source} selection={selection} actions={actions} />
      {node.bulk && selection.size > 0 && (
        <BulkBar
          node={node}
          scope={scope}
          selection={selection}
          actions={actions}
          total={typeof total === 'number' ? total : undefined}
        />
      )}
    </>
  );
}

type TableBodyProps = NodeProps<'table'> & {
  readonly source: RowsView;
  readonly selection: Selection;
  readonly actions: SelectionActions;
};

/** The rows, or what stands in their place. */
function TableBody({ node, scope, source, selection, actions }: TableBodyProps): ReactNode {
  const speech = useSpeech();
  const label = useText(node.label, node.values, scope);
  const { rows } = source;
  const isWaiting = rows === undefined && source.failed === undefined;
  const view = useTableView(node);
  const columns = useColumns(node, scope, view.hidden);
  const rowScope = useRowScope(node, scope);
  const { press, pressed, trouble } = usePressRow(node, scope);
  const block = useRef<HTMLDivElement>(null);
  const { from, to, before, after, body } = useWindow(rows?.length ?? 0);

  if (rows === undefined && source.failed !== undefined)
    return <FailedState label={label} of={source} testId={node.testId} />;
  const isFiltered = node.filteredBy?.some(place => Boolean(readPath(scope, place))) ?? false;
  // An empty page of a list that has rows is one beyond the last; the pager leads back.
  const isBeyond = node.paging !== undefined && Number(readPath(scope, node.paging.total)) > 0;
  if (rows?.length === 0 && !isBeyond) {
    return (
      <EmptyState
        part={isFiltered && node.noMatch ? node.noMatch : node.empty}
        values={node.values}
        scope={scope}
        testId={node.testId}
        isBusy={source.loading}
      />
    );
  }
  const lead = leadOf(columns);
  const isWindowed = rows !== undefined && to - from < rows.length;
  const hasBoxes = node.bulk !== undefined;
  const boxProps = {
    chosen: chosenOf(selection, rows ?? noRow, node.key),
    choosePage: actions.choosePage,
    testId: node.testId,
  };
  return (
    <div ref={block} data-testid={node.testId} data-density={view.density}>
      <Trouble of={source} />
      {trouble && !rows?.slice(from, to).some(trouble.isOf) && <div className="table-trouble">{trouble.drawn}</div>}
      <div className="table-block">
        {hasBoxes && <PageBoxOfCards {...boxProps} />}
        <SortBy node={node} columns={columns} scope={scope} />
        <table
          className={node.dense ? 'table table--plain' : 'table'}
          {...roles.table}
          aria-label={label}
          aria-busy={source.loading || isWaiting || undefined}
          aria-rowcount={isWindowed ? rows.length + 1 : undefined}
        >
          <TableHead
            node={node}
            columns={columns}
            lead={lead}
            scope={scope}
            box={hasBoxes && <PageBox {...boxProps} />}
          />
          <tbody
            {...roles.group}
            ref={body}
            onClick={openRow}
            onAuxClick={openRow}
            onMouseDown={keepFromScrolling}
            onMouseOver={tellCutText}
            onFocus={tellCutText}
            onKeyDown={actions.onKeyDown}
          >
            {spacer(before)}
            {rows?.slice(from, to).map((row, index) => (
              <Fragment key={String(row[node.key] ?? from + index)}>
                <TableRow
                  row={row}
                  node={node}
                  columns={columns}
                  lead={lead}
                  scope={rowScope}
                  speech={speech}
                  press={press}
                  isPressed={pressed === row}
                  isChosen={hasBoxes ? selection.has(keyOfRow(row, node.key)) : undefined}
                  choose={actions.choose}
                  place={isWindowed ? from + index + 2 : undefined}
                />
                {trouble?.isOf(row) && <TroubleRow columns={columns.length + 2}>{trouble.drawn}</TroubleRow>}
              </Fragment>
            ))}
            {spacer(after)}
            {source.isLate && (
              <Bones columns={columns} lead={lead} hasMenu={node.menu !== undefined} hasBoxes={hasBoxes} />
            )}
          </tbody>
          {rows && <Totals node={node} columns={columns} lead={lead} scope={scope} />}
        </table>
      </div>
      {source.isLate && (
        <p className="visually-hidden" role="status">
          {speech.word('table.loading', { label })}
        </p>
      )}
      <Pager
        node={node}
        scope={scope}
        shown={rows?.length}
        block={block}
        display={node.columns.length >= worthwhile && !node.dense && <DisplayBelow node={node} scope={scope} />}
      />
    </div>
  );
}

/** The columns whose conditions are met and that the user has not hidden. */
function useColumns(node: TableNode, scope: Scope, hidden: ReadonlySet<string>): readonly Column[] {
  const lead = leadOf(node.columns);
  const kept = node.columns.filter(
    column => isMet(column.when, scope) && (column === lead || !hidden.has(keyOfColumn(column))),
  );
  const key = kept.map(keyOfColumn).join('|');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same columns keep the rows as they are.
  return useMemo(() => kept, [node, key]);
}

/** The scope for rows: the same for as long as nothing that they read has changed, so that they stay as they are. */
function useRowScope(node: TableNode, scope: Scope): Scope {
  const { columns, menu, values } = node;
  const part = useMemo(() => ({ columns, menu, values, menuLabel: node.menuLabel }), [columns, menu, values, node]);
  const kept = useRef(scope);
  if (kept.current.form !== scope.form || !isSameFor(part, kept.current, scope)) kept.current = scope;
  return kept.current;
}

/** Runs an entry of a row's menu; one at a time, the row says that it is busy, and what went wrong stands below it. */
function usePressRow(node: TableNode, scope: Scope) {
  const started = useRun(scope, node.id);
  const { run, failure } = started;
  const [pressed, setPressed] = useState<unknown>();
  const [key, setKey] = useState<unknown>();
  const press = useMemo<PressRow>(
    () => async (row, effects, id) => {
      setPressed(row);
      setKey(row[node.key]);
      await run(effects, { row }, id);
      setPressed(undefined);
    },
    [run, node],
  );
  const trouble =
    failure === undefined
      ? undefined
      : {
          isOf: (row: Row) => row[node.key] === key,
          drawn: <RowTrouble id={`${node.id}-failure`} of={started} />,
        };
  return { press, pressed, trouble };
}
