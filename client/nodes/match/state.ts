import type { MatchNode } from '../../../shared/language/types.ts';
import type { Match } from '../../../shared/rules/match-changes.ts';
import { readPath } from '../../../shared/rules/path.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Row } from '../../runtime/state/scope.ts';
import { textOf } from '../field/control.tsx';

export type Standing = 'matched' | 'unmatched' | 'ignored';

/** Says whether an item is matched (has an option), unmatched or ignored (document 2, section 4). */
export const standingOf = ({ option, ignored }: Match): Standing =>
  ignored ? 'ignored' : option === null ? 'unmatched' : 'matched';

/** An item of the list as it was loaded. */
export type Item = {
  readonly row: Row;
  readonly key: string;
  readonly title: string;
  /** The title for comparing. */
  readonly words: string;
  readonly loaded: Match;
  /** What the option is called that it was loaded with. */
  readonly loadedTitle: string;
  readonly suggested: string | undefined;
};

export type Option = { readonly key: string; readonly title: string; readonly words: string };

/** Reads the items to match from the rows of their data source; none while there are no rows. */
export function itemsOf(node: MatchNode, rows: readonly Row[] | undefined): Item[] {
  return (rows ?? []).map(row => {
    const read = (path: string | undefined) => (path === undefined ? undefined : readPath({ row }, path));
    const option = textOf(read(node.selected));
    const title = textOf(read(node.titlePath));
    return {
      row,
      key: String(row[node.key]),
      title,
      words: searchKey(title),
      loaded: { option: option === '' ? null : option, ignored: read(node.ignored) === true },
      loadedTitle: textOf(read(node.selectedTitle)),
      suggested: textOf(read(node.suggested)) || undefined,
    };
  });
}

/**
 * Reads the options that items are matched with, by key, from the rows of their data source; none while there are no
 * rows.
 */
export function optionsOf({ candidates: options }: MatchNode, rows: readonly Row[] | undefined): Map<string, Option> {
  const found = (rows ?? []).map((row): Option => {
    const title = textOf(readPath({ row }, options.titlePath));
    return { key: String(row[options.key]), title, words: searchKey(title) };
  });
  return new Map(found.map(option => [option.key, option]));
}

/** The matches as they are now: the loaded ones with the user's changes applied. */
export type MatchState = {
  /** The match of every item, by the item's key. */
  readonly current: ReadonlyMap<string, Match>;
  /** Keys of the options that an item has. */
  readonly taken: ReadonlySet<string>;
  /** How many items have each state. */
  readonly counts: Readonly<Record<Standing | 'all', number>>;
};

/**
 * Applies the user's changes (by the key of an item) to the loaded items; gives the match of every item, the options
 * taken and the counts.
 */
export function applyChanges(items: readonly Item[], changes: ReadonlyMap<string, Match>): MatchState {
  const current = new Map<string, Match>();
  const taken = new Set<string>();
  const counts = { all: items.length, matched: 0, unmatched: 0, ignored: 0 };
  for (const { key, loaded } of items) {
    const match = changes.get(key) ?? loaded;
    current.set(key, match);
    counts[standingOf(match)] += 1;
    if (match.option !== null) taken.add(match.option);
  }
  return { current, taken, counts };
}

/**
 * Finds the options to propose for unmatched items: the suggested option of each, if it exists. Unless `many` items may
 * share an option, leaves out an option that an item has already, and one that is suggested for two items, since the
 * right item would be a guess.
 */
export function proposalsFor(
  items: readonly Item[],
  { current, taken }: MatchState,
  options: ReadonlyMap<string, Option>,
  many: boolean,
): ReadonlyMap<Item, Option> {
  const open = items.filter(({ key }) => standingOf(current.get(key) as Match) === 'unmatched');
  const times = new Map<string, number>();
  for (const { suggested = '' } of open) times.set(suggested, (times.get(suggested) ?? 0) + 1);
  const proposals = new Map<Item, Option>();
  for (const item of open) {
    const option = options.get(item.suggested ?? '');
    if (option && (many || (!taken.has(option.key) && times.get(option.key) === 1))) proposals.set(item, option);
  }
  return proposals;
}
