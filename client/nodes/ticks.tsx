import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import type { LayoutText, TicksNode } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { readPath } from '../../shared/rules/path.ts';
import { readLines } from '../../shared/rules/read-lines.ts';
import { writeLines } from '../../shared/rules/write-lines.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { partId } from '../look/part-id.ts';
import { ListBones } from '../look/skeleton.tsx';
import { StatusMark } from '../look/status-mark.tsx';
import { useRows } from '../runtime/data/rows.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { usePlace } from '../runtime/effects/navigation.tsx';
import { RunFailure } from '../runtime/effects/run-failure.tsx';
import { Trouble } from '../runtime/effects/trouble.tsx';
import { useChannel, useForm } from '../runtime/forms/form-context.ts';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import type { FormStore } from '../runtime/state/form-types.ts';
import { type Row, withRow } from '../runtime/state/scope.ts';
import { useSpeech } from '../runtime/state/values.ts';
import { Pager } from './table/pager.tsx';

/** Enter in the search looks for its words; it does not send the form around. */
function keepEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.target as HTMLInputElement).type === 'search') event.preventDefault();
}

/**
 * A long list of items with a checkbox each, the ticked ones being the value of a field; see the language (`ticks`).
 */
export function Ticks({ node, scope }: NodeProps<'ticks'>): ReactNode {
  const form = useForm() as FormStore;
  useChannel(form.channel(node.propertyName));
  const value = form.value(node.propertyName);
  const speech = useSpeech();
  const source = useRows(node.rows, scope);
  const { rows, isLate, loading } = source;
  const pressed = useRun(scope, node.id);
  const { start, busy } = pressed;
  const block = useRef<HTMLDivElement>(null);
  const ticked = useMemo(() => new Set(readLines(value)), [value]);
  const search = useMemo(() => [searchOf(node)], [node]);
  const [, setCount] = usePlace(node.countPath);
  useLayoutEffect(() => setCount(ticked.size), [setCount, ticked.size]);
  const say = (text: LayoutText, count?: number) =>
    speech.text(text, { ...node.values, ...(count !== undefined && { count: { value: count } }) }, scope);
  const set = (keys: Iterable<string>) => form.set(node.propertyName, writeLines([...keys]));
  const tickAll = async () => {
    const { reply } = await start(node.on.all);
    const { keys = [] } = (reply?.Result ?? {}) as { readonly keys?: readonly string[] };
    set(new Set([...readLines(form.value(node.propertyName)), ...keys]));
  };
  const toggle = (key: string) => {
    const next = new Set(ticked);
    if (!next.delete(key)) next.add(key);
    set(next);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: no group of fields.
    <div ref={block} className="stack form__wide" role="group" aria-label={say(node.label)} data-testid={node.testId}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the search is what has the focus. */}
      <div className="toolbar" onKeyDown={keepEnter}>
        {drawNodes(search, scope)}
        <button
          className="button"
          type="button"
          aria-busy={busy || undefined}
          data-testid={partId(node.testId, 'all')}
          onClick={() => void tickAll()}
        >
          <span className="button__text">{say(node.all)}</span>
        </button>
        <button
          className="button"
          type="button"
          aria-disabled={ticked.size === 0 || undefined}
          data-testid={partId(node.testId, 'none')}
          onClick={() => set([])}
        >
          <span className="button__text">{say(node.none)}</span>
        </button>
      </div>
      <RunFailure id={`${node.id}-failure`} of={pressed} />
      <p role="status" data-testid={partId(node.testId, 'count')}>
        {say(node.ticked, ticked.size)}
      </p>
      <Trouble of={source} />
      {isLate && <ListBones rows={8} />}
      {rows?.length === 0 && <p className="quiet">{say(node.emptyText)}</p>}
      {rows && rows.length > 0 && (
        <ul className="picks" aria-label={say(node.label)} aria-busy={loading || undefined}>
          {rows.map(row => {
            const key = String(row[node.key]);
            const isOff = node.disabledWhen !== undefined && isMet(node.disabledWhen, withRow(scope, row));
            return (
              <li key={key}>
                <label className={isOff ? 'pick is-off' : 'pick'}>
                  <span className="check">
                    <input
                      type="checkbox"
                      checked={ticked.has(key)}
                      // What was ticked while it could be can be taken back.
                      disabled={isOff && !ticked.has(key)}
                      data-testid={partId(node.testId, key)}
                      onChange={() => toggle(key)}
                    />
                  </span>
                  <Item node={node} scope={scope} row={row} isOff={isOff} />
                </label>
              </li>
            );
          })}
        </ul>
      )}
      <Pager node={node} scope={scope} shown={rows?.length} block={block} />
    </div>
  );
}

const searchOf = ({ searchPath: search, searchLabel: find, paging, testId }: TicksNode) => ({
  type: 'search' as const,
  path: search,
  label: find,
  resets: [paging.page],
  ...(testId && { testId: `${testId}-search` }),
});

type ItemProps = NodeProps<'ticks'> & { readonly row: Row; readonly isOff: boolean };

function Item({ node, scope, row, isOff }: ItemProps): ReactNode {
  const speech = useSpeech();
  const inner = withRow(scope, row);
  const write = (path: string) => speech.format(readPath(inner, path), 'text');
  const entry = node.status === undefined ? undefined : entryFor(node.catalogue, readPath(inner, node.status));
  return (
    <>
      <span className="list__text">
        <span>{write(node.titlePath)}</span>
        {node.detail && <small>{write(node.detail)}</small>}
        {isOff && node.reason && <small>{write(node.reason)}</small>}
      </span>
      {entry && <StatusMark text={speech.text(entry.text, undefined, inner)} kind={entry.kind} moving={entry.moving} />}
    </>
  );
}
