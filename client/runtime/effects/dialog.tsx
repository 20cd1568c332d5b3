import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { ValueBone } from '../../look/skeleton.tsx';
import { useWord } from '../state/values.ts';
import { Toasts } from './toasts.tsx';

type DialogProps = {
  /** Undefined while it is not known. */
  readonly title: string | undefined;
  readonly size?: 'small' | 'medium' | 'large' | 'xlarge' | undefined;
  /** False for a dialog that must be answered. */
  readonly closeable?: boolean | undefined;
  readonly role?: 'alertdialog' | undefined;
  readonly testId?: string | undefined;
  /** True for the dialog on top: it shows the toasts, which a modal dialog would else cover. */
  readonly isTop: boolean;
  readonly onClose: () => void;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
};

function TitleBone(): ReactNode {
  const waiting = useWord('waiting');
  return (
    <>
      <span className="visually-hidden">{waiting}</span>
      <ValueBone large />
    </>
  );
}

const fields = '.dialog__body :is(input, select, textarea):enabled';
/** A destructive button is never focused first. */
const safe = '.dialog__foot button, .dialog__body :is(a, button:not(.button--danger))';

/**
 * A modal dialog, open for as long as it is drawn. The browser keeps the focus inside, closes it by Escape and
 * gives the focus back to what opened it; the page behind does not scroll (look: `html:has(dialog:modal)`).
 */
export function Dialog({
  title,
  size = 'medium',
  closeable = true,
  role,
  testId,
  isTop,
  onClose,
  foot,
  children,
}: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const closeText = useWord('popup.close');
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    const find = (selector: string) => element?.querySelector<HTMLElement>(selector);
    const first = find(fields) ?? find(safe);
    // The browser moves the focus as the dialog opens; told where, it moves it once.
    first?.toggleAttribute('autofocus', true);
    element?.showModal();
    first?.toggleAttribute('autofocus', false);
    first?.focus();
    // What arrives later takes the focus from what was chosen for want of it. The first field has the focus, also when
    // it is drawn anew, until the user does something.
    let chosen = document.activeElement;
    const watcher = new MutationObserver(() => {
      const { activeElement } = document;
      if (activeElement !== chosen && activeElement?.matches('a, button, input, select, textarea')) return;
      if (activeElement === chosen && chosen === find(fields)) return;
      (find(fields) ?? find(safe))?.focus();
      chosen = document.activeElement;
    });
    if (element) watcher.observe(element, { childList: true, subtree: true });
    const onAction = () => {
      if (chosen?.matches(fields)) watcher.disconnect();
    };
    for (const type of ['keydown', 'pointerdown']) element?.addEventListener(type, onAction);
    return () => {
      watcher.disconnect();
      element?.close();
      // A dialog that is taken out of the page before it has closed leaves the focus nowhere.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`dialog dialog--${size}`}
      role={role}
      aria-labelledby={titleId}
      data-testid={testId}
      onCancel={event => {
        // React decides when it goes; the browser would close it under React's feet.
        event.preventDefault();
        if (closeable && event.target === event.currentTarget) onClose();
      }}
      onKeyDown={event => {
        // Chromium closes a dialog at the second Escape whatever `cancel` says. A list has its own.
        if (event.key !== 'Escape' || (event.target as Element).matches('select')) return;
        event.preventDefault();
        if (closeable) onClose();
      }}
    >
      <div className="dialog__head">
        <div>
          <h2 id={titleId}>{title ?? <TitleBone />}</h2>
        </div>
        {closeable && (
          <button
            className="button button--icon button--quiet"
            type="button"
            aria-label={closeText}
            data-testid={partId(testId, 'close')}
            onClick={onClose}
          >
            <Icon name="x" />
          </button>
        )}
      </div>
      <div className="dialog__body">{children}</div>
      {foot && <div className="dialog__foot">{foot}</div>}
      {isTop && <Toasts />}
    </dialog>
  );
}
