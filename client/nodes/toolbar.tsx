import type { ReactNode } from 'react';
import { drawNodes } from '../runtime/children.tsx';
import type { NodeProps } from '../runtime/registry.ts';

/** Lays out search, filters and actions above a list; the nodes of `end` stand at the far side. */
export function Toolbar({ node, scope }: NodeProps<'toolbar'>): ReactNode {
  return (
    <div className="toolbar" data-testid={node.testId}>
      {drawNodes(node.children, scope)}
      {node.end && <div className="toolbar__end">{drawNodes(node.end, scope)}</div>}
    </div>
  );
}
