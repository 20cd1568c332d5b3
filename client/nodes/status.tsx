import type { ReactNode } from 'react';
import { fillAddress } from '../../shared/rules/path.ts';
import { entryFor } from '../look/catalogue-entry.ts';
import { partId } from '../look/part-id.ts';
import { StatusMark } from '../look/status-mark.tsx';
import { A } from '../runtime/effects/navigation.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText, useValue } from '../runtime/state/values.ts';

/**
 * Shows a status by the shape and text of its entry in a catalogue; a value without an entry as it is; nothing without
 * a value. With `to` it is a link.
 */
export function Status({ node, scope }: NodeProps<'status'>): ReactNode {
  const value = useValue(node.path, scope);
  const entry = entryFor(node.catalogue, value);
  const word = useText(entry?.text, node.values, scope);
  if (value === undefined || value === null || value === '') return null;
  const href = node.to && fillAddress(node.to, scope);
  const mark = (
    <StatusMark text={word || String(value)} kind={entry?.kind} moving={entry?.moving} testId={node.testId} />
  );
  return href ? (
    <A href={href} data-testid={partId(node.testId, 'link')}>
      {mark}
    </A>
  ) : (
    mark
  );
}
