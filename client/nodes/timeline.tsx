import { type ReactNode, useRef } from 'react';
import type { TimelineNode } from '../../shared/language/types.ts';
import { fillAddress, readPath } from '../../shared/rules/path.ts';
import { resolveText } from '../../shared/rules/text.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { Icon } from '../look/icon.tsx';
import { addStyles } from '../look/late-styles.ts';
import { partId } from '../look/part-id.ts';
import { ListBones } from '../look/skeleton.tsx';
import { StatusMark } from '../look/status-mark.tsx';
import { drawValue } from '../look/value.tsx';
import { useRows } from '../runtime/data/rows.ts';
import { A } from '../runtime/effects/navigation.tsx';
import { Trouble } from '../runtime/effects/trouble.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { type Row, type Scope, withRow } from '../runtime/state/scope.ts';
import { useSpeech, useText } from '../runtime/state/values.ts';
import { Pager } from './table/pager.tsx';

addStyles(`
  .timeline { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s-5); padding: var(--s-5); background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-l); }
  .card .timeline { padding: 0; border: 0; }
  .timeline h2 { font-size: var(--t-s); font-weight: var(--w-medium); color: var(--text-2); padding-bottom: var(--s-3); }
  .timeline ol > li { position: relative; display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: 0 var(--s-3); padding-bottom: var(--s-4); }
  .timeline ol > li:last-child { padding-bottom: 0; }
  .timeline ol > li:not(:last-child)::after { content: ""; position: absolute; inset: 24px auto 2px 9px; border-inline-start: 1px solid var(--line-strong); }
  .timeline .icon { color: var(--text-3); width: 18px; height: 18px; margin: 1px; }
  .timeline .is-bad .icon { color: var(--bad-text); }
  .timeline__text { display: grid; min-width: 0; overflow-wrap: anywhere; }
  .timeline__text > :first-child { font-weight: var(--w-medium); }
  .timeline__text small { white-space: pre-line; }
  .timeline__text small, .timeline time, .timeline dl { color: var(--text-2); font-size: var(--t-s); line-height: var(--lh-s); }
  .timeline dl > div { display: flex; gap: var(--s-2); }
  .timeline dt::after { content: ":"; }
  .timeline__end { display: flex; flex-wrap: wrap; justify-content: flex-end; align-items: baseline; gap: 0 var(--s-4); }
  .timeline time { white-space: nowrap; font-variant-numeric: tabular-nums; }
  @media (max-width: 600px) { .timeline__end { grid-column: 2; justify-content: flex-start; } }
`);

/** A list of events grouped by day; pages and empty states as those of a table. */
export function Timeline({ node, scope }: NodeProps<'timeline'>): ReactNode {
  const speech = useSpeech();
  const label = useText(node.label, node.values, scope);
  const source = useRows(node.rows, scope);
  const block = useRef<HTMLDivElement>(null);
  const { rows } = source;

  if (!rows) {
    if (source.failed !== undefined) return <Trouble of={source} />;
    return source.isLate && <ListBones rows={6} />;
  }
  const isFiltered = node.filteredBy?.some(place => Boolean(readPath(scope, place))) ?? false;
  // An empty page of a list that has rows is one beyond the last; the pager leads back.
  const isBeyond = node.paging !== undefined && Number(readPath(scope, node.paging.total)) > 0;
  if (rows.length === 0 && !isBeyond) {
    const part = isFiltered && node.noMatch ? node.noMatch : node.empty;
    return (
      <div role="status" data-testid={node.testId}>
        {drawNodes([{ type: 'empty', level: 2, ...(node.values && { values: node.values }), ...part }], scope)}
      </div>
    );
  }
  const days = daysOf(rows, row => speech.format(readPath(withRow(scope, row), node.at), 'date'));
  return (
    <div ref={block} data-testid={node.testId}>
      <Trouble of={source} />
      <ul className="timeline" aria-label={label} aria-busy={source.loading || undefined}>
        {days.map(({ day, rows: ofDay }) => (
          <li key={day}>
            <h2>{dayName(day, speech)}</h2>
            <ol>
              {ofDay.map((row, index) => (
                <Happened key={String(row[node.key] ?? index)} node={node} scope={withRow(scope, row)} />
              ))}
            </ol>
          </li>
        ))}
      </ul>
      <Pager node={node} scope={scope} shown={rows.length} block={block} />
    </div>
  );
}

type OfDay = { readonly day: string; readonly rows: Row[] };

/** Rows of one day that follow each other. */
function daysOf(rows: readonly Row[], dayOf: (row: Row) => string): OfDay[] {
  const days: OfDay[] = [];
  for (const row of rows) {
    const day = dayOf(row);
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}

function dayName(day: string, { word, format }: ReturnType<typeof useSpeech>): string {
  const ago = (days: number) => format(new Date(Date.now() - days * 86_400_000).toISOString(), 'date');
  if (day === ago(0)) return word('timeline.today', { day });
  return day === ago(1) ? word('timeline.yesterday', { day }) : day;
}

function Happened({ node, scope }: { readonly node: TimelineNode; readonly scope: Scope }): ReactNode {
  const { format, text } = useSpeech();
  const written = (path: string | undefined) => (path === undefined ? '' : format(readPath(scope, path), 'text'));
  const at = readPath(scope, node.at);
  const status = node.status === undefined ? undefined : readPath(scope, node.status);
  const entry = entryFor(node.catalogue, status);
  const word = entry ? resolveText(entry.text, node.values, scope) : written(node.status);
  const title = written(node.titlePath);
  const href = node.to && fillAddress(node.to, scope);
  const line = [written(node.about), written(node.by)].filter(Boolean).join(' · ');
  const detail = written(node.detail);
  const facts = (node.facts ?? []).flatMap(({ label, path, format: name }) => {
    const value = drawValue(readPath(scope, path), name, format);
    return value === '' ? [] : [{ path, label: text(label, node.values, scope), value }];
  });
  return (
    <li className={entry?.kind === 'bad' ? 'is-bad' : undefined}>
      <Icon name={entry?.icon ?? 'clock'} />
      <div className="timeline__text">
        {href ? (
          <A href={href} data-testid={partId(node.testId, 'link')}>
            {title}
          </A>
        ) : (
          <span>{title}</span>
        )}
        {line && <small>{line}</small>}
        {detail && <small>{detail}</small>}
        {facts.length > 0 && (
          <dl>
            {facts.map(({ path, label, value }) => (
              <div key={path}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      <div className="timeline__end">
        {word && <StatusMark text={word} kind={entry?.kind} moving={entry?.moving} />}
        {drawValue(at, 'time', format)}
      </div>
    </li>
  );
}
