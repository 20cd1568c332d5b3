import type { LayoutText } from '../../../shared/language/types.ts';
import type { OpenDocument } from '../state/document.ts';
import { openDocuments, type Portal, speechFor } from '../state/portal.ts';
import { askUser } from './question.ts';

type Documents = readonly OpenDocument[];

/** True while leaving the page would lose typed values, or stop work that is under way. */
export const losesOnLeave = (portal: Portal): boolean => portal.underWay.get() !== undefined || isUnsaved(portal);

/**
 * True while a form of these documents has changes that closing would lose; without documents, while a guarded form of
 * any open one has. A popup closes at a touch of Escape, so that each of its forms is guarded then.
 */
function isUnsaved(portal: Portal, documents?: Documents): boolean {
  return (documents ?? openDocuments(portal)).some(({ forms }) =>
    [...forms.values()].some(form => (documents || form.guarded) && form.read('$changed')),
  );
}

/**
 * Asks before typed values are lost, by leaving the page or by closing only the given screens or popups; gives true
 * when the user agrees or nothing would be lost. Leaving the page is also asked about while a bulk action runs. Where `question` is given it is asked in any case.
 */
export async function mayLeave(portal: Portal, documents?: Documents, question?: LayoutText): Promise<boolean> {
  const { text, word } = speechFor(portal);
  // Closing a popup, or another query of the same screen, stops nothing.
  const underWay = documents ? undefined : portal.underWay.get();
  if (underWay) {
    return askUser(portal, {
      title: word('bulk.leaveTitle'),
      text: underWay(),
      primary: word('leave.go'),
      secondary: word('leave.stay'),
      danger: true,
    });
  }
  if (!question && !isUnsaved(portal, documents)) return true;
  return askUser(portal, {
    title: word('leave.title'),
    text: question ? text(question, undefined, {}) : word('leave.text'),
    primary: word('leave.go'),
    secondary: word('leave.stay'),
    danger: true,
  });
}
