import type { LayoutText } from '../../shared/language/types.ts';
import type { OpenDocument } from './document.ts';
import { openDocuments, type Portal, speechFor } from './portal.ts';
import { askUser } from './question.ts';

type Documents = readonly OpenDocument[];

/** True while a form of these documents holds what would be lost. */
export function isUnsaved(portal: Portal, documents: Documents = openDocuments(portal)): boolean {
  return documents.some(({ forms }) => [...forms.values()].some(form => form.guarded && form.read('$changed')));
}

/**
 * Asks before what was typed is lost: with the whole page, or with some of its documents. `question` is asked whether
 * anything was typed or not.
 */
export async function mayLeave(portal: Portal, documents?: Documents, question?: LayoutText): Promise<boolean> {
  if (!question && !isUnsaved(portal, documents)) return true;
  const { text, word } = speechFor(portal);
  return askUser(portal, {
    title: word('leave.title'),
    text: question ? text(question, undefined, {}) : word('leave.text'),
    primary: word('leave.go'),
    secondary: word('leave.stay'),
    danger: true,
  });
}
