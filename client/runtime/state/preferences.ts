import { useCallback, useMemo } from 'react';
import { type Portal, usePortalObject } from './portal.ts';
import { createStore, type Store, useStore } from './store.ts';

/**
 * What people choose for themselves and find again: it is kept on this device, apart for each person who signs in here.
 */
const stores = new WeakMap<Portal, Map<string, Store<unknown>>>();

const keyOf = (portal: Portal, name: string): string => `portal.${portal.boot.get().principal.identity}.${name}`;

function readKept(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** The stores of a page, which follow the changes of other windows of this browser. */
function storesOf(portal: Portal): Map<string, Store<unknown>> {
  const there = stores.get(portal);
  if (there) return there;
  const own = new Map<string, Store<unknown>>();
  stores.set(portal, own);
  // A window is not told of what it wrote itself. Without a key everything was deleted.
  addEventListener('storage', event => {
    for (const [name, store] of own) {
      const key = keyOf(portal, name);
      if (event.key === key || event.key === null) store.set(readKept(key));
    }
  });
  return own;
}

/** The store of one preference, so that all parts of the page, and other windows, follow a change. */
function storeOf(portal: Portal, name: string): Store<unknown> {
  const own = storesOf(portal);
  const store = own.get(name) ?? createStore(readKept(keyOf(portal, name)));
  own.set(name, store);
  return store;
}

/** Reads a stored preference of the user outside of React; null when there is none. */
export const readPreference = (portal: Portal, name: string): unknown => storeOf(portal, name).get();

/**
 * Hook for a stored preference of the user: gives its value and a function that sets it. `accept` makes the value from
 * what is stored, which may be null or damaged; it must stay the same function.
 */
export function usePreference<T>(name: string, accept: (kept: unknown) => T): readonly [T, (next: T) => void] {
  const portal = usePortalObject();
  const kept = useStore(storeOf(portal, name));
  const value = useMemo(() => accept(kept), [accept, kept]);
  const set = useCallback(
    (next: T) => {
      storeOf(portal, name).set(next);
      try {
        localStorage.setItem(keyOf(portal, name), JSON.stringify(next));
      } catch {
        // Without storage the choice lasts as long as the page.
      }
    },
    [portal, name],
  );
  return [value, set];
}
