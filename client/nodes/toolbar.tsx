import type { ReactNode } from 'react';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { lazyComponent } from '../runtime/state/lazy-component.tsx';
import { loadListTools, type ToolsProps } from './table/lazy-work.ts';

const ClearFilters = lazyComponent<ToolsProps>(async () => (await loadListTools()).ClearFilters);
const TableTools = lazyComponent<ToolsProps>(
  async () => (await loadListTools()).TableTools,
  <span style={{ width: '13rem' }} />,
);

/** Lays out search, filters and actions above a list; the nodes of `end` stand at the far side. */
export function Toolbar({ node, scope }: NodeProps<'toolbar'>): ReactNode {
  return (
    <div className="toolbar" data-testid={node.testId}>
      {drawNodes(node.children, scope)}
      {node.table !== undefined && <ClearFilters table={node.table} scope={scope} />}
      {(node.end ?? node.table) !== undefined && (
        <div className="toolbar__end">
          {node.table !== undefined && <TableTools table={node.table} scope={scope} />}
          {node.end && drawNodes(node.end, scope)}
        </div>
      )}
    </div>
  );
}
