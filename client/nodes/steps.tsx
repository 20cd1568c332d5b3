import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Envelope } from '../../shared/contract/envelope.ts';
import type { StepReply } from '../../shared/contract/steps.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { ListBones } from '../look/bones.tsx';
import { useLate } from '../look/late.ts';
import { partId } from '../look/part-id.ts';
import { Trouble } from '../look/trouble.tsx';
import { useDocument } from '../runtime/document-scope.tsx';
import { useRun } from '../runtime/effects.ts';
import { type FormShape, useFormFrame, useFormStore } from '../runtime/form-frame.tsx';
import type { FormStore } from '../runtime/form-store.ts';
import type { NodeProps } from '../runtime/registry.ts';
import { useSpeech } from '../runtime/values.ts';
import { withTestIds } from './delivered-ids.ts';

type StepsProps = NodeProps<'steps'>;
type Values = Readonly<Record<string, unknown>>;
/** A step that was shown, and what had been typed before it. */
type Shown = { readonly reply: StepReply; readonly before: Values };

/** A wizard that the server leads; see the language (`steps`). What was typed in a step is there when one comes back. */
export function Steps({ node, scope }: StepsProps): ReactNode {
  const [path, setPath] = useState<readonly Shown[]>([]);
  const { start, failure } = useRun(scope, node.id);
  const speech = useSpeech();
  const current = path.at(-1);
  const isLate = useLate(!current && !failure);
  const open = async () => {
    const { reply } = await start(node.on.step, {});
    if (reply?.Succeed && reply.Result) setPath([{ reply: reply.Result as StepReply, before: {} }]);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once.
  useEffect(() => void open(), []);

  if (!current) {
    if (failure) return <Trouble text={failure} retry={speech.word('retry')} run={() => void open()} />;
    return isLate && <ListBones rows={4} />;
  }
  const steps = node.steps.filter(({ when }) => isMet(when, scope));
  const at = steps.findIndex(({ id }) => id === current.reply.step);
  return (
    <div className="stack" data-testid={node.testId}>
      {current.reply.title && <h2>{current.reply.title}</h2>}
      {steps.length > 1 && (
        <ol className="steps" aria-label={speech.text(node.label, node.values, scope)}>
          {steps.map(({ id, title }, index) => (
            <li
              key={id}
              className={index < at ? 'is-done' : undefined}
              aria-current={index === at ? 'step' : undefined}
            >
              <span>{speech.text(title, node.values, scope)}</span>
            </li>
          ))}
        </ol>
      )}
      <Step
        key={current.reply.step}
        node={node}
        scope={scope}
        shown={current}
        onNext={next => {
          const isAgain = next.reply.step === current.reply.step;
          setPath([...(isAgain ? path.slice(0, -1) : path), next]);
        }}
        onBack={path.length > 1 ? () => setPath(path.slice(0, -1)) : undefined}
      />
    </div>
  );
}

const formId = (node: StepsProps['node'], step: string): string => `${node.id}-${step}`;

type StepProps = StepsProps & {
  readonly shown: Shown;
  onNext(next: Shown): void;
  readonly onBack: (() => void) | undefined;
};

function Step({ node, scope, shown: { reply, before }, onNext, onBack }: StepProps): ReactNode {
  const unit = node.steps.find(({ id }) => id === reply.step);
  const shape = useMemo<FormShape>(() => {
    const testId = partId(node.testId, reply.step);
    return {
      id: formId(node, reply.step),
      submit: unit?.submit ?? '',
      ...(unit?.busy && { busy: unit.busy }),
      ...(unit?.danger && { danger: true }),
      ...(unit?.twoColumns && { twoColumns: true }),
      ...(testId && { testId }),
      ...(node.errorTitle && { errorTitle: node.errorTitle }),
      cancel: node.back,
      pristine: true,
      children: testId ? withTestIds(reply.children, testId) : reply.children,
    };
  }, [node, unit, reply]);
  const inner = useMemo(() => ({ ...scope, reply: { Result: reply } }), [scope, reply]);
  const form = useFormStore(shape, inner, reply.values);
  const { forms } = useDocument();
  // What was typed in any step is unsaved until the last one is through.
  const held = useMemo<FormStore>(() => {
    const settle = (answer?: Envelope) => {
      if (!answer?.Result) for (const { id } of node.steps) forms.get(formId(node, id))?.settle();
    };
    return { ...form, settle };
  }, [node, form, forms]);
  const { start, busy, failure } = useRun(scope, node.id, held);
  const submit = async (values: Values) => {
    const all = { ...before, ...values };
    const { reply: next, done } = await start(node.on.step, { ...all, $step: reply.step });
    if (done && next?.Result) onNext({ reply: next.Result as StepReply, before: all });
  };
  return useFormFrame({ shape, scope: inner, form, busy, failure, onSubmit: submit, onCancel: onBack });
}
