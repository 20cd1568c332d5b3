import { type ReactNode, useRef } from 'react';
import type { Condition } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { fillAddress, readPath } from '../../shared/rules/path.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { Money } from '../look/money.tsx';
import { partId } from '../look/part-id.ts';
import { ListBones } from '../look/skeleton.tsx';
import { StatusMark } from '../look/status-mark.tsx';
import { Tile } from '../look/tile.tsx';
import { useRows } from '../runtime/data/rows.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { A } from '../runtime/effects/navigation.tsx';
import { RunFailure } from '../runtime/effects/run-failure.tsx';
import { Trouble } from '../runtime/effects/trouble.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { type Row, type Scope, withRow } from '../runtime/state/scope.ts';
import { useSpeech } from '../runtime/state/values.ts';
import { Pager } from './table/pager.tsx';

addStyles(`
.pick__foot { display: flex; align-items: baseline; justify-content: space-between; gap: var(--s-1) var(--s-3); text-align: end; }
.pick__figure { display: grid; justify-items: end; }
.pick__foot small { white-space: nowrap; }
.pick__foot > * > small { color: var(--text-2); font-size: var(--t-s); }
.pick__end { display: flex; flex-wrap: wrap; justify-content: end; align-items: center; gap: var(--s-1) var(--s-2); }
.picks--cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21.5rem, 100%), 1fr)); gap: var(--s-4); }
.picks--cards > li { display: grid; grid-template-rows: subgrid; grid-row: span 2; row-gap: 0; min-width: 0; }
.pick--card { display: grid; grid-template-rows: subgrid; grid-row: span 2; row-gap: 0; grid-template-columns: auto minmax(0, 1fr); align-items: start; gap: 0 var(--s-3); padding: 0; color: var(--text); text-decoration: none; background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-l); }
.pick--card:hover { border-color: var(--line-strong); }
.pick--card > .tile { margin: var(--s-4) 0 var(--s-4) var(--s-5); }
.pick--card > .list__text { padding: var(--s-4) var(--s-5) var(--s-4) 0; }
.pick--card > .pick__foot { grid-column: 1 / -1; align-items: end; min-height: 4.25rem; padding: var(--s-3) var(--s-5); border-top: 1px solid var(--line); }
.pick--card .pick__figure { justify-items: start; text-align: start; font-weight: var(--w-bold); }
.pick--card .pick__figure > small { font-weight: var(--w-normal); }
.pick--card .pick__end { flex-direction: column; align-items: end; }
.pick[aria-disabled]:not(.pick--card) > .pick__foot { margin-inline-end: 2rem; }
@media (max-width: 600px) {
  .pick:not(.pick--card, :has(> :is(.pick__foot, .check))) { flex-wrap: nowrap; }
  .pick:not(.pick--card) > .pick__foot { flex: 1 1 100%; margin: 0; padding-inline-start: 2.75rem; text-align: start; }
  .pick:not(.pick--card) .pick__figure { display: flex; gap: var(--s-1); align-items: baseline; }
  .pick__foot + .icon { display: none; } .pick__foot small { white-space: normal; }
}
`);

type ItemProps = NodeProps<'choices'> & { readonly row: Row; readonly children: ReactNode; readonly press: () => void };

/** What is pressed: a link where the item leads somewhere. What cannot be pressed keeps its place for the keyboard. */
function Item({ node, scope, row, children, press }: ItemProps): ReactNode {
  const isOff = node.disabledWhen !== undefined && isMet(node.disabledWhen, scope);
  const testId = partId(node.testId, String(row[node.key]));
  const href = node.to && !isOff ? fillAddress(node.to, scope) : undefined;
  const name = node.look === 'cards' ? 'pick pick--card' : 'pick';
  return href ? (
    <A className={name} href={href} data-testid={testId}>
      {children}
    </A>
  ) : (
    <button
      className={name}
      type="button"
      aria-disabled={isOff || undefined}
      data-testid={testId}
      onClick={() => isOff || press()}
    >
      {children}
      {!isOff && node.look !== 'cards' && <Icon name="chevron-right" />}
    </button>
  );
}

