import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../look/icon.tsx';
import { nextKey, type Portal, type Toast, usePortalObject } from './portal.ts';
import { useStore } from './store.ts';
import { useWord } from './values.ts';

/** How long a toast stays, in milliseconds (document 1, section 9); longer where one may want to press it. */
const stay = 3000;
const stayWithAction = 8000;

/** Says what happened, for a few seconds. */
export function toast(portal: Portal, said: Omit<Toast, 'key'>): void {
  portal.toasts.set([...portal.toasts.get(), { key: nextKey(), ...said }]);
}

function ToastView({ said }: { readonly said: Toast }): ReactNode {
  const { toasts } = usePortalObject();
  const dismissText = useWord('toast.dismiss');
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(
      () => toasts.set(toasts.get().filter(other => other !== said)),
      said.action ? stayWithAction : stay,
    );
    return () => clearTimeout(timer);
  }, [isHeld, said, toasts]);
  const dismiss = () => toasts.set(toasts.get().filter(other => other !== said));
  const { action } = said;
  const isBad = said.kind === 'bad';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only holds the toast while one points at it.
    <div
      className={`toast${isBad ? ' toast--bad' : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={isBad ? 'x-circle' : 'check-circle'} />
      <span className="toast__text">{said.text}</span>
      {action && (
        <button
          className="button button--small"
          type="button"
          data-testid="toast-action"
          onClick={() => {
            dismiss();
            action.run();
          }}
        >
          <span className="button__text">{action.text}</span>
        </button>
      )}
      <button
        className="button button--icon button--quiet button--small"
        type="button"
        aria-label={dismissText}
        data-testid="toast-dismiss"
        onClick={dismiss}
      >
        <Icon name="x" />
      </button>
    </div>
  );
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
