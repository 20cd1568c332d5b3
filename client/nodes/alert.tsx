import type { ReactNode } from 'react';
import { Message } from '../runtime/effects/message.tsx';
import { drawNodes } from '../runtime/page/children.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useText } from '../runtime/state/values.ts';

/** An alert box within the page (error, warning, information), with the actions that it offers. */
export function Alert({ node, scope }: NodeProps<'alert'>): ReactNode {
  const title = useText(node.title, node.values, scope);
  const text = useText(node.text, node.values, scope);
  return (
    <Message kind={node.kind} title={title} text={text} testId={node.testId}>
      {node.actions && <div className="alert__actions">{drawNodes(node.actions, scope)}</div>}
    </Message>
  );
}
