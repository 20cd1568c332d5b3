import type { ReactNode } from 'react';
import { Tile } from '../look/tile.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';

/**
 * What a screen or section shows in place of missing content, with a way on. At level 1 it is the whole page (access
 * denied, not found), with its title as the page's heading.
 */
export function Empty({ node, scope }: NodeProps<'empty'>): ReactNode {
  const title = useText(node.title, node.values, scope);
  const text = useText(node.text, node.values, scope);
  const isPage = node.level === 1;
  const Title = isPage ? 'h1' : 'h2';
  const content = (
    <div className={isPage ? 'outcome' : 'table-empty'} data-testid={node.testId}>
      {node.icon && <Tile icon={node.icon} kind={node.kind} large />}
      <Title>{title}</Title>
      {text && <p>{text}</p>}
      {node.actions && <div className="row">{drawNodes(node.actions, scope)}</div>}
    </div>
  );
  return isPage ? <div className="outcome-page">{content}</div> : content;
}
