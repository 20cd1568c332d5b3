import type { ListNode, NavigationEntry, NavigationLayout } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { fillAddress, readPath } from '../../shared/rules/path.ts';
import { interpolate, resolveText } from '../../shared/rules/text.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { runEffects } from '../runtime/effects/run-effects.ts';
import { toast } from '../runtime/effects/toasts.tsx';
import type { OpenDocument } from '../runtime/state/document.ts';
import { type Portal, speechFor } from '../runtime/state/portal.ts';
import { rowsOf, type Scope, withRow } from '../runtime/state/scope.ts';

export type Item = {
  readonly key: string;
  readonly text: string;
  readonly icon: string;
  readonly detail?: string;
  readonly testId?: string | undefined;
  /** Address that it opens, if it is a place; only such an item is remembered. */
  readonly href?: string | undefined;
  run(): void;
};
export type ItemGroup = { readonly id: string; readonly title: string; readonly items: readonly Item[] };

type Effects = NonNullable<NavigationEntry['on']>['press'];

/** What items need to be read and run. */
type Place = { readonly portal: Portal; readonly document: OpenDocument; readonly scope: Scope };

function placeOf(portal: Portal): Place | undefined {
  const document = portal.navigation.get();
  if (!document) return undefined;
  const [principal, route] = [portal.boot.get().principal, portal.route.get()];
  return { portal, document, scope: { principal, route, state: document.state.get(), data: document.data.get() } };
}

const go = (portal: Portal, href: string) => () => void portal.host.navigate(href);

const doAll =
  ({ portal, document, scope }: Place, node: string, effects: Effects) =>
  (): void =>
    void runEffects(effects, { portal, document, form: undefined, node, scope }).then(({ failure }) => {
      if (failure) toast(portal, { kind: 'bad', text: failure });
    });

/**
 * Gives the groups of the command palette that come from the navigation: actions and pages, each entry with the name of
 * its menu.
 */
export function menuGroups(portal: Portal, word: (name: string) => string): ItemGroup[] {
  const place = placeOf(portal);
  if (!place) return [];
  const { main = [], new: created, account } = place.document.layout.get().layout as NavigationLayout;
  const plain = (text: NavigationEntry['text']) => interpolate(text, {});
  const read = (entries: readonly NavigationEntry[], detail: string): Item[] =>
    entries.flatMap((entry): Item[] => {
      const { id = '', text, items, to, on, icon = 'arrow-right' } = entry;
      if (items) return read(items, plain(text));
      const href = to && fillAddress(to, place.scope);
      const run = href ? go(portal, href) : on && doAll(place, id, on.press);
      return run ? [{ key: `entry-${id}`, text: plain(text), icon, detail, testId: `palette-${id}`, href, run }] : [];
    });
  return [
    { id: 'actions', title: word('palette.actions'), items: created ? read(created.items, plain(created.text)) : [] },
    {
      id: 'pages',
      title: word('palette.pages'),
      items: [...read(main, ''), ...(account ? read(account.items, plain(account.text)) : [])],
    },
  ];
}

/**
 * Gives the groups of the command palette that a search found: one for each list with hits, and one for actions on the
 * first hits.
 */
export function foundGroups(portal: Portal, word: (name: string) => string): ItemGroup[] {
  const place = placeOf(portal);
  const { found = [] } = (place?.document.layout.get().layout ?? {}) as NavigationLayout;
  if (!place) return [];
  const { text } = speechFor(portal);
  const actions: Item[] = [];
  const groups = found.flatMap((node): ItemGroup[] => {
    if (node.type !== 'list' || !isMet(node.when, place.scope)) return [];
    const rows = rowsOf(readPath(place.scope, node.rows)) ?? [];
    const first = rows[0];
    if (first) actions.push(...actionsOf(node, { ...place, scope: withRow(place.scope, first) }));
    const items = rows.flatMap(row => itemOf(node, portal, withRow(place.scope, row), String(row[node.key])));
    return items.length === 0 ? [] : [{ id: node.id ?? '', title: text(node.label, node.values, place.scope), items }];
  });
  return actions.length === 0 ? groups : [...groups, { id: 'hit', title: word('palette.actions'), items: actions }];
}

function itemOf(node: ListNode, portal: Portal, scope: Scope, key: string): Item[] {
  const href = node.to && fillAddress(node.to, scope);
  const read = (path: string | undefined) => String((path && readPath(scope, path)) ?? '');
  const entry = entryFor(node.catalogue, node.status && readPath(scope, node.status));
  if (!href) return [];
  return [
    {
      key: `${node.id}-${key}`,
      text: read(node.titlePath),
      icon: read(node.iconPath) || (node.icon ?? 'arrow-right'),
      detail: entry ? resolveText(entry.text, node.values, scope) : read(node.detail),
      testId: `palette-${node.id}`,
      href,
      run: go(portal, href),
    },
  ];
}

/** The buttons and links of a list for one of its items. */
function actionsOf(node: ListNode, place: Place): Item[] {
  const { text } = speechFor(place.portal);
  return (node.actions ?? []).flatMap((action): Item[] => {
    if ((action.type !== 'button' && action.type !== 'link') || !isMet(action.when, place.scope)) return [];
    const { id = '', icon = 'arrow-right', testId } = action;
    const href = action.type === 'link' && action.to ? fillAddress(action.to, place.scope) : undefined;
    const run = action.type === 'button' ? doAll(place, id, action.on.press) : href && go(place.portal, href);
    const written = text(action.text, action.values, place.scope);
    return run ? [{ key: `action-${testId ?? id}`, text: written, icon, testId: `palette-${testId ?? id}`, run }] : [];
  });
}

const mostRecent = 5;
export type Recent = Required<Pick<Item, 'text' | 'icon' | 'detail'>> & { readonly href: string };

/** Reads the recently opened pages from the stored preference; an empty list when it is damaged. */
export const acceptRecent = (kept: unknown): readonly Recent[] =>
  Array.isArray(kept) ? kept.filter(item => typeof item?.href === 'string' && typeof item.text === 'string') : [];

/** Makes the entries of the command palette for recently opened pages. */
export const recentItems = (portal: Portal, recent: readonly Recent[]): Item[] =>
  recent.map(item => ({
    ...item,
    key: `recent-${item.href}`,
    testId: 'palette-recent',
    run: go(portal, item.href),
  }));

/** Gives the list of recently opened pages with this one put first; bounded in length. */
export function withRecent(recent: readonly Recent[], { text, icon, detail = '', href }: Item): readonly Recent[] {
  if (href === undefined) return recent;
  return [{ text, icon, detail, href }, ...recent.filter(other => other.href !== href)].slice(0, mostRecent);
}
