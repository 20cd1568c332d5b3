import { type ReactNode, useId } from 'react';
import { partId } from '../look/part-id.ts';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';

/** A titled section of a screen, without a frame: a group, since a landmark's title would have to be the page's only one. */
export function Section({ node, scope }: NodeProps<'section'>): ReactNode {
  const id = useId();
  const title = useText(node.title, node.values, scope);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it has a name, but is no group of fields.
    <div className="section flow" role="group" aria-labelledby={title ? id : undefined} data-testid={node.testId}>
      {title && <h2 id={id}>{title}</h2>}
      {node.maxHeight === undefined ? (
        drawNodes(node.children, scope)
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: it has a name, but is no group of fields.
        <div
          className="scroll"
          style={{ maxHeight: node.maxHeight }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by the keys too.
          tabIndex={0}
          role="group"
          aria-labelledby={id}
          data-testid={partId(node.testId, 'content')}
        >
          {drawNodes(node.children, scope)}
        </div>
      )}
    </div>
  );
}
