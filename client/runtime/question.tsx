import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { type Portal, type Question, usePortalObject } from './portal.ts';
import { useStore } from './store.ts';

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

/** The question that is open. The safe choice has the focus first. */
export function QuestionView(): ReactNode {
  const question = useStore(usePortalObject().question);
  if (!question) return null;
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
