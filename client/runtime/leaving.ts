import { type Portal, speechFor } from './portal.ts';
import { ask } from './question.tsx';

/** True while a form of the screen or of a popup holds what would be lost. */
export function isUnsaved(portal: Portal): boolean {
  const documents = [portal.screen.get()?.document, ...portal.popups.get().map(popup => popup.document)];
  return documents.some(document =>
    [...(document?.forms.values() ?? [])].some(form => form.guarded && form.read('$changed')),
  );
}

/** Asks before what was typed is lost. */
export async function mayLeave(portal: Portal): Promise<boolean> {
  if (!isUnsaved(portal)) return true;
  const { word } = speechFor(portal);
  return ask(portal, {
    title: word('leave.title'),
    text: word('leave.text'),
    primary: word('leave.go'),
    secondary: word('leave.stay'),
    danger: true,
  });
}
