import { type ReactNode, useEffect } from 'react';
import { useLocationProperty } from 'wouter/use-browser-location';
import type { PageHost } from './page-host.ts';

/**
 * Component that follows the browser's Back and Forward; draws nothing. Closing the tab asks first while something is
 * unsaved.
 */
export function Address({ screens, isUnsaved }: Pick<PageHost, 'screens' | 'isUnsaved'>): ReactNode {
  const address = useLocationProperty(() => location.pathname + location.search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address changes.
  useEffect(() => screens.follow(), [address, screens]);
  useEffect(() => {
    const ask = (event: Event) => isUnsaved() && event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  return null;
}
