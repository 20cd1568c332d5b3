import { type ReactNode, useMemo, useState } from 'react';
import { bindAll } from '../../../shared/rules/path.ts';
import { useRun } from '../../runtime/effects/effects.ts';
import { fieldsOf, firstValues } from '../../runtime/forms/form-fields.ts';
import { drawNodes } from '../../runtime/page/children.tsx';
import { useFormFrame, useFormStore } from '../../runtime/page/form-frame.tsx';
import { useDocument } from '../../runtime/state/document-scope.tsx';
import { useSpeech } from '../../runtime/state/values.ts';
import { DraftLine, useStepDraft } from './draft.tsx';
import { useEstimate } from './estimate.ts';
import { StepFoot } from './foot.tsx';
import type { Shown } from './kept-steps.ts';
import { type Sending, useSending } from './sending.ts';
import { asWhole, keepsTyped, type StepsProps, shapeOf, untilTheLast } from './step-form.ts';

type StepFormProps = Pick<StepsProps, 'node' | 'scope'> &
  Pick<Sending, 'go' | 'onNext' | 'onWait'> & {
    readonly shown: Shown;
    readonly onBack: (() => void) | undefined;
    /** Shows what was kept of this step elsewhere. */
    onTheirs(): void;
  };

/** One step of a wizard: its form, what stands beside it and its buttons. */
export function StepForm({
  node,
  scope,
  shown: { reply, before, typed },
  go,
  onNext,
  onWait,
  onBack,
  onTheirs,
}: StepFormProps): ReactNode {
  const unit = node.steps.find(({ id }) => id === reply.step);
  const shape = useMemo(() => shapeOf(node, unit, reply), [node, unit, reply]);
  const inner = useMemo(
    () => ({
      ...scope,
      ...{ data: { ...(scope.data as object), ...reply.data }, answers: reply.answers, reply: { Result: reply } },
      journey: bindAll(node.with, scope),
    }),
    [node, scope, reply],
  );
  const first = useMemo(
    () => ({ ...firstValues(fieldsOf(shape), undefined, inner), ...reply.values }),
    [shape, inner, reply],
  );
  const form = useFormStore(shape, inner, first);
  useState(() => {
    for (const { propertyName } of fieldsOf(shape))
      if (typed && Object.hasOwn(typed, propertyName)) form.set(propertyName, typed[propertyName]);
  });
  const { forms } = useDocument();
  const held = useMemo(() => untilTheLast(form, node, forms), [node, form, forms]);
  const { start, busy, failure, unknown, reference } = useRun(scope, node.id, held);
  const draft = useStepDraft({ node, scope, form, fields: fieldsOf(shape), reply });
  const send = useSending({ node, reply, before, form, draft, start, go, onWait, onNext });
  const kept = useMemo(() => {
    const own = node.draft ? { ...form, reset: () => undefined } : keepsTyped(form);
    return unit?.whole ? asWhole(own, fieldsOf(shape), inner) : own;
  }, [node, unit, form, shape, inner]);
  const estimate = useEstimate({ node, scope, unit, form, fields: fieldsOf(shape), reply, before });
  if (node.keptText !== undefined) form.guarded = estimate.isOld;
  const beside = useMemo(() => {
    const Result = { ...reply, facts: { ...reply.facts, ...estimate.facts } };
    return { ...inner, data: { ...inner.data, ...estimate.data }, reply: { Result } };
  }, [inner, reply, estimate]);
  const speech = useSpeech();
  const frame = useFormFrame({
    shape,
    scope: estimate.facts ? beside : inner,
    form: kept,
    busy,
    failure: draft.shown.is === 'changed' ? undefined : failure,
    unknown,
    reference,
    onSubmit: values => send(values),
    foot: submit => (
      <StepFoot
        unit={unit}
        scope={beside}
        isOld={estimate.isOld}
        submit={submit}
        back={speech.text(node.back, node.values, scope)}
        onBack={
          onBack &&
          (() => {
            kept.reset();
            onBack();
          })
        }
        actions={drawNodes(node.actions, scope)}
        testId={shape.testId}
      />
    ),
  });
  if (!node.draft) return frame;
  const theirs = () => {
    form.reset();
    onTheirs();
  };
  return (
    <>
      {frame}
      <DraftLine node={node} draft={draft} onTheirs={theirs} />
    </>
  );
}
