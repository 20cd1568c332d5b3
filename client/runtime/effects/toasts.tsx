import type { ReactNode } from 'react';
import { nextKey, type Portal, type Toast, usePortalObject } from '../state/portal.ts';
import { useStore } from '../state/store.ts';
import { DocumentErrorsNotice, OutdatedView, ToastView } from './lazy-notices.tsx';

/** Shows a toast: a short message that disappears after some seconds. */
export function toast(portal: Portal, said: Omit<Toast, 'key'>): void {
  portal.toasts.set([...portal.toasts.get(), { key: nextKey(), ...said }]);
}

/**
 * Draws the toasts, the offer of a newer build and the errors in saved documents, announced politely. While a dialog is
 * open they are drawn inside it, since it would cover them.
 */
export function Toasts(): ReactNode {
  const { toasts, outdated: offer, documentErrors } = usePortalObject();
  const said = useStore(toasts);
  const outdated = useStore(offer);
  const found = useStore(documentErrors);
  return (
    <>
      {(outdated === 'ready' || outdated === 'needed') && <OutdatedView outdated={outdated} />}
      <div className="toasts" role="status" aria-live="polite">
        {found && found.errors.length > 0 && <DocumentErrorsNotice found={found} />}
        {said.map(one => (
          <ToastView key={one.key} said={one} />
        ))}
      </div>
    </>
  );
}
