import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MatchNode, Node } from '../../../shared/language/types.ts';
import { type Match as Matched, readChanges, writeChanges } from '../../../shared/rules/match-changes.ts';
import { partId } from '../../look/part-id.ts';
import { Trouble } from '../../look/retry-message.tsx';
import { ListBones } from '../../look/skeleton.tsx';
import { useRows } from '../../runtime/data/rows.ts';
import { Message } from '../../runtime/effects/message.tsx';
import { usePlace } from '../../runtime/effects/navigation.tsx';
import { useChannel, useForm } from '../../runtime/forms/form-context.ts';
import { drawNodes } from '../../runtime/page/children.tsx';
import type { NodeProps } from '../../runtime/page/registry.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import { withRow } from '../../runtime/state/scope.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { spacer } from '../spacer.tsx';
import { roles } from '../table/roles.ts';
import { useWindow } from '../table/window.ts';
import { MatchRow, type Say } from './row.tsx';
import {
  applyChanges,
  type Item,
  itemsOf,
  optionsOf,
  plain,
  proposalsFor,
  type Standing,
  standingOf,
} from './state.ts';

/** Options that a list shows at most; typing narrows it. */
const mostOptions = 50;
const standings: readonly Standing[] = ['matched', 'unmatched', 'ignored'];

/** The filter of a match, whose counts are those of what holds now. */
const filterOf = ({ filterPath: filter, label, texts, testId }: MatchNode): Node => ({
  type: 'filter',
  path: filter,
  look: 'segments',
  label,
  options: ['', ...standings].map(value => ({
    value,
    text: texts[(value || 'all') as Standing | 'all'],
    count: `row.${value || 'all'}`,
    ...(testId && { testId: `${testId}-${value || 'all'}` }),
  })),
});

/**
 * A list in which the user matches items with options (such as own customers with those of another system), many before
 * they are sent together; see the language (`match`).
 */
