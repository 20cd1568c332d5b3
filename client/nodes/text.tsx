import type { ReactNode } from 'react';
import { drawValue } from '../look/value.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { lacksData, useFormatter, useText, useValue } from '../runtime/state/values.ts';

const looks = { plain: undefined, quiet: 'quiet', lead: 'intro' } as const;

/** A paragraph: a text, or a value in its format; with both the value stands first, in bold ("48 customers"). */
export function Text({ node, scope }: NodeProps<'text'>): ReactNode {
  const text = useText(node.text, node.values, scope);
  const value = drawValue(useValue(node.path, scope), node.format, useFormatter());
  if ((text === '' && value === '') || lacksData(node.values, scope)) return null;
  return (
    <p className={looks[node.look ?? 'plain']} data-testid={node.testId}>
      {text !== '' && value !== '' ? <b>{value}</b> : value}
      {text !== '' && value !== '' && ' '}
      {text}
    </p>
  );
}
