import type { ReactNode } from 'react';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';

/** A heading inside a screen: level 2, or 3 where the node says so. */
export function Heading({ node, scope }: NodeProps<'heading'>): ReactNode {
  const text = useText(node.text, node.values, scope);
  const Level = node.level === 3 ? 'h3' : 'h2';
  return <Level data-testid={node.testId}>{text}</Level>;
}
