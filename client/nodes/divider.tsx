import type { ReactNode } from 'react';
import type { NodeProps } from '../runtime/registry.ts';

/** A line between siblings. */
export function Divider({ node }: NodeProps<'divider'>): ReactNode {
  return <hr className="divider" data-testid={node.testId} />;
}
