import { type ReactNode, useMemo } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { MenuButton } from '../../look/menu-button.tsx';
import { partId } from '../../look/part-id.ts';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { useDocument } from '../../runtime/state/document-scope.tsx';
import type { Scope } from '../../runtime/state/scope.ts';
import { useStore } from '../../runtime/state/store.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { keyOfColumn, leadOf } from '../table/columns.ts';
import type { ToolsProps } from '../table/lazy-work.ts';
import { useTableView } from '../table/view.ts';
import { findTable, hasToolbar } from './find.ts';
import { usePlaces } from './places.ts';
import { Views } from './views.tsx';

/** A table with fewer columns needs no choice of them. */
const worthwhile = 3;

/** The table of the document that a toolbar stands above. */
function useTable(id: string): TableNode | undefined {
  return findTable(
    useStore(useDocument().layout, ({ layout }) => layout),
    id,
  );
}

type DisplayProps = { readonly node: TableNode; readonly scope: Scope; readonly small?: boolean };

/** A menu of how a table is shown: the height of its rows, and its columns; the name of the row always stays. */
function Display({ node, scope, small = false }: DisplayProps): ReactNode {
  const { word, text } = useSpeech();
  const view = useTableView(node);
  const lead = leadOf(node.columns);
  const others = node.columns.filter(column => column !== lead);
  const columns = others.length < worthwhile ? [] : others;
  const label = word('view.display');
  return (
    <MenuButton
      className={small ? 'button button--icon button--small not-small' : 'button not-small'}
      label={label}
      testId={partId(node.testId, 'display')}
      entries={[
        ...(['comfortable', 'compact'] as const).map(density => ({
          key: density,
          group: word('view.rowHeight'),
          text: word(`view.${density}`),
          checked: view.density === density,
          testId: partId(node.testId, density),
          press: () => view.setDensity(density),
        })),
        ...columns.map(column => {
          const key = keyOfColumn(column);
          const isShown = !view.hidden.has(key);
          return {
            key: `column ${key}`,
            group: word('view.columns'),
            text: text(column.title, node.values, scope),
            checked: isShown,
            isToggle: true,
            testId: partId(node.testId, `column-${key}`),
            press: () =>
              view.hide(new Set(isShown ? [...view.hidden, key] : [...view.hidden].filter(other => other !== key))),
          };
        }),
      ]}
    >
      <Icon name={small ? 'columns' : 'sliders'} />
      {!small && <span className="button__text">{label}</span>}
    </MenuButton>
  );
}

/** The display settings of a table (columns, density), drawn below it when no toolbar stands above it. */
export function DisplayBelow({ node, scope }: NodeProps<'table'>): ReactNode {
  const layout = useStore(useDocument().layout, ({ layout: shown }) => shown);
  return !hasToolbar(layout, node.id) && <Display node={node} scope={scope} small />;
}

/** What a toolbar shows for the table below it: the saved views and the display settings (columns, density). */
export function TableTools({ table, scope }: ToolsProps): ReactNode {
  const node = useTable(table);
  return (
    node && (
      <>
        {node.view && <Views node={node} />}
        <Display node={node} scope={scope} />
      </>
    )
  );
}

/** The button that clears search and filters of the table below; shown only while one of them is set. */
export function ClearFilters({ table }: ToolsProps): ReactNode {
  const node = useTable(table);
  const places = useMemo(() => node?.filteredBy ?? [], [node]);
  const [values, set] = usePlaces(places);
  const { word } = useSpeech();
  if (!places.some(place => values[place])) return null;
  return (
    <button
      className="button button--quiet"
      type="button"
      data-testid={partId(node?.testId, 'clear')}
      onClick={event => {
        event.currentTarget.closest('.toolbar')?.querySelector('input')?.focus();
        const page = node?.paging?.page;
        set(Object.fromEntries([...places, ...(page ? [page] : [])].map(place => [place, undefined])));
      }}
    >
      <Icon name="x" />
      <span className="button__text">{word('view.clearFilters')}</span>
    </button>
  );
}
