import type { ReactNode } from 'react';
import { usePlace } from '../runtime/navigation.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useText } from '../runtime/values.ts';

/** A day that narrows a list, kept in a place. */
export function Day({ node, scope }: NodeProps<'day'>): ReactNode {
  const [value, set] = usePlace(node.path, node.resets);
  const day = value?.toString() ?? '';
  return (
    <label className={day === '' ? 'chip' : 'chip chip--on'}>
      {useText(node.label, node.values, scope)}:
      <input
        type="date"
        value={day}
        data-testid={node.testId}
        onChange={event => set(event.target.value || undefined, { replace: true })}
      />
    </label>
  );
}
