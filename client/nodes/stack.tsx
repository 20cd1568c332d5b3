import type { ReactNode } from 'react';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';

/** Children below each other; `tight` for less space between. */
export function Stack({ node, scope }: NodeProps<'stack'>): ReactNode {
  return (
    <div className={node.tight ? 'stack stack--tight' : 'stack'} data-testid={node.testId}>
      {drawNodes(node.children, scope)}
    </div>
  );
}
