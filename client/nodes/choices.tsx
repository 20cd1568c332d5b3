import { type ReactNode, useRef } from 'react';
import { isMet } from '../../shared/rules/condition.ts';
import { readPath } from '../../shared/rules/path.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { Icon } from '../look/icon.tsx';
import { partId } from '../look/part-id.ts';
import { Trouble } from '../look/retry-message.tsx';
import { ListBones } from '../look/skeleton.tsx';
import { StatusMark } from '../look/status-mark.tsx';
import { Tile } from '../look/tile.tsx';
import { useRun } from '../runtime/effects.ts';
import type { NodeProps } from '../runtime/registry.ts';
import { useRows } from '../runtime/rows.ts';
import { RunFailure } from '../runtime/run-failure.tsx';
import { withRow } from '../runtime/scope.ts';
import { useSpeech } from '../runtime/values.ts';
import { Pager } from './table/pager.tsx';

/** Items of which one is pressed. What cannot be pressed keeps its place for the keyboard, so that its reason is read. */
export function Choices({ node, scope }: NodeProps<'choices'>): ReactNode {
  const source = useRows(node.rows, scope);
  const pressed = useRun(scope, node.id);
  const { run, busy } = pressed;
  const speech = useSpeech();
  const block = useRef<HTMLDivElement>(null);
  const say = (text: Parameters<typeof speech.text>[0]) => speech.text(text, node.values, scope);
  if (!source.rows) {
    if (source.failed) return <Trouble text={source.failed} retry={speech.word('retry')} run={source.retry} />;
    return source.isLate && <ListBones rows={5} tile />;
  }
  // An empty page of a list that has rows is one beyond the last; the pager leads back.
  const isBeyond = node.paging !== undefined && Number(readPath(scope, node.paging.total)) > 0;
  if (source.rows.length === 0 && !isBeyond) return <p className="quiet">{say(node.emptyText)}</p>;
  return (
    <div ref={block}>
      <RunFailure id={`${node.id}-failure`} of={pressed} />
      <ul className="picks" aria-label={say(node.label)} aria-busy={busy || undefined} data-testid={node.testId}>
        {source.rows.map(row => {
          const inner = withRow(scope, row);
          const read = (path: string | undefined) => (path === undefined ? undefined : readPath(inner, path));
          const write = (path: string | undefined) => speech.format(read(path), 'text');
          const status = read(node.status);
          const entry = entryFor(node.catalogue, status);
          const isOff = node.disabledWhen !== undefined && isMet(node.disabledWhen, inner);
          const icon = write(node.iconPath);
          const key = String(row[node.key]);
          return (
            <li key={key}>
              <button
                className="pick"
                type="button"
                aria-disabled={isOff || undefined}
                data-testid={partId(node.testId, key)}
                onClick={() => void (isOff || run(node.on.press, { row }))}
              >
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
                {!isOff && <Icon name="chevron-right" />}
              </button>
            </li>
          );
        })}
      </ul>
      <Pager node={node} scope={scope} shown={source.rows.length} block={block} />
    </div>
  );
}
