import type { ReactNode } from 'react';
import { Children } from '../runtime/children.tsx';
import type { NodeProps } from '../runtime/registry.ts';

/** Children below each other; `tight` for less space between. */
export function Stack({ node, scope }: NodeProps<'stack'>): ReactNode {
  return (
    <div className={node.tight ? 'stack stack--tight' : 'stack'} data-testid={node.testId}>
      <Children nodes={node.children} scope={scope} />
    </div>
  );
}
