/** What comes over the page when something happens; no first paint shows it. */
import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../../look/icon.tsx';
import { type Outdated, type Question, type Toast, usePortalObject } from '../state/portal.ts';
import { useStore } from '../state/store.ts';
import { useWord } from '../state/values.ts';
import { Dialog } from './dialog.tsx';
import { iconOfKind } from './message.tsx';
import { TicketOffer } from './ticket-offer.tsx';

/** How long a toast stays, in milliseconds (document 1, section 9); longer where one may want to press it. */
const stay = 3000;
const stayWithAction = 8000;

/** A toast: a short message that disappears by itself. */
export function ToastView({ said }: { readonly said: Toast }): ReactNode {
  const { toasts } = usePortalObject();
  const dismissText = useWord('toast.dismiss');
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(
      () => toasts.set(toasts.get().filter(other => other !== said)),
      said.action || said.reference ? stayWithAction : stay,
    );
    return () => clearTimeout(timer);
  }, [isHeld, said, toasts]);
  const dismiss = () => toasts.set(toasts.get().filter(other => other !== said));
  const { action } = said;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only holds the toast while one points at it.
    <div
      className={`toast toast--${said.kind}${said.reference ? ' toast--long' : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={iconOfKind(said.kind)} />
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
      <TicketOffer reference={said.reference} />
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

/** The confirmation dialog that is open (see `askUser`). The safe choice has the focus first. */
export function QuestionView({ question }: { readonly question: Question }): ReactNode {
  const { title, text, primary, secondary, danger, answer } = question;
  return (
    <Dialog
      title={title}
      size="small"
      testId="question"
      role="alertdialog"
      isTop
      onClose={() => answer(false)}
      foot={
        <>
          <button className="button" type="button" data-testid="question-no" onClick={() => answer(false)}>
            <span className="button__text">{secondary}</span>
          </button>
          <button
            className={`button button--${danger ? 'danger' : 'primary'}`}
            type="button"
            data-testid="question-yes"
            onClick={() => answer(true)}
          >
            <span className="button__text">{primary}</span>
          </button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}

/** Offers to reload the page with a newer build; what is open keeps working. */
export function OutdatedView({ outdated }: { readonly outdated: Exclude<Outdated, undefined> }): ReactNode {
  const portal = usePortalObject();
  // Before the sign-in nothing that was typed is kept.
  const isSignedIn = useStore(portal.boot, boot => boot.principal.type !== 'public');
  const words = {
    title: useWord(outdated === 'needed' && isSignedIn ? 'update.needed' : 'update.title'),
    reload: useWord('update.reload'),
    later: useWord('update.later'),
  };
  return (
    <div className="savebar" role="status">
      <span>{words.title}</span>
      <div className="savebar__end">
        <button
          className="button"
          type="button"
          data-testid="update-later"
          onClick={() => portal.outdated.set('later')}
        >
          <span className="button__text">{words.later}</span>
        </button>
        <button
          className="button button--primary"
          type="button"
          data-testid="update-reload"
          onClick={() => portal.host.reload()}
        >
          <span className="button__text">{words.reload}</span>
        </button>
      </div>
    </div>
  );
}
