import type { ReactNode } from 'react';
import { entryFor } from '../look/catalogue-entry.ts';
import { StatusMark } from '../look/status-mark.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useText, useValue } from '../runtime/values.ts';

/** A status: shape and word by the entry of a catalogue. A value that the catalogue lacks is shown as it is. */
export function Status({ node, scope }: NodeProps<'status'>): ReactNode {
  const value = useValue(node.path, scope);
  const entry = entryFor(node.catalogue, value);
  const word = useText(entry?.text, node.values, scope);
  if (value === undefined || value === null || value === '') return null;
  return <StatusMark text={word || String(value)} kind={entry?.kind} moving={entry?.moving} testId={node.testId} />;
}
