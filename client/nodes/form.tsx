import type { ReactNode } from 'react';
import { sourceOf, useSource } from '../runtime/data/data-source.ts';
import { useRun } from '../runtime/effects/effects.ts';
import { Trouble } from '../runtime/effects/trouble.tsx';
import { useFormFrame, useFormStore } from '../runtime/page/form-frame.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';

/**
 * A form: its values are typed, validated and sent (document 1, section 5). Errors of the server are shown at their
 * field, the rest above the form; what was typed stays after every failure.
 */
export function Form({ node, scope }: NodeProps<'form'>): ReactNode {
  const form = useFormStore(node, scope);
  const { start, run, busy, failure, unknown, reference } = useRun(scope, node.id, form);
  const source = useSource(sourceOf(node.initial));
  const { cancel } = node.on;
  const frame = useFormFrame({
    shape: node,
    scope,
    form,
    busy,
    failure,
    unknown,
    reference,
    onSubmit: values => start(node.on.submit, values),
    onCancel: cancel && (() => void run(cancel)),
  });
  // Empty fields would look like values that are not there, and saving would make it so.
  if (source.failed && !source.envelope) return <Trouble of={source} />;
  return frame;
}
