import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Envelope } from '../../../shared/contract/envelope.ts';
import type { StepReply } from '../../../shared/contract/steps.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { bindAll } from '../../../shared/rules/path.ts';
import { checkForm } from '../../../shared/rules/validation.ts';
import { partId } from '../../look/part-id.ts';
import { Trouble } from '../../look/retry-message.tsx';
import { ListBones } from '../../look/skeleton.tsx';
import { useLate } from '../../look/use-late.ts';
import { useRun } from '../../runtime/effects/effects.ts';
import { fieldsOf, firstValues } from '../../runtime/forms/form-fields.ts';
import { testPattern } from '../../runtime/forms/pattern.ts';
import { drawNodes } from '../../runtime/page/children.tsx';
import { type FormShape, useFormFrame, useFormStore } from '../../runtime/page/form-frame.tsx';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { useDocument } from '../../runtime/state/document-scope.tsx';
import type { FormStore } from '../../runtime/state/form-types.ts';
import { usePortalObject } from '../../runtime/state/portal.ts';
import { useSpeech } from '../../runtime/state/values.ts';
import { withTestIds } from '../delivered/test-ids.ts';
import { DraftLine, useStepDraft } from './draft.tsx';
import { useEstimate } from './estimate.ts';
import { StepFoot } from './foot.tsx';
import { forgetSteps, keepSteps, readKeptSteps, type Shown } from './kept-steps.ts';
import { StepList } from './list.tsx';
import { useStepHistory } from './step-history.ts';

type StepsProps = NodeProps<'steps'>;
type Values = Readonly<Record<string, unknown>>;

/**
 * A wizard: the server decides which step comes next; see the language (`steps`). Coming back to a step shows what was
 * typed in it.
 */
