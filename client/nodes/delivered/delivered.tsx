import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import type { Delivered as Model } from '../../../shared/contract/delivered.ts';
import { openDelivered, submitDelivered } from '../../../shared/contract/delivered-commands.ts';
import { bindAll } from '../../../shared/rules/path.ts';
import { partId } from '../../look/part-id.ts';
import { ListBones } from '../../look/skeleton.tsx';
import { useLate } from '../../look/use-late.ts';
import { useRun } from '../../runtime/effects/effects.ts';
import { Message } from '../../runtime/effects/message.tsx';
import { Trouble } from '../../runtime/effects/trouble.tsx';
import { type FormShape, useFormFrame, useFormStore } from '../../runtime/page/form-frame.tsx';
import type { NodeProps } from '../../runtime/page/registry.ts';
import { publish, usePortalObject } from '../../runtime/state/portal.ts';
import { useWord } from '../../runtime/state/values.ts';
import { withTestIds } from './test-ids.ts';

type DeliveredProps = NodeProps<'delivered'>;

/**
 * Draws a dynamic form or generic popup that the cloud defines at run time (document 2, sections 3 and 4), loading it
 * first. After a successful submit it shows the reply's first message, or runs `on.done`.
 */
export function Delivered({ node, scope }: DeliveredProps): ReactNode {
  const [model, setModel] = useState<Model>();
  const { start, failure, reference } = useRun(scope, node.id);
  const isLate = useLate(!model && !failure);
  // The same parameters deliver the same model: a live edit of the page must not take away what was typed.
  const asked = JSON.stringify([node.operation, bindAll(node.with, scope)]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once per set of parameters.
  const open = useCallback(async () => {
    const { reply } = await start([{ do: 'command', command: openDelivered, ...(node.with && { with: node.with }) }]);
    if (reply?.Succeed) setModel(reply.Result as Model);
  }, [asked, start]);
  useEffect(() => void open(), [open]);

  if (failure) return <Trouble of={{ failed: failure, reference, retry: () => void open() }} />;
  if (isLate || !model) return isLate && <ListBones rows={3} />;
  return <Filled node={node} scope={scope} model={model} onStale={open} />;
}

type FilledProps = DeliveredProps & {
  readonly model: Model;
  /** Reads the model again; the form takes what is newer and keeps what was typed. */
  readonly onStale: () => Promise<void>;
};

function Filled({ node, scope, model, onStale }: FilledProps): ReactNode {
  const portal = usePortalObject();
  const submitText = useWord('delivered.submit');
  const doneText = useWord('delivered.done');
  const [confirmation, setConfirmation] = useState<string>();
  const shape = useMemo<FormShape>(() => {
    const { id, submit = submitText, busy, cancel, testId } = node;
    return {
      id,
      submit,
      ...(busy && { busy }),
      ...(cancel && { cancel }),
      ...(testId && { testId }),
      pristine: true,
      children: testId === undefined ? model.children : withTestIds(model.children, testId),
    };
  }, [node, model, submitText]);
  const form = useFormStore(shape, scope, model.values);
  const { start, run, busy, failure, unknown, reference } = useRun(scope, node.id, form);
  const { done, cancel } = node.on ?? {};

  const submit = async (values: Readonly<Record<string, unknown>>) => {
    const { done: isDone, reply } = await start(
      [{ do: 'command', command: submitDelivered, ...(node.with && { with: node.with }) }],
      model.stamp === undefined ? values : { ...values, $stamp: model.stamp },
    );
    if (reply?.Resources?.code === 'RECORD_CHANGED') await onStale();
    if (!isDone) return;
    for (const event of model.events) publish(portal, event);
    const said = reply?.Messages?.[0];
    if (said) setConfirmation(said);
    else await run(done);
  };

  const onCancel = node.cancel === undefined ? undefined : () => void run(cancel ?? []);
  const frame = useFormFrame({ shape, scope, form, busy, failure, unknown, reference, onSubmit: submit, onCancel });

  if (confirmation !== undefined) {
    return (
      <div className="stack">
        <Message kind="ok" text={confirmation} />
        {done && (
          <div className="form__actions">
            <button
              className="button button--primary"
              type="button"
              data-testid={partId(node.testId, 'done')}
              onClick={() => void run(done)}
            >
              <span className="button__text">{doneText}</span>
            </button>
          </div>
        )}
      </div>
    );
  }
  return (
    <div className="stack stack--tight">
      {model.title && <h3>{model.title}</h3>}
      {frame}
    </div>
  );
}
