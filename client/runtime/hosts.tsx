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
        <button className="button" type="button" onClick={() => setLater(true)}>
          <span className="button__text">{words.later}</span>
        </button>
        <button className="button button--primary" type="button" onClick={() => portal.host.reload()}>
          <span className="button__text">{words.reload}</span>
        </button>
      </div>
    </div>
  );
}

/** What stands over the page: popups, the open question, toasts, the waiting bar and the offer of a newer build. */
export function Hosts(): ReactNode {
  const portal = usePortalObject();
  const isCovered = [useStore(portal.popups).length > 0, useStore(portal.question) !== undefined].includes(true);
  return (
    <>
      <Outdated />
      <Popups />
      <QuestionView />
      {!isCovered && <Toasts />}
      <Waiting />
    </>
  );
}
