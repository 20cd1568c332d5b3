import { type ReactNode, type RefObject, useEffect, useId, useMemo, useState } from 'react';
import type { BellNode } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { fillAddress, readPath } from '../../../shared/rules/path.ts';
import { resolveText } from '../../../shared/rules/text.ts';
import { entryFor } from '../../look/catalogue-entry.ts';
import { Icon } from '../../look/icon.tsx';
import { addStyles } from '../../look/late-styles.ts';
import { partId } from '../../look/part-id.ts';
import { Tile } from '../../look/tile.tsx';
import { drawValue } from '../../look/value.tsx';
import type { RowsView } from '../../runtime/data/rows.ts';
import { useRun } from '../../runtime/effects/effects.ts';
import { A, usePlace } from '../../runtime/effects/navigation.tsx';
import { RunFailure } from '../../runtime/effects/run-failure.tsx';
import { Trouble } from '../../runtime/effects/trouble.tsx';
import { type Row, type Scope, withRow } from '../../runtime/state/scope.ts';
import { useFormat, useFormatter, useText, useValue } from '../../runtime/state/values.ts';

addStyles(`
  .popover { padding: 0; color: var(--text); display: flex; flex-direction: column; width: var(--bell-w); max-width: calc(100vw - 2 * var(--s-2)); max-height: var(--bell-h); background: var(--raised); border-radius: var(--r-l); box-shadow: var(--shadow-menu); overflow: hidden; text-align: start; animation: appear var(--base) var(--ease); }
  .popover__head { display: flex; align-items: center; gap: var(--s-2); padding: var(--s-2) var(--s-2) var(--s-2) var(--s-4); border-bottom: 1px solid var(--line); min-height: 2.75rem; }
  .popover__head > :nth-child(2) { margin-inline-start: auto; }
  .popover__foot { display: flex; gap: var(--s-4); justify-content: space-between; padding: var(--s-15) var(--s-2) var(--s-15) var(--s-4); border-top: 1px solid var(--line); align-items: center; min-height: 2.5rem; }
  .popover__body { overflow: auto; flex: 1; overscroll-behavior: contain; }
  .note { position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0 var(--s-3); padding: var(--s-3) var(--s-2) var(--s-3) var(--s-4); border-bottom: 1px solid var(--line); align-items: center; }
  .note:last-child { border-bottom: 0; }
  .note:hover { background: var(--hover); }
  .note__text { display: grid; gap: 1px; min-width: 0; }
  .note__text p { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
  .note__text small { color: var(--text-2); line-height: 1.125rem; }
  .note--new .note__text p { font-weight: var(--w-medium); }
  .popover .field__error { padding: var(--s-2) var(--s-4); }
  .popover__foot > .button { margin-inline-start: auto; }
`);

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
  hide(): void;
};

type View = 'new' | 'read' | 'all';

/**
 * The panel of notifications that the bell opens: a choice of new, read or all, the newest ones, and "mark as read".
 */
export function Panel({ id, panel, node, scope, view: source, limit, bones, hide }: PanelProps): ReactNode {
  const headingId = useId();
  const failureId = useId();
  const format = useFormatter();
  const pressed = useRun(scope, node.id);
  const { run, busy } = pressed;
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
    allTo: useText(node.allToText, node.values, scope),
    settings: useText(node.settingsText, node.values, scope),
    none: useText(node.emptyText, node.values, scope),
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
    const href = [node.to, ...(node.orTo ?? [])].map(to => to && fillAddress(to, inner)).find(Boolean);
    const title = format(readPath(inner, node.titlePath), 'text');
    const small = [
      // Where new and read ones stand together, the word says what the weight of the letters shows.
      view === 'all' && isNew && text.new,
      entry && resolveText(entry.text, node.values, inner),
      format(readPath(inner, node.detail ?? ''), 'text'),
    ]
      .filter(Boolean)
      .join(' · ');
    const at = drawValue(readPath(inner, node.at), 'friendly-date', format);
    return (
      <li key={String(row[node.key] ?? index)} className={isNew ? 'note note--new' : 'note'}>
        <Tile icon={entry?.icon ?? 'bell'} kind={entry?.kind} />
        <div className="note__text">
          <p>
            {href ? (
              <A
                href={href}
                data-testid={partId(node.testId, 'link')}
                onClick={() => {
                  // Who follows a note has read it. What fails stays new, and the way is free.
                  if (isNew) void run(node.on?.mark, { row });
                  hide();
                }}
              >
                {title}
              </A>
            ) : (
              title
            )}
          </p>
          <small>
            {small}
            {small && at && ' · '}
            {at}
          </small>
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
    if (!rows) return <Trouble of={source} />;
    if (rows.length === 0) return !source.loading && <p className="list-none">{text.none}</p>;
    return <ul className="notes">{(isWhole ? rows : rows.slice(0, limit)).map(note)}</ul>;
  };

  const allTo = node.allTo && fillAddress(node.allTo, scope);
  const settingsTo = node.settingsTo && fillAddress(node.settingsTo, scope);
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
      <RunFailure id={failureId} of={pressed} />
      {(rest > 0 || canMarkAll || allTo || settingsTo) && (
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
          {allTo && (
            <A
              className="linkbutton"
              href={allTo}
              data-testid={partId(node.testId, 'all-notes')}
              onClick={() => hide()}
            >
              {text.allTo}
            </A>
          )}
          {settingsTo && (
            <A
              className="linkbutton"
              href={settingsTo}
              data-testid={partId(node.testId, 'settings')}
              onClick={() => hide()}
            >
              {text.settings}
            </A>
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