/** Those of an item's texts whose condition is met. */
const holding = <T extends { readonly when?: Condition }>(texts: readonly T[] | undefined, scope: Scope): T[] =>
  texts?.filter(({ when }) => when === undefined || isMet(when, scope)) ?? [];

/** The amount of an item, what it is for, and its marks. */
function Figure({ node, scope }: NodeProps<'choices'>): ReactNode {
  const speech = useSpeech();
  const figure = node.price ? speech.format(readPath(scope, node.price.path), node.price.format ?? 'text') : '';
  const note = speech.text(node.note, node.values, scope);
  const marks = holding(node.marks, scope);
  if (figure === '' && note === '' && marks.length === 0) return null;
  return (
    <span className="pick__foot">
      {figure !== '' && (
        <span className="pick__figure">
          {node.price?.format === 'currency' ? <Money text={figure} /> : figure}
          <small>{speech.text(holding(node.price?.texts, scope)[0]?.text, node.values, scope)}</small>
        </span>
      )}
      <span className="pick__end">
        {marks.map(mark => (
          <span key={String(mark.text)} className={`badge badge--${mark.kind ?? 'info'}`}>
            {speech.text(mark.text, node.values, scope)}
          </span>
        ))}
        {note && <small>{note}</small>}
      </span>
    </span>
  );
}

/**
 * A list or cards of items one of which the user presses, as when choosing a product. An item that cannot be chosen
 * stays focusable, so that its reason is read.
 */
export function Choices({ node, scope }: NodeProps<'choices'>): ReactNode {
  const source = useRows(node.rows, scope);
  const pressed = useRun(scope, node.id);
  const { run, busy } = pressed;
  const speech = useSpeech();
  const block = useRef<HTMLDivElement>(null);
  const say = (text: Parameters<typeof speech.text>[0]) => speech.text(text, node.values, scope);
  if (!source.rows) {
    if (source.failed) return <Trouble of={source} />;
    return source.isLate && <ListBones rows={5} tile />;
  }
  // An empty page of a list that has rows is one beyond the last; the pager leads back.
  const isBeyond = node.paging !== undefined && Number(readPath(scope, node.paging.total)) > 0;
  if (source.rows.length === 0 && !isBeyond) return <p className="quiet">{say(node.emptyText)}</p>;
  return (
    <div ref={block}>
      <RunFailure id={`${node.id}-failure`} of={pressed} />
      <ul
        className={node.look === 'cards' ? 'picks picks--cards' : 'picks'}
        aria-label={say(node.label)}
        aria-busy={busy || undefined}
        data-testid={node.testId}
      >
        {source.rows.map(row => {
          const inner = withRow(scope, row);
          const read = (path: string | undefined) => (path === undefined ? undefined : readPath(inner, path));
          const write = (path: string | undefined) => speech.format(read(path), 'text');
          const status = read(node.status);
          const entry = entryFor(node.catalogue, status);
          const icon = write(node.iconPath);
          const key = String(row[node.key]);
          return (
            <li key={key}>
              <Item node={node} scope={inner} row={row} press={() => void run(node.on?.press ?? [], { row })}>
                {icon && <Tile icon={icon} />}
                <span className="list__text">
                  <span>{write(node.titlePath)}</span>
                  {node.detail && <small>{write(node.detail)}</small>}
                </span>
                {read(node.markPath) === true && (
                  <span className="badge badge--ok">
                    <Icon name="check" />
                    {say(node.markText)}
                  </span>
                )}
                {entry && (
                  <StatusMark
                    text={speech.text(entry.text, undefined, inner)}
                    kind={entry.kind}
                    moving={entry.moving}
                  />
                )}
                <Figure node={node} scope={inner} />
              </Item>
            </li>
          );
        })}
      </ul>
      <Pager node={node} scope={scope} shown={source.rows.length} block={block} />
    </div>
  );
}
