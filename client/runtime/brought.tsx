import { type ComponentType, type ReactNode, useEffect, useState } from 'react';

/**
 * A component that is loaded when it is first drawn; `until` stands in its place. React's own `lazy` would hold it back
 * until 300 ms after the page was drawn (FALLBACK_THROTTLE_MS), and with it the data that is read next.
 */
export function brought<P extends object>(load: () => Promise<ComponentType<P>>, until?: ReactNode): ComponentType<P> {
  let Known: ComponentType<P> | undefined;
  return function Brought(props: P): ReactNode {
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
