import type { ReactNode } from 'react';
import type { StepReply } from '../../../shared/contract/steps.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { partId } from '../../look/part-id.ts';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { useSpeech } from '../../runtime/state/values.ts';

type StepListProps = NodeProps<'steps'> & {
  readonly current: StepReply;
  /** Goes to a step that may be gone to. */
  go(step: string): void;
};

/** The list of a wizard's steps, with links to those that the user may open. */
export function StepList({ node, scope, current, go }: StepListProps): ReactNode {
  const speech = useSpeech();
  const { step, steps } = current;
  const units = node.steps.filter(({ id, when }) =>
    steps ? steps.some(state => state.id === id) : isMet(when, scope),
  );
  if (units.length < 2) return null;
  const at = units.findIndex(({ id }) => id === step);
  return (
    <ol className="steps" aria-label={speech.text(node.label, node.values, scope)}>
      {units.map(({ id, title }, index) => {
        const state = steps?.find(state => state.id === id);
        const isDone = state ? state.isDone : index < at;
        const text = speech.text(title, node.values, scope);
        return (
          <li
            key={id}
            className={isDone ? 'is-done' : undefined}
            aria-current={index === at ? 'step' : undefined}
            tabIndex={index === at ? -1 : undefined}
          >
            {state?.isOpen && index !== at ? (
              <button
                className="linkbutton"
                type="button"
                data-testid={partId(node.testId, `to-${id}`)}
                onClick={() => go(id)}
              >
                {text}
              </button>
            ) : (
              <span>{text}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
