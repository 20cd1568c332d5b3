import type { ReactNode } from 'react';
import { useLate } from '../../look/use-late.ts';
import { Popups, QuestionView } from '../effects/lazy-notices.tsx';
import { Toasts } from '../effects/toasts.tsx';
import { isDialog, usePortalObject } from '../state/portal.ts';
import { useStore } from '../state/store.ts';
import { useWord } from '../state/values.ts';

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

/**
 * What lies over the page: popups, the confirmation that is open, toasts with the offer of a newer build, the waiting
 * bar.
 */
export function Hosts(): ReactNode {
  const portal = usePortalObject();
  const question = useStore(portal.question);
  const isOpen = useStore(portal.popups, open => open.length > 0);
  const isUnder = useStore(portal.popups, open => open.some(isDialog));
  return (
    <>
      {isOpen && <Popups />}
      {question && <QuestionView question={question} />}
      {/* A dialog shows them in its place while one is open. */}
      {!isUnder && !question && <Toasts />}
      <Waiting />
    </>
  );
}
