import type { ReactNode } from 'react';
import { drawNodes } from '../runtime/children.tsx';
import type { NodeProps } from '../runtime/registry.ts';

/** Search, filters and actions above a list; `end` stands at the far side. */
export function Toolbar({ node, scope }: NodeProps<'toolbar'>): ReactNode {
  return (
    <div className="toolbar" data-testid={node.testId}>
      {drawNodes(node.children, scope)}
      {node.end && <div className="toolbar__end">{drawNodes(node.end, scope)}</div>}
    </div>
  );
}
