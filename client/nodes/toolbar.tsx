import type { ReactNode } from 'react';
import { Children } from '../runtime/children.tsx';
import type { NodeProps } from '../runtime/registry.ts';

/** Search, filters and actions above a list; `end` stands at the far side. */
export function Toolbar({ node, scope }: NodeProps<'toolbar'>): ReactNode {
  return (
    <div className="toolbar" data-testid={node.testId}>
      <Children nodes={node.children} scope={scope} />
      {node.end && (
        <div className="toolbar__end">
          <Children nodes={node.end} scope={scope} />
        </div>
      )}
    </div>
  );
}
