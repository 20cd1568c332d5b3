import { memo, type ReactNode, useMemo, useState } from 'react';
import type { ListNode } from '../../shared/language/types.ts';
import { fillAddress, readPath } from '../../shared/rules/path.ts';
import { resolveText } from '../../shared/rules/text.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { addStyles } from '../look/late-styles.ts';
import { partId } from '../look/part-id.ts';
import { ListBones } from '../look/skeleton.tsx';
import { StatusMark } from '../look/status-mark.tsx';
import { Tile } from '../look/tile.tsx';
import { drawValue } from '../look/value.tsx';
import { useRows } from '../runtime/data/rows.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { A } from '../runtime/effects/navigation.tsx';
import { Trouble } from '../runtime/effects/trouble.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { type Scope, withRow } from '../runtime/state/scope.ts';
import { type Formatter, useFormatter, useText, useWords } from '../runtime/state/values.ts';

addStyles(`
  .list__actions { display: flex; flex-wrap: wrap; gap: var(--s-2); margin-inline-start: auto; }
  .list mark { background: var(--wait-tint); color: inherit; border-radius: 2px; }
`);

type ItemProps = { readonly node: ListNode; readonly scope: Scope; readonly row: unknown; readonly format: Formatter };

/** A text with its marked parts; `marks` is where each begins and ends, in turn, in UTF-16 units. */
function withMarks(text: string, marks: unknown): ReactNode {
  if (!Array.isArray(marks) || marks.length === 0) return text;
  const places = [0, ...marks.map(Number), text.length];
  return places.slice(1).map((end, index) => {
    const part = text.slice(places[index], end);
    return index % 2 === 1 ? <mark key={end}>{part}</mark> : part;
  });
}

/** The text at a path; what is no text or number is nothing. */
function written(scope: Scope, path: string | undefined, format: Formatter): string {
  return path === undefined ? '' : format(readPath(scope, path), 'text');
}

const Item = memo(function Item({ node, scope, row, format }: ItemProps): ReactNode {
  const inner = useMemo(() => withRow(scope, row), [scope, row]);
  const status = node.status === undefined ? undefined : readPath(inner, node.status);
  const entry = entryFor(node.catalogue, status);
  const word = entry ? resolveText(entry.text, node.values, inner) : written(inner, node.status, format);
  const icon = written(inner, node.iconPath, format) || entry?.icon || node.icon;
  const title = withMarks(written(inner, node.titlePath, format), node.titleMarks && readPath(inner, node.titleMarks));
  const at = node.at && drawValue(readPath(inner, node.at), 'friendly-date', format);
  const detail = withMarks(written(inner, node.detail, format), node.detailMarks && readPath(inner, node.detailMarks));
  const remark = written(inner, node.remark, format);
  const { run, busy } = useRun(inner, node.id);
  const href = node.to && fillAddress(node.to, inner);
  return (
    <li>
      {icon && <Tile icon={icon} kind={entry?.kind} />}
      <div className="list__text">
        {node.on ? (
          <button
            className="linkbutton"
            type="button"
            aria-busy={busy || undefined}
            data-testid={partId(node.testId, 'item')}
            onClick={() => void run(node.on?.press)}
          >
            {title}
          </button>
        ) : href ? (
          <A href={href} data-testid={partId(node.testId, 'link')}>
            {title}
          </A>
        ) : (
          <span>{title}</span>
        )}
        {(detail || at) && (
          <small>
            {detail}
            {detail && at && ' · '}
            {at}
          </small>
        )}
        {remark && <small>{remark}</small>}
      </div>
      {word && <StatusMark text={word} kind={entry?.kind} moving={entry?.moving} />}
      {node.actions && <div className="list__actions">{drawNodes(node.actions, inner)}</div>}
    </li>
  );
});

/**
 * A list of items, each with icon, title, quieter lines, status and actions; the first `limit` items, the rest on
 * demand.
 */
export function List({ node, scope }: NodeProps<'list'>): ReactNode {
  const source = useRows(node.rows, scope);
  const all = source.rows;
  const format = useFormatter();
  const label = useText(node.label, node.values, scope);
  const none = useText(node.emptyText, node.values, scope);
  const word = useWords();
  const [isWhole, setWhole] = useState(false);

  if (!all) {
    if (source.failed) return <Trouble of={source} />;
    return source.isLate && <ListBones rows={node.limit ?? 4} tile={node.iconPath !== undefined} />;
  }
  if (all.length === 0) return <p className="list-none">{none}</p>;
  const limit = node.limit ?? all.length;
  const rows = isWhole ? all : all.slice(0, limit);
  return (
    <>
      <Trouble of={source} />
      <ul className="list" aria-label={label} aria-busy={source.loading || undefined} data-testid={node.testId}>
        {rows.map((row, index) => (
          <Item key={String(row[node.key] ?? index)} node={node} scope={scope} row={row} format={format} />
        ))}
      </ul>
      {all.length > limit && (
        <div className="list-more">
          <button
            className="linkbutton"
            type="button"
            data-testid={partId(node.testId, 'more')}
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? word('list.less') : word('list.more', { count: all.length - limit })}
          </button>
        </div>
      )}
    </>
  );
}
