import type { ReactNode } from 'react';
import { entryFor } from '../look/catalogue-entry.ts';
import { StatusMark } from '../look/status-mark.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useText, useValue } from '../runtime/values.ts';

/**
 * Shows a status with the shape and the word of its entry in a catalogue; a value without an entry as it is; nothing
 * for no value.
 */
export function Status({ node, scope }: NodeProps<'status'>): ReactNode {
  const value = useValue(node.path, scope);
  const entry = entryFor(node.catalogue, value);
  const word = useText(entry?.text, node.values, scope);
  if (value === undefined || value === null || value === '') return null;
  return <StatusMark text={word || String(value)} kind={entry?.kind} moving={entry?.moving} testId={node.testId} />;
}
