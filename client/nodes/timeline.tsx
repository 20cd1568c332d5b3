import { memo, type ReactNode, useMemo } from 'react';
import type { TimelineNode } from '../../shared/language/types.ts';
import { readPath } from '../../shared/rules/path.ts';
import { resolveText } from '../../shared/rules/text.ts';
import { Avatar } from '../look/avatar.tsx';
import { ListBones } from '../look/bones.tsx';
import { entryFor } from '../look/catalogue.ts';
import { newestFirst } from '../look/rows.ts';
import { Tile } from '../look/tile.tsx';
import { Trouble } from '../look/trouble.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useRows } from '../runtime/rows.ts';
import { type Scope, withRow } from '../runtime/scope.ts';
import { type Formatter, useFormatter, useText, useWord } from '../runtime/values.ts';

type EventProps = {
  readonly node: TimelineNode;
  readonly scope: Scope;
  readonly row: unknown;
  readonly format: Formatter;
};

const Event = memo(function Event({ node, scope, row, format }: EventProps): ReactNode {
  const inner = useMemo(() => withRow(scope, row), [scope, row]);
  const read = (path: string | undefined) => (path === undefined ? undefined : readPath(inner, path));
  const code = read(node.title);
  const entry = entryFor(node.catalogue, code);
  const title = entry ? resolveText(entry.text, node.values, inner) : format(code, 'text');
  const actor = format(read(node.actor), 'text');
  const detail = [actor, format(read(node.detail), 'text')].filter(Boolean).join(' · ');
  const at = read(node.at);
  return (
    <li>
      {entry?.icon || !actor ? <Tile icon={entry?.icon ?? 'clock'} kind={entry?.kind} /> : <Avatar name={actor} />}
      <div className="list__text">
        <span>{title}</span>
        {detail && <small>{detail}</small>}
      </div>
      <time className="list__time" dateTime={typeof at === 'string' ? at : undefined}>
        {format(at, 'date-time')}
      </time>
    </li>
  );
});

/** What happened, newest first, with who did it. The order is made here: a reply need not keep one. */
export function Timeline({ node, scope }: NodeProps<'timeline'>): ReactNode {
  const source = useRows(node.rows, scope);
  const format = useFormatter();
  const label = useText(node.label, node.values, scope);
  const none = useText(node.empty, node.values, scope);
  const retry = useWord('retry');
  const rows = useMemo(
    () => source.rows && newestFirst(source.rows, row => readPath({ row }, node.at)),
    [source.rows, node.at],
  );

  if (!rows) {
    if (source.failed) return <Trouble text={source.failed} retry={retry} run={source.retry} />;
    return source.isLate && <ListBones rows={4} tile />;
  }
  if (rows.length === 0) return <p className="list-none">{none}</p>;
  return (
    <ol className="list timeline" aria-label={label} aria-busy={source.loading || undefined} data-testid={node.testId}>
      {rows.map((row, index) => (
        <Event key={String(row[node.key] ?? index)} node={node} scope={scope} row={row} format={format} />
      ))}
    </ol>
  );
}
