import { type AnchorHTMLAttributes, useCallback } from 'react';
import type { Scalar } from '../../../shared/language/types.ts';
import { isPlainClick } from '../../look/plain-click.ts';
import type { OpenDocument } from '../state/document.ts';
import { useDocument } from '../state/document-scope.tsx';
import { type NavigateOptions, type Portal, usePortalObject } from '../state/portal.ts';
import { useStore } from '../state/store.ts';

/** Gives the pathname of the screen, without the query. */
export function usePath(): string {
  return useStore(usePortalObject().screen, screen => screen?.pathname ?? '/');
}

/**
 * Hook that gives `navigate(to, { replace })`, `back(to)`, `prefetch(to)` and `setRoute(changes, { replace })`, which
 * changes values of the address.
 */
export function useNavigation() {
  return usePortalObject().host;
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string };

/** A link to a screen of the portal; it loads the screen's layout and first data when pointed at or focused. */
export function A({ href, onClick, ...rest }: LinkProps) {
  const { host } = usePortalObject();
  const prefetch = () => host.prefetch(href);
  return (
    <a
      {...rest}
      href={href}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={event => {
        onClick?.(event);
        if (!isPlainClick(event) || rest.target) return;
        event.preventDefault();
        void host.navigate(href);
      }}
    />
  );
}

/**
 * Sets a place, which is a value of the address (`route.page`) or of the document's state (`state.open`), outside of
 * React.
 */
export function setPlace(
  portal: Portal,
  document: OpenDocument,
  place: string,
  value: Scalar | undefined,
  options?: NavigateOptions,
): void {
  setPlaces(portal, document, { [place]: value }, options);
}

/** Sets several places (see `setPlace`) at once; those of the address together, as one navigation. */
export function setPlaces(
  portal: Portal,
  document: OpenDocument,
  values: Readonly<Record<string, Scalar | undefined>>,
  options?: NavigateOptions,
): void {
  const route: Record<string, string | undefined> = {};
  for (const [place, value] of Object.entries(values)) {
    const name = place.slice(place.indexOf('.') + 1);
    if (place.startsWith('state.')) document.state.set({ ...document.state.get(), [name]: value ?? null });
    else route[name] = value === undefined || value === null || value === '' ? undefined : String(value);
  }
  if (Object.keys(route).length > 0) portal.host.setRoute(route, options);
}

const none: readonly string[] = [];

/**
 * Hook for a place, a value of the address (`route.page`) or of the document's state (`state.open`): gives its value
 * and a function that sets it. Values of the address are texts. `resets` are places that a new value clears, such as
 * the page number of a list.
 */
export function usePlace(
  place: string | undefined,
  resets: readonly string[] = none,
): readonly [value: Scalar | undefined, set: (value: Scalar | undefined, options?: NavigateOptions) => void] {
  const portal = usePortalObject();
  const document = useDocument();
  const name = place?.slice(place.indexOf('.') + 1) ?? '';
  const fromRoute = useStore(portal.route, route => route[name]);
  const fromState = useStore(document.state, state => state[name]);
  const set = useCallback(
    (value: Scalar | undefined, options?: NavigateOptions) => {
      if (place)
        setPlaces(
          portal,
          document,
          { ...Object.fromEntries(resets.map(other => [other, undefined])), [place]: value },
          options,
        );
    },
    [portal, document, place, resets],
  );
  if (place === undefined) return [undefined, set];
  return [place.startsWith('state.') ? fromState : fromRoute, set];
}
