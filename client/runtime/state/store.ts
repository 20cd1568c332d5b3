import { useSyncExternalStore } from 'react';

/** One value that components subscribe to; `set` with the same value tells nobody. */
export type Store<T> = {
  get(): T;
  set(next: T): void;
  /** Gives the function that ends the subscription. */
  subscribe(listener: () => void): () => void;
};

/** What is read and watched, but set elsewhere. */
export type Readable<T> = Omit<Store<T>, 'set'>;

/** Creates a store: one value, `first` to begin with, that components of the page read, set and subscribe to. */
export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * Hook that reads a store and draws again when its value changes; `select` must give the same object for the same
 * value.
 */
export function useStore<T>(store: Readable<T>): T;
/** Hook that reads what `select` picks from a store, and draws again when that changes. */
export function useStore<T, S>(store: Readable<T>, select: (value: T) => S): S;
/** Hook that reads a store, or what `select` picks from it, and draws again when that changes. */
export function useStore<T, S>(store: Readable<T>, select?: (value: T) => S): T | S {
  return useSyncExternalStore(store.subscribe, () => (select ? select(store.get()) : store.get()));
}
