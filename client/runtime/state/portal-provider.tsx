import { type ReactNode, useMemo } from 'react';
import { type Portal, PortalContext } from './portal.ts';
import { speechOf } from './speech.ts';
import { useStore } from './store.ts';

/** React provider of the portal object: everything inside reads it with `usePortalObject`. */
export function PortalProvider({
  value,
  children,
}: {
  readonly value: Portal;
  readonly children: ReactNode;
}): ReactNode {
  const speech = useStore(value.boot, speechOf);
  const surroundings = useMemo(() => ({ portal: value, speech }), [value, speech]);
  return <PortalContext value={surroundings}>{children}</PortalContext>;
}
