import type { ReactNode } from 'react';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';

const shapes = {
  main: 'split',
  even: 'split split--even',
  side: 'split split--side',
  cards: 'split split--cards',
} as const;

/** Children side by side from 1024 px, below each other on narrower pages; as `cards`, as many in a row as fit. */
export function Columns({ node, scope }: NodeProps<'columns'>): ReactNode {
  return (
    <div className={shapes[node.shape ?? 'main']} data-testid={node.testId}>
      {drawNodes(node.children, scope)}
    </div>
  );
}
