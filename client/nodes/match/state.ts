import type { MatchNode } from '../../../shared/language/types.ts';
import type { Match } from '../../../shared/rules/match-changes.ts';
import { readPath } from '../../../shared/rules/path.ts';
import type { Row } from '../../runtime/scope.ts';
import { textOf } from '../field/control.tsx';

export type Standing = 'matched' | 'unmatched' | 'ignored';

/** Document 2, section 4: matched is what has an option and is not ignored. */
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

export function itemsOf(node: MatchNode, rows: readonly Row[] | undefined): Item[] {
  return (rows ?? []).map(row => {
    const read = (path: string | undefined) => (path === undefined ? undefined : readPath({ row }, path));
    const option = textOf(read(node.selected));
    const title = textOf(read(node.title));
    return {
      row,
      key: String(row[node.key]),
      title,
      words: plain(title),
      loaded: { option: option === '' ? null : option, ignored: read(node.ignored) === true },
      loadedTitle: textOf(read(node.selectedTitle)),
      suggested: textOf(read(node.suggested)) || undefined,
    };
  });
}

/** For comparing: letters without case, and without accents. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export function optionsOf({ options }: MatchNode, rows: readonly Row[] | undefined): Map<string, Option> {
  const found = (rows ?? []).map((row): Option => {
    const title = textOf(readPath({ row }, options.title));
    return { key: String(row[options.key]), title, words: plain(title) };
  });
  return new Map(found.map(option => [option.key, option]));
}

/** How it stands now: as it was loaded, but for what was changed. */
export type Present = {
  readonly current: ReadonlyMap<string, Match>;
  /** The options that some item has. */
  readonly taken: ReadonlySet<string>;
  readonly counts: Readonly<Record<Standing | 'all', number>>;
};

export function presentOf(items: readonly Item[], changes: ReadonlyMap<string, Match>): Present {
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
 * What is proposed for the items that have nothing: options that are there. Unless there may be `many`, none that an item
 * has already, nor one that is proposed for two: it would have to be guessed whose it is.
 */
export function proposalsFor(
  items: readonly Item[],
  { current, taken }: Present,
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
