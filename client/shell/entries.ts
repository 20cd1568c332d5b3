import type { LayoutText, NavigationEntry } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { fillAddress, readPath, type Scope } from '../../shared/rules/path.ts';
import { interpolate } from '../../shared/rules/text.ts';
import type { MenuEntry } from '../look/menu-panel.tsx';
import type { Host } from '../runtime/state/portal.ts';
import type { Press } from './press.ts';

/** Gives a text of the navigation as a string; texts there bind no values. */
export function plain(text: LayoutText | undefined): string {
  return interpolate(text, {});
}

function pathOf(address: string): string {
  return address.split(/[?#]/, 1)[0] as string;
}

/** Two entries may lead to one path with another query: then the query tells them apart. */
function hasQueryOf(address: string, scope: Scope): boolean {
  const query = new URLSearchParams(address.split('?', 2)[1]);
  return [...query].every(([name, value]) => readPath(scope, `route.${name}`) === value);
}

/**
 * Gives `aria-current` of a navigation entry: `page` when it is the page, `true` when the page is below it, else
 * undefined. When one of the entries `beside` is the page, this one is not marked as above it.
 */
export function currentOf(
  { to, under, items }: NavigationEntry,
  path: string,
  scope: Scope,
  beside?: readonly NavigationEntry[],
): 'page' | 'true' | undefined {
  const address = to && fillAddress(to, scope);
  if (address && pathOf(address) === path && hasQueryOf(address, scope)) return 'page';
  const isUnder = under && `${path}/`.startsWith(`${under.replace(/\/$/, '')}/`);
  const isAbove = isUnder && !beside?.some(other => currentOf(other, path, scope) === 'page');
  return isAbove || items?.some(item => currentOf(item, path, scope)) ? 'true' : undefined;
}

/**
 * Makes the entries of a menu from those of the navigation; an entry with entries of its own is replaced by these, with
 * a divider before them.
 */
export function menuEntries(
  entries: readonly NavigationEntry[],
  context: {
    readonly scope: Scope;
    readonly path: string;
    readonly host: Host;
    readonly press: Press;
    readonly newTab: string;
  },
): readonly MenuEntry[] {
  const { scope, path, host, press } = context;
  return entries.flatMap((entry, index): readonly MenuEntry[] => {
    if (!isMet(entry.when, scope)) return [];
    if (entry.items)
      return menuEntries(entry.items, context).map((item, at) => (at === 0 ? { ...item, divider: index > 0 } : item));
    const href = entry.to && fillAddress(entry.to, scope);
    const effects = entry.on?.press;
    return [
      {
        key: entry.id ?? `${index}`,
        text: plain(entry.text),
        icon: entry.icon,
        testId: entry.testId,
        divider: entry.divider && index > 0,
        href,
        external: entry.external,
        newTab: context.newTab,
        current: currentOf(entry, path, scope) === 'page',
        press: () => {
          if (effects) press(effects, entry.id);
          else if (href) void host.navigate(href);
        },
      },
    ];
  });
}
