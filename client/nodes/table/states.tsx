import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { Bindings, TableNode } from '../../../shared/language/types.ts';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { Tile } from '../../look/tile.tsx';
import type { SourceView } from '../../runtime/data/data-source.ts';
import { TicketOffer } from '../../runtime/effects/ticket-offer.tsx';
import { drawNodes } from '../../runtime/page/children.tsx';
import type { Scope } from '../../runtime/state/scope.ts';
import { useSpeech, useText } from '../../runtime/state/values.ts';
import { type Column, keyOfColumn } from './columns.ts';
import { cellClass } from './row.tsx';

const widths = [172, 194, 216, 158, 204];

type BonesProps = {
  readonly columns: readonly Column[];
  readonly lead: Column | undefined;
  readonly hasMenu: boolean;
  readonly hasBoxes: boolean;
};

/** Placeholder rows (a skeleton) while a table is loading. */
export function Bones({ columns, lead, hasMenu, hasBoxes }: BonesProps): ReactNode {
  return widths.map(width => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus.
    <tr key={width} aria-hidden="true">
      {hasBoxes && <td className="cell-check" />}
      {columns.map(column =>
        column === lead ? (
          <th key={keyOfColumn(column)} scope="row" className="cell-lead">
            <div className="lead">
              {column.avatar && <span className="bone bone--tile" />}
              <span className="bone" style={{ width }} />
            </div>
          </th>
        ) : (
          <td key={keyOfColumn(column)} className={cellClass(column)}>
            <span className="bone bone--value" />
          </td>
        ),
      )}
      {hasMenu && <td className="cell-menu" />}
    </tr>
  ));
}

type EmptyProps = {
  readonly part: TableNode['empty'];
  readonly values: Bindings | undefined;
  readonly scope: Scope;
  readonly testId: string | undefined;
  readonly isBusy: boolean;
};

/**
 * What a list shows when it has no rows: that there is nothing yet, or that nothing matches, and what to do about it.
 */
export function EmptyState({ part, values, scope, testId, isBusy }: EmptyProps): ReactNode {
  const title = useText(part.title, values, scope);
  const text = useText(part.text, values, scope);
  const block = useRef<HTMLDivElement>(null);
  // Who clears the search from here goes on with it.
  useLayoutEffect(
    () => () => {
      const search = block.current?.contains(document.activeElement) && document.querySelector('[type=search]');
      if (search) (search as HTMLElement).focus();
    },
    [],
  );
  return (
    <div ref={block} className="table-empty" role="status" aria-busy={isBusy || undefined} data-testid={testId}>
      {part.icon && <Tile icon={part.icon} large />}
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {part.actions && <div className="row">{drawNodes(part.actions, scope)}</div>}
    </div>
  );
}

type FailedProps = {
  readonly label: string;
  readonly of: Pick<SourceView, 'failed' | 'reference' | 'retry'>;
  readonly testId: string | undefined;
};

/** What a list shows when it could not be read, with a button to try again. */
export function FailedState({ label, of: { failed, reference, retry }, testId }: FailedProps): ReactNode {
  const { word } = useSpeech();
  return (
    <div className="table-empty" role="alert">
      <Tile icon="plug" kind="bad" large />
      <h2>{word('table.failed', { label })}</h2>
      <p>{failed}</p>
      <div className="row">
        <button className="button button--small" type="button" data-testid={partId(testId, 'retry')} onClick={retry}>
          <Icon name="refresh" />
          <span className="button__text">{word('retry')}</span>
        </button>
        <TicketOffer reference={reference} />
      </div>
    </div>
  );
}
