import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { StepReply } from '../../shared/contract/steps.ts';
import { ListBones } from '../look/bones.tsx';
import { useLate } from '../look/late.ts';
import { partId } from '../look/part-id.ts';
import { Trouble } from '../look/trouble.tsx';
import { useRun } from '../runtime/effects.ts';
import { type FormShape, useFormFrame, useFormStore } from '../runtime/form-frame.tsx';
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
  const at = node.steps.findIndex(({ id }) => id === current.reply.step);
  return (
    <div className="stack" data-testid={node.testId}>
      {current.reply.title && <h2>{current.reply.title}</h2>}
      {node.steps.length > 1 && (
        <ol className="steps" aria-label={speech.text(node.label, node.values, scope)}>
          {node.steps.map(({ id, title }, index) => (
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
        onNext={(next, values) => {
          const typed = { ...current, reply: { ...current.reply, values } };
          const isAgain = next.reply.step === current.reply.step;
          setPath([...path.slice(0, -1), ...(isAgain ? [] : [typed]), next]);
        }}
        onBack={path.length > 1 ? () => setPath(path.slice(0, -1)) : undefined}
      />
    </div>
  );
}

type StepProps = StepsProps & {
  readonly shown: Shown;
  /** Given what was typed in this step. */
  onNext(next: Shown, values: Values): void;
  readonly onBack: (() => void) | undefined;
};

function Step({ node, scope, shown: { reply, before }, onNext, onBack }: StepProps): ReactNode {
  const unit = node.steps.find(({ id }) => id === reply.step);
  const shape = useMemo<FormShape>(() => {
    const testId = partId(node.testId, reply.step);
    return {
      id: `${node.id}-${reply.step}`,
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
  const { start, busy, failure } = useRun(scope, node.id, form);
  const submit = async (values: Values) => {
    const all = { ...before, ...values };
    const { reply: next, done } = await start(node.on.step, { ...all, $step: reply.step });
    if (done && next?.Result) onNext({ reply: next.Result as StepReply, before: all }, values);
  };
  return useFormFrame({ shape, scope: inner, form, busy, failure, onSubmit: submit, onCancel: onBack });
}