export function Steps({ node, scope }: StepsProps): ReactNode {
  const portal = usePortalObject();
  const [address] = useState(() => location.pathname);
  const [path, setPath] = useState<readonly Shown[]>([]);
  const { start, failure } = useRun(scope, node.id);
  const speech = useSpeech();
  const current = path.at(-1);
  const isLate = useLate(!current && !failure);
  const go = useRef<Go>(undefined);
  const block = useRef<HTMLDivElement>(null);
  // The end of a long step is no place to begin the next one from.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every step that is shown.
  useLayoutEffect(() => {
    if (!block.current || block.current.getBoundingClientRect().top >= 0) return;
    block.current.scrollIntoView();
    block.current.querySelector<HTMLElement>('[aria-current="step"]')?.focus({ preventScroll: true });
  }, [current]);
  const open = async (to?: string) => {
    const { reply } = await start(node.on.step, to === undefined ? {} : { $to: to });
    if (reply?.Succeed && reply.Result)
      setPath(readKeptSteps(portal, address) ?? [{ reply: reply.Result as StepReply, before: {} }]);
  };
  const steps = useStepHistory((to, isBack) => {
    if (!current || to === current.reply.step) return;
    const back = () => void portal.host.back('/');
    // Once all is done, or where nothing is known of the steps before, there is nothing to go back to here.
    if (isLast(node, current.reply) || (isBack && !node.draft && path.length < 2)) return back();
    if (node.draft) return void go.current?.(to).then(isDone => isDone || steps.show(current.reply.step));
    const known = path.findIndex(({ reply }) => reply.step === to);
    if (isBack) setPath(path.slice(0, known < 0 ? -1 : known + 1));
    // Forward does what the button of the step does.
    else void go.current?.().then(isDone => isDone || back());
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once.
  useEffect(() => void open(node.draft && steps.asked), []);
  // The question whether to go on with a draft is no step to come back to.
  const shown = current?.reply.steps?.some(({ id }) => id === current.reply.step) === false ? undefined : current;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every step that is shown.
  useEffect(() => {
    if (shown) steps.show(shown.reply.step);
  }, [shown]);

  if (!current) {
    if (failure) return <Trouble text={failure} retry={speech.word('retry')} run={() => void open()} />;
    return isLate && <ListBones rows={4} />;
  }
  const { reply } = current;
  // Without a draft what was typed is here, and one goes back to it as it was.
  const back = node.draft
    ? reply.steps?.[reply.steps.findIndex(({ id }) => id === reply.step) - 1]?.id
    : path.at(-2)?.reply.step;
  return (
    <div ref={block} className="stack" data-testid={node.testId}>
      {reply.title && <h2>{reply.title}</h2>}
      <StepList node={node} scope={scope} current={reply} go={to => void go.current?.(to)} />
      <Step
        key={reply.step}
        node={node}
        scope={scope}
        shown={current}
        go={go}
        onWait={values => (values ? keepSteps(portal, address, path, values) : forgetSteps(portal, address))}
        onNext={next => {
          const isAlone = node.draft !== undefined || next.reply.step === reply.step;
          setPath([...(isLast(node, next.reply) ? [] : isAlone ? path.slice(0, -1) : path), next]);
        }}
        onBack={
          back === undefined
            ? undefined
            : () => steps.back(back) || (node.draft ? void go.current?.(back) : setPath(path.slice(0, -1)))
        }
        onTheirs={() => void open(reply.step)}
      />
    </div>
  );
}

/** All is done once this step is shown. */
const isLast = (node: StepsProps['node'], { step }: StepReply): boolean =>
  node.steps.find(({ id }) => id === step)?.last === true;

/** Nothing of it is unsaved: all is done, or is kept while something else comes first. */
const isOver = (node: StepsProps['node'], reply: StepReply): boolean => reply.waits === true || isLast(node, reply);

const formId = (node: StepsProps['node'], step: string): string => `${node.id}-${step}`;

/** A form whose submit button goes by whether all of it is right, where others go by whether anything was changed. */
function asWhole(form: FormStore, fields: readonly FieldNode[], scope: StepsProps['scope']): FormStore {
  const names = fields.map(({ propertyName }) => propertyName);
  return {
    ...form,
    channel: name => form.channel(name === '$changed' ? names : name),
    read: name =>
      name === '$changed'
        ? Object.keys(checkForm(fields, form.readAll(), scope, testPattern).errors).length === 0
        : form.read(name),
  };
}

/**
 * Goes to a step with what is typed in this one, whether or not it is right; without `to`, to the next step once it is.
 * Gives true when the server has shown another step.
 */
type Go = (to?: string) => Promise<boolean>;

type StepProps = StepsProps & {
  readonly shown: Shown;
  readonly go: RefObject<Go | undefined>;
  onNext(next: Shown): void;
  /** Given what was typed where something else comes first. */
  onWait(values: Values | undefined): void;
  readonly onBack: (() => void) | undefined;
  /** Shows what was kept of this step elsewhere. */
  onTheirs(): void;
};

function Step({
  node,
  scope,
  shown: { reply, before, typed },
  go,
  onNext,
  onWait,
  onBack,
  onTheirs,
}: StepProps): ReactNode {
  const unit = node.steps.find(({ id }) => id === reply.step);
  const shape = useMemo<FormShape>(() => {
    const testId = partId(node.testId, reply.step);
    const children = reply.nodes ?? [...(reply.children ?? []), ...(unit?.children ?? [])];
    return {
      id: formId(node, reply.step),
      submit: unit?.submit ?? '',
      ...(node.values && { values: node.values }),
      ...(unit?.busy && { busy: unit.busy }),
      ...(unit?.danger && { danger: true }),
      ...(unit?.twoColumns && { twoColumns: true }),
      ...(testId && { testId }),
      ...(node.errorTitle && { errorTitle: node.errorTitle }),
      // A step that is sent as a whole cannot be until it is right; see `asWhole`.
      pristine: !unit?.whole,
      children: testId ? withTestIds(children, testId) : children,
    };
  }, [node, unit, reply]);
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
  // What was typed in any step is unsaved until the last one is through.
  const held = useMemo<FormStore>(() => {
    const settle = (answer?: Envelope) => {
      if (node.draft) form.settle();
      else if (!answer?.Result || isOver(node, answer.Result as StepReply))
        for (const { id } of node.steps) forms.get(formId(node, id))?.settle();
    };
    return { ...form, settle };
  }, [node, form, forms]);
  const { start, busy, failure, unknown } = useRun(scope, node.id, held);
  const draft = useStepDraft({ node, scope, form, fields: fieldsOf(shape), reply });
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
    onNext({ reply: result, before: node.draft || isLast(node, result) ? {} : all });
    return result.step !== reply.step;
  };
  useEffect(() => {
    go.current = async to => {
      const values = to === undefined ? form.submit() : draft.values();
      return values !== undefined && send(values, to);
    };
  });
  const kept = useMemo<FormStore>(() => {
    // Going back takes nothing away but passwords: it is there when one comes forth again.
    const reset = (): void => {
      const typed = form.keep();
      form.reset();
      for (const name in typed) form.set(name, typed[name]);
    };
    const own = { ...form, reset: node.draft ? () => undefined : reset };
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
