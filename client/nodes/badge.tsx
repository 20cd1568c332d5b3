import type { ReactNode } from 'react';
import { entryFor } from '../look/catalogue-entry.ts';
import { Icon } from '../look/icon.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText, useValue } from '../runtime/state/values.ts';

/** A short label for a value: the text of its catalogue entry, else the value itself; nothing without a value. */
export function Badge({ node, scope }: NodeProps<'badge'>): ReactNode {
  const value = useValue(node.path, scope);
  const entry = entryFor(node.catalogue, value);
  const word = useText(entry?.text, node.values, scope);
  const text = word || (value === undefined || value === null ? '' : String(value));
  if (text === '') return null;
  return (
    <span className={entry?.kind ? `badge badge--${entry.kind}` : 'badge'} data-testid={node.testId}>
      {entry?.icon && <Icon name={entry.icon} />}
      {text}
    </span>
  );
}
