import type { ReactNode } from 'react';
import { ToastView } from './lazy-notices.tsx';
import { nextKey, type Portal, type Toast, usePortalObject } from './portal.ts';
import { useStore } from './store.ts';

/** Shows a message for a few seconds. */
export function toast(portal: Portal, said: Omit<Toast, 'key'>): void {
  portal.toasts.set([...portal.toasts.get(), { key: nextKey(), ...said }]);
}

/** The toasts, announced politely. Drawn inside the top dialog while one is open, which else would cover them. */
export function Toasts(): ReactNode {
  const said = useStore(usePortalObject().toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {said.map(one => (
        <ToastView key={one.key} said={one} />
      ))}
    </div>
  );
}
