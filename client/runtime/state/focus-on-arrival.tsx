import { type ReactNode, useEffect, useLayoutEffect } from 'react';
import type { ScreenLayout } from '../../../shared/language/types.ts';
import type { OpenDocument } from './document.ts';
import { usePortalObject } from './portal.ts';
import type { Scope } from './scope.ts';
import { useStore } from './store.ts';
import { useTitle } from './title.ts';
import { useText } from './values.ts';

type ArrivalProps = { readonly document: OpenDocument; readonly layout: ScreenLayout; readonly scope: Scope };

/**
 * On a new screen: sets the page's title, moves the focus to the heading, and scrolls to where the screen was left. On
 * the sign-in card the first field gets the focus, also when the page is opened there.
 */
export function Arrival({ document: shown, layout, scope }: ArrivalProps): ReactNode {
  const portal = usePortalObject();
  // A layout that is embedded is no page of its own.
  const screen = useStore(portal.screen, open => (open?.document === shown ? open : undefined));
  const productName = useStore(
    portal.boot,
    boot => boot.principal.look?.name ?? boot.navigation?.productName ?? boot.words.product,
  );
  const product = useText(productName, undefined, scope);
  const title = useTitle(layout, scope);
  useEffect(() => {
    if (screen) document.title = [title, product].filter(Boolean).join(' · ');
  }, [screen, title, product]);
  useLayoutEffect(() => {
    if (!screen) return;
    // A stage of signing in is there to be typed into.
    const field = document.querySelector<HTMLElement>('.gate :read-write');
    if (screen.by === 'start') return field?.focus();
    const heading = document.querySelector('h1');
    if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
    (field ?? heading)?.focus({ preventScroll: true });
    // Rows of a list that is in the cache are there one commit later, still before the browser paints.
    const frame = requestAnimationFrame(() => {
      const anchor = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (anchor) anchor.scrollIntoView();
      else window.scrollTo(0, screen.scroll);
    });
    return () => cancelAnimationFrame(frame);
  }, [screen]);
  return null;
}