export function Match({ node, scope }: NodeProps<'match'>): ReactNode {
  const form = useForm() as FormStore;
  useChannel(form.channel(node.propertyName));
  const text = form.value(node.propertyName);
  const speech = useSpeech();
  const source = useRows(node.rows, scope);
  const optionSource = useRows(node.candidates.rows, scope);
  const [filter] = usePlace(node.filterPath);
  const [words] = usePlace(node.searchPath);
  const [said, announce] = useState('');
  /** Place of the row that was changed, which may be gone with what had the focus. */
  const changedAt = useRef<number>(undefined);

  const { texts, many = false } = node;
  const say: Say = useMemo(
    () => (written, about) => speech.text(written, { ...node.values, ...asValues(about) }, scope),
    [speech, node, scope],
  );
  const items = useMemo(() => itemsOf(node, source.rows), [node, source.rows]);
  const options = useMemo(() => optionsOf(node, optionSource.rows), [node, optionSource.rows]);
  const loaded = useMemo(() => new Map(items.map(item => [item.key, item.loaded])), [items]);
  const changes = useMemo(() => readChanges(text) ?? new Map<string, Matched>(), [text]);
  const state = useMemo(() => applyChanges(items, changes), [items, changes]);
  const { current, taken, counts } = state;

  // What was loaded again may be as it was changed here: that differs no more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is changed here is written as it differs.
  useLayoutEffect(() => {
    if (loaded.size > 0) form.set(node.propertyName, writeChanges(loaded, changes));
  }, [form, node.propertyName, loaded]);

  const filters = useMemo(() => [filterOf(node)], [node]);
  const asked = plain(String(words ?? '').trim());
  const titleOf = (item: Item, match: Matched) =>
    match.option === null
      ? ''
      : (options.get(match.option)?.title ?? (match.option === item.loaded.option ? item.loadedTitle : match.option));
  const shown = items.filter(item => {
    const match = current.get(item.key) as Matched;
    return (
      (!filter || standingOf(match) === filter) &&
      (asked === '' || item.words.includes(asked) || plain(titleOf(item, match)).includes(asked))
    );
  });
  const proposals = useMemo(() => proposalsFor(items, state, options, many), [items, state, options, many]);
  const { from, to, before, after, body } = useWindow(shown.length);

  const find = (item: Item, typed: string) => {
    const own = current.get(item.key)?.option;
    const words = plain(typed.trim());
    const fitting = [...options.values()].filter(
      option => (many || option.key === own || !taken.has(option.key)) && option.words.includes(words),
    );
    return { shown: fitting.slice(0, mostOptions), more: Math.max(0, fitting.length - mostOptions) };
  };
  const set = (item: Item, match: Matched) => {
    changedAt.current = shown.indexOf(item) - from;
    form.set(node.propertyName, writeChanges(loaded, new Map(changes).set(item.key, match)));
    announce(`${item.title}: ${say(texts[standingOf(match)])}`);
  };
  // The same functions for every drawing, so that rows stay as they are.
  const latest = useRef({ find, set });
  latest.current = { find, set };
  const [acts] = useState(() => ({
    find: (item: Item, typed: string) => latest.current.find(item, typed),
    set: (item: Item, match: Matched) => latest.current.set(item, match),
  }));

  // A row that has gone from the list leaves the focus to the one in its place.
  useLayoutEffect(() => {
    const at = changedAt.current;
    changedAt.current = undefined;
    if (at === undefined || (document.activeElement && document.activeElement !== document.body)) return;
    const rows = [...(body.current?.rows ?? [])].filter(row => !row.hasAttribute('aria-hidden'));
    (rows[at] ?? rows.at(-1))?.querySelector<HTMLElement>('input:enabled, button')?.focus();
  });

  const acceptAll = () => {
    const next = new Map(changes);
    for (const [item, option] of proposals) next.set(item.key, { option: option.key, ignored: false });
    form.set(node.propertyName, writeChanges(loaded, next));
    announce(say(texts.acceptAll, { count: proposals.size }));
  };

  const label = say(node.label);
  if (source.rows === undefined) {
    if (source.failed !== undefined)
      return <Trouble text={source.failed} retry={speech.word('retry')} run={source.retry} />;
    return source.isLate && <ListBones rows={8} />;
  }
  const isWindowed = to - from < shown.length;
  return (
    <div className="match" data-testid={node.testId}>
      {optionSource.failed !== undefined && (
        <Trouble text={optionSource.failed} retry={speech.word('retry')} run={optionSource.retry} />
      )}
      {optionSource.rows?.length === 0 && <Message kind="bad" text={say(node.candidates.emptyText)} />}
      <div className="match__bar">
        {drawNodes(filters, withRow(scope, counts))}
        {proposals.size > 0 && (
          <button
            className="button button--small"
            type="button"
            data-testid={partId(node.testId, 'accept-all')}
            onClick={acceptAll}
          >
            <span className="button__text">{say(texts.acceptAll, { count: proposals.size })}</span>
          </button>
        )}
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {shown.length === 0 ? (
        <p className="table-empty" role="status">
          {say(items.length === 0 ? texts.empty : texts.noMatch)}
        </p>
      ) : (
        <div className="table-block">
          <table
            className="table"
            {...roles.table}
            aria-label={label}
            aria-busy={source.loading || undefined}
            aria-rowcount={isWindowed ? shown.length + 1 : undefined}
          >
            <thead {...roles.group}>
              <tr {...roles.row}>
                <th {...roles.columnHeader} scope="col" className="cell-lead">
                  {say(node.heading)}
                </th>
                {node.columns?.map(column => (
                  <th
                    key={column.id ?? column.path}
                    {...roles.columnHeader}
                    scope="col"
                    className={column.format === 'currency' ? 'cell-num' : undefined}
                  >
                    {say(column.title)}
                  </th>
                ))}
                <th {...roles.columnHeader} scope="col">
                  {say(texts.standing)}
                </th>
                <th {...roles.columnHeader} scope="col">
                  {say(node.candidates.heading)}
                </th>
                <th {...roles.columnHeader} scope="col">
                  <span className="visually-hidden">{speech.word('table.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody {...roles.group} ref={body}>
              {spacer(before)}
              {shown.slice(from, to).map((item, index) => {
                const match = current.get(item.key) as Matched;
                return (
                  <MatchRow
                    key={item.key}
                    node={node}
                    scope={scope}
                    speech={speech}
                    say={say}
                    item={item}
                    match={match}
                    optionTitle={titleOf(item, match)}
                    proposal={proposals.get(item)}
                    place={isWindowed ? from + index + 2 : undefined}
                    testId={partId(node.testId, `row-${item.key}`)}
                    find={acts.find}
                    set={acts.set}
                  />
                );
              })}
              {spacer(after)}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

/** Plain values as a node binds them. */
const asValues = (about: Readonly<Record<string, string | number>> | undefined) =>
  Object.fromEntries(Object.entries(about ?? {}).map(([name, value]) => [name, { value }]));
