import { type ReactNode, type RefObject, useEffect, useId, useMemo, useState } from 'react';
import type { BellNode } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { resolveText } from '../../../shared/rules/text.ts';
import { entryFor } from '../../look/catalogue-entry.ts';
import { Failure } from '../../look/failure.tsx';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { Trouble } from '../../look/retry-message.tsx';
import { Tile } from '../../look/tile.tsx';
import { useRun } from '../../runtime/effects.ts';
import { usePlace } from '../../runtime/navigation.tsx';
import type { RowsView } from '../../runtime/rows.ts';
import { type Row, type Scope, withRow } from '../../runtime/scope.ts';
import { useFormat, useFormatter, useText, useValue, useWord } from '../../runtime/values.ts';

type PanelProps = {
  readonly id: string;
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly node: BellNode;
  readonly scope: Scope;
  /** The notes, the newest first. */
  readonly view: RowsView;
  /** So many are shown at first. */
  readonly limit: number;
  /** In place of notes that are still loading. */
  readonly bones: ReactNode;
};

type View = 'new' | 'read' | 'all';

/** What the bell opens: the choice between new, read and all, the newest notes, mark as read. */
export function Panel({ id, panel, node, scope, view: source, limit, bones }: PanelProps): ReactNode {
  const headingId = useId();
  const failureId = useId();
  const format = useFormatter();
  const { run, busy, failure } = useRun(scope, node.id);
  const [place, setPlace] = usePlace(node.filterPath);
  const [isWhole, setWhole] = useState(false);
  const count = useFormat(useValue(node.count, scope), 'number');
  const isOffered = place === 'read' || (place === 'all' && node.allText !== undefined);
  const view: View = isOffered ? place : 'new';

  const rows = useMemo(
    () =>
      node.filterPath && node.isNew && view !== 'all'
        ? source.rows?.filter(row => isMet(node.isNew, withRow(scope, row)) === (view === 'new'))
        : source.rows,
    [source.rows, node, scope, view],
  );

  const rest = Math.max(0, (rows?.length ?? 0) - limit);
  const text = {
    heading: useText(node.heading, node.values, scope),
    label: useText(node.label, { ...node.values, count: node.count }, scope),
    new: useText(node.newText, node.values, scope),
    read: useText(node.readText, node.values, scope),
    all: useText(node.allText, node.values, scope),
    mark: useText(node.markText, node.values, scope),
    markAll: useText(node.markAllText, node.values, scope),
    more: useText(node.moreText, { ...node.values, count: rest }, scope),
    less: useText(node.lessText, node.values, scope),
    none: useText(node.emptyText, node.values, scope),
    retry: useWord('retry'),
  };

  useEffect(() => panel.current?.focus(), [panel]);

  const choose = (next: View) => {
    setPlace(next, { replace: true });
    setWhole(false);
  };

  const note = (row: Row, index: number) => {
    const inner = withRow(scope, row);
    const isNew = node.isNew ? isMet(node.isNew, inner) : view === 'new';
    const entry = entryFor(node.catalogue, node.status && readPath(inner, node.status));
    const small = [
      // Where new and read ones stand together, the word says what the weight of the letters shows.
      view === 'all' && isNew && text.new,
      entry && resolveText(entry.text, node.values, inner),
      format(readPath(inner, node.detail ?? ''), 'text'),
      format(readPath(inner, node.at), 'friendly-date'),
    ];
    return (
      <li key={String(row[node.key] ?? index)} className={isNew ? 'note note--new' : 'note'}>
        <Tile icon={entry?.icon ?? 'bell'} kind={entry?.kind} />
        <div className="note__text">
          <p>{format(readPath(inner, node.titlePath), 'text')}</p>
          <small>{small.filter(Boolean).join(' · ')}</small>
        </div>
        {isNew && view === 'new' && node.on?.mark && (
          <button
            className="button button--icon button--quiet button--small"
            type="button"
            aria-label={text.mark}
            data-testid={partId(node.testId, 'mark')}
            aria-busy={busy || undefined}
            onClick={() => {
              // The button goes with its note: the focus stays in the panel.
              panel.current?.focus();
              void run(node.on?.mark, { row });
            }}
          >
            <Icon name="check" />
          </button>
        )}
      </li>
    );
  };

  const choice = (name: View) => (
    <button
      type="button"
      data-testid={partId(node.testId, name)}
      aria-pressed={view === name}
      onClick={() => choose(name)}
    >
      {text[name]} {name === 'new' && count !== '' && <span className="count">{count}</span>}
    </button>
  );

  const body = () => {
    if (source.isLate) return bones;
    if (!rows) return source.failed && <Trouble text={source.failed} retry={text.retry} run={source.retry} />;
    if (rows.length === 0) return !source.loading && <p className="list-none">{text.none}</p>;
    return <ul className="notes">{(isWhole ? rows : rows.slice(0, limit)).map(note)}</ul>;
  };

  const canMarkAll = view === 'new' && node.on?.markAll && rows && rows.length > 0;
  return (
    <div
      ref={panel}
      id={id}
      className="popover"
      role="dialog"
      aria-labelledby={headingId}
      popover="manual"
      tabIndex={-1}
    >
      <div className="popover__head">
        <h2 id={headingId}>{text.heading || text.label}</h2>
        {node.filterPath && (
          <fieldset className="segments" aria-labelledby={headingId}>
            {choice('new')}
            {choice('read')}
            {node.allText && choice('all')}
          </fieldset>
        )}
      </div>
      <section
        className="popover__body"
        aria-label={text[view]}
        aria-busy={source.loading || undefined}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and outside the new view nothing inside takes the focus
        tabIndex={0}
        data-testid={partId(node.testId, 'list')}
      >
        {body()}
      </section>
      <Failure id={failureId} text={failure} />
      {(rest > 0 || canMarkAll) && (
        <div className="popover__foot">
          {rest > 0 && (
            <button
              className="linkbutton"
              type="button"
              data-testid={partId(node.testId, 'more')}
              aria-expanded={isWhole}
              onClick={() => setWhole(!isWhole)}
            >
              {isWhole ? text.less : text.more}
            </button>
          )}
          {canMarkAll && (
            <button
              className="button button--quiet button--small"
              type="button"
              data-testid={partId(node.testId, 'mark-all')}
              aria-busy={busy || undefined}
              onClick={() => void run(node.on?.markAll)}
            >
              <span className="button__text">{text.markAll}</span>
            </button>
          )}
        </div>
      )}
    </div>
  );
}
