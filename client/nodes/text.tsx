import type { ReactNode } from 'react';
import type { NodeProps } from '../runtime/registry.ts';
import { lacksData, useFormat, useText, useValue } from '../runtime/values.ts';

const looks = { plain: undefined, quiet: 'quiet', lead: 'intro' } as const;

/** A paragraph: a text, or a value in its format; with both the value stands first, in bold ("48 customers"). */
export function Text({ node, scope }: NodeProps<'text'>): ReactNode {
  const text = useText(node.text, node.values, scope);
  const value = useFormat(useValue(node.path, scope), node.format);
  if ((text === '' && value === '') || lacksData(node.values, scope)) return null;
  return (
    <p className={looks[node.look ?? 'plain']} data-testid={node.testId}>
      {text !== '' && value !== '' ? <b>{value}</b> : value}
      {text !== '' && value !== '' && ' '}
      {text}
    </p>
  );
}
