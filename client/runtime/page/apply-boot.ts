import type { Boot } from '../../../shared/contract/boot.ts';
import { matchRoute } from '../../../shared/rules/route.ts';
import type { Layouts } from '../data/layouts.ts';
import { type OpenDocument, replaceLayout } from '../state/document.ts';
import { NewerLayout } from '../state/newer-layout.ts';
import { offerReload, type Portal, showNavigation } from '../state/portal.ts';
import type { Screens } from './screens.ts';

/**
 * Replaces the boot (the page's data on its user) after rights or layouts have changed. Open screens and popups get
 * their new layouts and keep what was typed. A popup that the caller lost is closed, a lost screen is opened again, as is
 * one that refuses what the caller has now, and a layout that this page cannot draw leaves the one before. Reloads the
 * page for another user.
 */
export async function applyBoot(portal: Portal, next: Boot, layouts: Layouts, screens: Screens): Promise<void> {
  const before = portal.boot.get();
  if (next.principal.identity !== before.principal.identity) return portal.host.reload();
  if (next.runtime !== before.runtime) offerReload(portal);
  // The page keeps the name of the code that it runs.
  portal.boot.set({ ...next, runtime: before.runtime });
  if (next.principal.locale !== before.principal.locale) document.documentElement.lang = next.principal.locale;
  showNavigation(portal, next);
  const screen = portal.screen.get();
  const patterns = next.routes.map(([pattern]) => pattern);
  if (isOpenNow(screens.address(), patterns)) return screens.reopen();
  const match = screen && matchRoute(patterns, screen.pathname);
  const hash = next.routes.find(([pattern]) => pattern === match?.pattern)?.[2];
  await Promise.all([
    screen && (hash ? renew(portal, screen.document, hash, layouts) : screens.reopen()),
    ...portal.popups.get().map(async popup => {
      const newer = next.popups[popup.id];
      if (newer) await renew(portal, popup.document, newer, layouts);
      else portal.host.closePopup(popup.key);
    }),
  ]);
}

/** True of a page that refuses an address whose screen the caller has now: the server leads from it to there. */
function isOpenNow(address: string, patterns: readonly string[]): boolean {
  const [path, query] = address.split('?');
  const from = path?.startsWith('/access-denied') && new URLSearchParams(query).get('from');
  return !!from && matchRoute(patterns, from.split('?')[0]!) !== undefined;
}

async function renew(portal: Portal, document: OpenDocument, hash: string, layouts: Layouts): Promise<void> {
  if (document.layout.get().hash === hash) return;
  try {
    replaceLayout(document, hash, await layouts.load(hash));
  } catch (error) {
    if (!(error instanceof NewerLayout)) throw error;
    offerReload(portal);
  }
}
