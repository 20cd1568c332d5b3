import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Match, readChanges, writeChanges } from '../../../shared/rules/match-changes.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import { useRows } from '../../runtime/data/rows.ts';
import { usePlace } from '../../runtime/effects/navigation.tsx';
import { useChannel, useForm } from '../../runtime/forms/form-context.ts';
import type { NodeProps } from '../../runtime/page/registry.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { useWindow } from '../table/window.ts';
import type { Say } from './row.tsx';
import { applyChanges, type Item, itemsOf, optionsOf, proposalsFor, standingOf } from './state.ts';

/** Options that a list shows at most; typing narrows it. */
const mostOptions = 50;
/**
 * The items of a match as they are with what was changed and not yet sent, those that filter and search leave, and what
 * changes them.
 */
export function useMatches({ node, scope }: NodeProps<'match'>) {
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
  const changes = useMemo(() => readChanges(text) ?? new Map<string, Match>(), [text]);
  const state = useMemo(() => applyChanges(items, changes), [items, changes]);
  const { current, taken, counts } = state;

  // What was loaded again may be as it was changed here: that differs no more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is changed here is written as it differs.
  useLayoutEffect(() => {
    if (loaded.size > 0) form.set(node.propertyName, writeChanges(loaded, changes));
  }, [form, node.propertyName, loaded]);

  const asked = searchKey(String(words ?? '').trim());
  const titleOf = (item: Item, match: Match) =>
    match.option === null
      ? ''
      : (options.get(match.option)?.title ?? (match.option === item.loaded.option ? item.loadedTitle : match.option));
  const shown = items.filter(item => {
    const match = current.get(item.key) as Match;
    return (
      (!filter || standingOf(match) === filter) &&
      (asked === '' || item.words.includes(asked) || searchKey(titleOf(item, match)).includes(asked))
    );
  });
  const proposals = useMemo(() => proposalsFor(items, state, options, many), [items, state, options, many]);
  const visible = useWindow(shown.length);
  const { from, body } = visible;

  const find = (item: Item, typed: string) => {
    const own = current.get(item.key)?.option;
    const words = searchKey(typed.trim());
    const fitting = [...options.values()].filter(
      option => (many || option.key === own || !taken.has(option.key)) && option.words.includes(words),
    );
    return { shown: fitting.slice(0, mostOptions), more: Math.max(0, fitting.length - mostOptions) };
  };
  const set = (item: Item, match: Match) => {
    changedAt.current = shown.indexOf(item) - from;
    form.set(node.propertyName, writeChanges(loaded, new Map(changes).set(item.key, match)));
    announce(`${item.title}: ${say(texts[standingOf(match)])}`);
  };
  // The same functions for every drawing, so that rows stay as they are.
  const latest = useRef({ find, set });
  latest.current = { find, set };
  const [acts] = useState(() => ({
    find: (item: Item, typed: string) => latest.current.find(item, typed),
    set: (item: Item, match: Match) => latest.current.set(item, match),
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

  return {
    say,
    speech,
    source,
    optionSource,
    items,
    shown,
    visible,
    current,
    counts,
    proposals,
    titleOf,
    said,
    acceptAll,
    ...acts,
  };
}

/** Plain values as a node binds them. */
const asValues = (about: Readonly<Record<string, string | number>> | undefined) =>
  Object.fromEntries(Object.entries(about ?? {}).map(([name, value]) => [name, { value }]));
