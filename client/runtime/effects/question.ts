import type { Portal, Question } from '../state/portal.ts';

/**
 * Shows a question and gives the user's answer, true for yes. A question that is still open is answered with no first.
 */
export function askUser(portal: Portal, question: Omit<Question, 'answer'>): Promise<boolean> {
  portal.question.get()?.answer(false);
  return new Promise(resolve => {
    const answer = (yes: boolean) => {
      portal.question.set(undefined);
      resolve(yes);
    };
    portal.question.set({ ...question, answer });
  });
}
