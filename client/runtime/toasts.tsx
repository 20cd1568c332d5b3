import type { ReactNode } from 'react';
import { OutdatedView, ToastView } from './lazy-notices.tsx';
import { nextKey, type Portal, type Toast, usePortalObject } from './portal.ts';
import { useStore } from './store.ts';

/** Shows a message for a few seconds. */
export function toast(portal: Portal, said: Omit<Toast, 'key'>): void {
  portal.toasts.set([...portal.toasts.get(), { key: nextKey(), ...said }]);
}

/**
 * The toasts and the offer of a newer build, announced politely. Drawn inside the top dialog while one is open, which else
 * would cover them.
 */
export function Toasts(): ReactNode {
  const portal = usePortalObject();
  const said = useStore(portal.toasts);
  const outdated = useStore(portal.outdated);
  return (
    <>
      {(outdated === 'ready' || outdated === 'needed') && <OutdatedView outdated={outdated} />}
      <div className="toasts" role="status" aria-live="polite">
        {said.map(one => (
          <ToastView key={one.key} said={one} />
        ))}
      </div>
    </>
  );
}
