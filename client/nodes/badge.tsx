import type { ReactNode } from 'react';
import { entryFor } from '../look/catalogue.ts';
import { Icon } from '../look/icon.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useText, useValue } from '../runtime/values.ts';

/** A short mark: a text, or the word of a catalogue entry; nothing where there is neither. */
export function Badge({ node, scope }: NodeProps<'badge'>): ReactNode {
  const value = useValue(node.path, scope);
  const entry = entryFor(node.catalogue, value);
  const own = useText(node.text, node.values, scope);
  const word = useText(entry?.text, node.values, scope);
  const text = own || word || (value === undefined || value === null ? '' : String(value));
  if (text === '') return null;
  const kind = entry?.kind ?? node.kind;
  return (
    <span className={kind ? `badge badge--${kind}` : 'badge'} data-testid={node.testId}>
      {entry?.icon && <Icon name={entry.icon} />}
      {text}
    </span>
  );
}
