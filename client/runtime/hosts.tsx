import { type ReactNode, useState } from 'react';
import { useLate } from '../look/late.ts';
import { Popups } from './popups.tsx';
import { usePortalObject } from './portal.ts';
import { QuestionView } from './question.tsx';
import { useStore } from './store.ts';
import { Toasts } from './toasts.tsx';
import { useWord } from './values.ts';

/** Says that something takes its time: after 400 ms, and then for a second at least. */
function Waiting(): ReactNode {
  const isShown = useLate(useStore(usePortalObject().waiting));
  const text = useWord('waiting');
  if (!isShown) return null;
  return (
    <div className="waiting" role="status">
      <span className="visually-hidden">{text}</span>
    </div>
  );
}

/** Offers the newer build; what is open keeps working. */
function Outdated(): ReactNode {
  const portal = usePortalObject();
  const isOutdated = useStore(portal.outdated);
  const [isLater, setLater] = useState(false);
  const words = { title: useWord('update.title'), reload: useWord('update.reload'), later: useWord('update.later') };
  if (!isOutdated || isLater) return null;
  return (
    <div className="savebar" role="status">
      <span>{words.title}</span>
      <div className="savebar__end">
        <button className="button" type="button" data-testid="update-later" onClick={() => setLater(true)}>
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

/** The toasts of the page, which a dialog shows in its place while one is open. */
function PageToasts(): ReactNode {
  const portal = usePortalObject();
  const isUnder = useStore(portal.popups, open => open.length > 0);
  const isAsked = useStore(portal.question, question => question !== undefined);
  return isUnder || isAsked ? null : <Toasts />;
}

/** What stands over the page: popups, the open question, toasts, the waiting bar and the offer of a newer build. */
export function Hosts(): ReactNode {
  return (
    <>
      <Outdated />
      <Popups />
      <QuestionView />
      <PageToasts />
      <Waiting />
    </>
  );
}
