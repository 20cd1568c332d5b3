import type { Effect, Layout } from '../../../shared/language/types.ts';
import { checkLanguage } from '../state/newer-layout.ts';
import type { Server } from './server.ts';

/** Layouts by content hash: once here, a layout never changes. */
export type Layouts = {
  get(hash: string | undefined): Layout | undefined;
  add(hash: string, layout: Layout): void;
  /** Reads a layout unless it is here. Throws Failure and NewerLayout. */
  load(hash: string): Promise<Layout>;
};

/** Creates the cache of layouts by hash; two loads of one hash at once send one request. */
export function createLayouts(server: Server): Layouts {
  const known = new Map<string, Layout>();
  const loading = new Map<string, Promise<Layout>>();
  return {
    get: hash => (hash === undefined ? undefined : known.get(hash)),
    add: (hash, layout) => void known.set(hash, layout),
    load(hash) {
      const here = known.get(hash);
      if (here) return Promise.resolve(here);
      let promise = loading.get(hash);
      if (!promise) {
        promise = server
          .layout(hash)
          .then(layout => {
            known.set(hash, checkLanguage(layout));
            return layout;
          })
          .finally(() => loading.delete(hash));
        loading.set(hash, promise);
      }
      return promise;
    },
  };
}

/** Collects the ids of the popups that a layout, or a part of it, may open. */
export function popupsOf(part: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (!part || typeof part !== 'object') return found;
  const { do: name, popup } = part as Partial<Extract<Effect, { do: 'open-popup' }>>;
  if (name === 'open-popup' && typeof popup === 'string') found.add(popup);
  for (const inner of Object.values(part)) popupsOf(inner, found);
  return found;
}
