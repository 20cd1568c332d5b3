import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * Gives the address of the module that could not be fetched, from the browser's error; undefined for any other error.
 */
export const missingModule = (error: Error): string | undefined => /module: (http\S+)/.exec(error.message)?.[1];

/**
 * Loads a module; when it could not be fetched, once more by another address, since browsers remember the failure for
 * as long as the page lives. The server gives its files whatever the query.
 */
export const fetchModule = <T,>(load: () => Promise<T>): Promise<T> =>
  load().catch(error => {
    const address = missingModule(error);
    return address ? import(`${address}?${Date.now()}`) : Promise.reject(error);
  });

/**
 * Makes a component that is loaded when it is first drawn; `until` is drawn in its place meanwhile. React's own `lazy`
 * would hold it back until 300 ms after the page was drawn (FALLBACK_THROTTLE_MS), and with it the data that is read
 * next. A load that fails throws while drawing.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
  until?: ReactNode,
): ComponentType<P> {
  let Known: ComponentType<P> | undefined;
  return function LazyComponent(props: P): ReactNode {
    const [Loaded, set] = useState<ComponentType<P> | undefined>(() => Known);
    useEffect(() => {
      if (Known) return;
      const fail = (error: unknown) =>
        set(() => {
          throw error;
        });
      load().then(component => {
        Known = component;
        set(() => component);
      }, fail);
    }, []);
    return Loaded ? <Loaded {...props} /> : until;
  };
}
