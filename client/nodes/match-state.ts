import type { MatchNode } from '../../shared/language/types.ts';
import type { Match } from '../../shared/rules/changes.ts';
import { readPath } from '../../shared/rules/path.ts';
import type { Row } from '../runtime/scope.ts';

export type Standing = 'matched' | 'unmatched' | 'ignored';

/** Document 2, section 4: matched is what has an option and is not ignored. */
export const standingOf = ({ option, ignored }: Match): Standing =>
  ignored ? 'ignored' : option === null ? 'unmatched' : 'matched';

/** An item of the list as it was loaded. */
export type Item = {
  readonly row: Row;
  readonly key: string;
  readonly title: string;
  readonly loaded: Match;
  /** What the option is called that it was loaded with. */
  readonly loadedTitle: string;
  readonly suggested: string | undefined;
};

export type Option = { readonly key: string; readonly title: string; readonly words: string };

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

export function itemsOf(node: MatchNode, rows: readonly Row[] | undefined): Item[] {
  return (rows ?? []).map(row => {
    const read = (path: string | undefined) => (path === undefined ? undefined : readPath({ row }, path));
    const option = textOf(read(node.selected));
    return {
      row,
      key: String(row[node.key]),
      title: textOf(read(node.title)),
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

/** What holds for each item now: as it was loaded, but for what was changed. */
export const currentOf = (items: readonly Item[], changes: ReadonlyMap<string, Match>): ReadonlyMap<string, Match> =>
  new Map(items.map(({ key, loaded }) => [key, changes.get(key) ?? loaded]));

/** The options that some item has. */
export const takenOf = (current: ReadonlyMap<string, Match>): ReadonlySet<string> =>
  new Set([...current.values()].flatMap(({ option }) => (option === null ? [] : [option])));

/**
 * What is proposed for the items that have nothing: options that are there. Unless there may be `many`, none that an item
 * has already, nor one that is proposed for two: it would have to be guessed whose it is.
 */
export function proposalsFor(
  items: readonly Item[],
  current: ReadonlyMap<string, Match>,
  options: ReadonlyMap<string, Option>,
  many: boolean,
): ReadonlyMap<Item, Option> {
  const taken = takenOf(current);
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
