import type { ReactNode } from 'react';
import { drawNodes } from '../runtime/children.tsx';
import { Message } from '../runtime/message.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useText } from '../runtime/values.ts';

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
