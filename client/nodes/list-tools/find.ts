import type { Layout, Node, TableNode, ToolbarNode } from '../../../shared/language/types.ts';

const found = new WeakMap<Layout, readonly Node[]>();

function collect(value: unknown, into: Node[]): void {
  if (value === null || typeof value !== 'object') return;
  const { type } = value as Partial<Node>;
  if (type === 'table' || type === 'toolbar') into.push(value as Node);
  for (const part of Object.values(value)) collect(part, into);
}

/** The tables and toolbars of a layout. */
function nodesOf(layout: Layout): readonly Node[] {
  let nodes = found.get(layout);
  if (!nodes) {
    const all: Node[] = [];
    collect(layout, all);
    nodes = all;
    found.set(layout, nodes);
  }
  return nodes;
}

/** Finds the table with this id in a layout; undefined when there is none. */
export const findTable = (layout: Layout, id: string | undefined): TableNode | undefined =>
  nodesOf(layout).find((node): node is TableNode => node.type === 'table' && node.id === id);

/** True when a toolbar of the layout belongs to the table with this id, and so holds its display settings. */
export const hasToolbar = (layout: Layout, id: string): boolean =>
  nodesOf(layout).some(node => node.type === 'toolbar' && (node as ToolbarNode).table === id);
