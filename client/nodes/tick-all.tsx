import type { ReactNode } from 'react';
import { useForm, useFormScope } from '../runtime/forms/form-context.ts';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';

/** A checkbox that ticks or clears several checkboxes of its form at once; see the language (`tick-all`). */
export function TickAll({ node, scope }: NodeProps<'tick-all'>): ReactNode {
  const form = useForm();
  const { form: values = {} } = useFormScope(node.boxes, scope) as { form?: Readonly<Record<string, unknown>> };
  const label = useText(node.label, node.values, scope);
  const ticked = node.boxes.filter(name => values[name] === true).length;
  const isFull = ticked === node.boxes.length;
  return (
    <label className="check form__wide">
      <input
        type="checkbox"
        data-testid={node.testId}
        checked={isFull}
        ref={input => {
          if (input) input.indeterminate = ticked > 0 && !isFull;
        }}
        onChange={() => {
          for (const name of node.boxes) form?.set(name, !isFull);
        }}
      />
      <span>{label}</span>
    </label>
  );
}
