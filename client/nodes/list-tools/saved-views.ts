import type { TableNode } from '../../../shared/language/types.ts';
import { firstSize } from '../../../shared/rules/paging.ts';
import { usePreference } from '../../runtime/state/preferences.ts';
import { usePreferenceName, useTableView, writeHiddenColumns } from '../table/view.ts';
import { usePlaces } from './places.ts';

/** What is set of a view, by the names that it has in the address. */
export type ViewValues = Readonly<Record<string, string>>;
export type SavedView = { readonly name: string; readonly values: ViewValues };

/** Views that a person can keep of one table, and the longest name. */
const most = 20;
export const longestName = 60;

const isSavedView = (value: unknown): value is SavedView => {
  const { name, values } = (value ?? {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof values === 'object' && values !== null;
};
const acceptViews = (kept: unknown): readonly SavedView[] => (Array.isArray(kept) ? kept.filter(isSavedView) : []);

const isSame = (one: ViewValues, other: ViewValues): boolean =>
  Object.keys({ ...one, ...other }).every(name => one[name] === other[name]);

export type Views = {
  readonly saved: readonly SavedView[];
  /** The saved view that is shown. */
  readonly current: SavedView | undefined;
  /** Saves what is shown under a name; a view of this name is replaced. */
  save(name: string): void;
  remove(view: SavedView): void;
  restore(view: SavedView): void;
  pick(view: SavedView): void;
  /** The address of what is shown, for somebody else. */
  link(): string;
};

/**
 * Hook for the views of a table that the user has saved by name (filters, order, page size, columns), and the one
 * shown.
 */
export function useViews(node: TableNode): Views {
  const view = useTableView(node);
  const { sort, paging } = node;
  const own = [...(node.filteredBy ?? []), sort?.path, paging?.size].filter(place => place?.startsWith('route.'));
  const [values, set] = usePlaces(own as string[]);
  const [saved, keep] = usePreference(usePreferenceName(node, 'views'), acceptViews);

  // What is not in the address counts as what it stands for, so that a view is recognised however one came to it.
  const usual: Readonly<Record<string, string | undefined>> = {
    ...(sort && { [sort.path]: sort.initial }),
    ...(paging && { [paging.size]: String(firstSize(paging)) }),
  };
  const shown: Record<string, string> = {};
  for (const place of own as string[]) {
    const value = String(values[place] ?? '');
    if (value !== '' && value !== usual[place]) shown[nameOf(place)] = value;
  }
  if (node.view) {
    shown[nameOf(node.view.hidden)] = writeHiddenColumns(view.hidden);
    shown[nameOf(node.view.density)] = view.density;
  }
  const places = [...(own as string[]), ...(node.view ? [node.view.hidden, node.view.density] : [])];
  const others = (name: string) => saved.filter(other => other.name !== name);
  return {
    saved,
    current: saved.find(one => isSame(one.values, shown)),
    save: name => keep([...others(name), { name, values: shown }].slice(-most)),
    remove: ({ name }) => keep(others(name)),
    restore: one => keep([...others(one.name), one]),
    pick: one =>
      set({
        ...Object.fromEntries(places.map(place => [place, one.values[nameOf(place)]])),
        ...(paging && { [paging.page]: undefined }),
      }),
    link() {
      const address = new URL(location.href);
      for (const place of [...places, ...(paging ? [paging.page] : [])]) address.searchParams.delete(nameOf(place));
      for (const [name, value] of Object.entries(shown)) address.searchParams.set(name, value);
      return address.href;
    },
  };
}

const nameOf = (place: string): string => place.slice('route.'.length);
