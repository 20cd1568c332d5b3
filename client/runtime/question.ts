import type { Portal, Question } from './portal.ts';

/** Asks and waits for the answer; a question that is still open is refused first. */
export function ask(portal: Portal, question: Omit<Question, 'answer'>): Promise<boolean> {
  portal.question.get()?.answer(false);
  return new Promise(resolve => {
    const answer = (yes: boolean) => {
      portal.question.set(undefined);
      resolve(yes);
    };
    portal.question.set({ ...question, answer });
  });
}
