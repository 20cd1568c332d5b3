import { type RefObject, useEffect, useRef } from 'react';
import type { StepReply } from '../../../shared/contract/steps.ts';
import type { useRun } from '../../runtime/effects/effects.ts';
import type { FormStore } from '../../runtime/state/form-types.ts';
import type { useStepDraft } from './draft.tsx';
import type { Shown } from './kept-steps.ts';
import { isFinalStep, type StepsProps } from './step-form.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Goes to a step with what is typed in this one, whether or not it is right; without `to`, to the next step once it is.
 * Gives true when the server has shown another step.
 */
export type Go = (to?: string) => Promise<boolean>;

export type Sending = {
  readonly node: StepsProps['node'];
  readonly reply: StepReply;
  /** Values of the steps before, where they are not kept as a draft. */
  readonly before: Values;
  readonly form: FormStore;
  readonly draft: ReturnType<typeof useStepDraft>;
  readonly start: ReturnType<typeof useRun>['start'];
  /** Is given what goes from the step. */
  readonly go: RefObject<Go | undefined>;
  onNext(next: Shown): void;
  /** Given what was typed where something else comes first. */
  onWait(values: Values | undefined): void;
};

/** Gives what sends a step and shows the next one: true when the server has shown another step. */
export function useSending({
  node,
  reply,
  before,
  form,
  draft,
  start,
  go,
  onNext,
  onWait,
}: Sending): (values: Values, to?: string) => Promise<boolean> {
  const isUnderWay = useRef(false);
  const send = async (values: Values, to?: string): Promise<boolean> => {
    // What waits for its turn behind a press would be a press of its own.
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    const all = { ...before, ...values };
    const { reply: next, done } = await draft
      .send(version =>
        start(node.on.step, { ...all, $step: reply.step, ...(to !== undefined && { $to: to }), ...version }),
      )
      .finally(() => {
        isUnderWay.current = false;
      });
    const waits = (next?.Result as StepReply | undefined)?.waits === true;
    if (done) onWait(waits ? values : undefined);
    if (!done || !next?.Result || waits) return false;
    const result = next.Result as StepReply;
    onNext({ reply: result, before: node.draft || isFinalStep(node, result) ? {} : all });
    return result.step !== reply.step;
  };
  useEffect(() => {
    go.current = async to => {
      const values = to === undefined ? form.submit() : draft.values();
      return values !== undefined && send(values, to);
    };
  });
  return send;
}
