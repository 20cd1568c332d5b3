import type { ReactNode } from 'react';
import { Icon } from '../look/icon.tsx';
import { drawNodes } from '../runtime/children.tsx';
import type { NodeProps } from '../runtime/registry.ts';
import { useText } from '../runtime/values.ts';

const icons = { ok: 'check-circle', wait: 'alert', bad: 'x-circle', info: 'info', off: 'info', none: 'info' } as const;

/** A message in place. A bad one is announced at once, others when the reader is idle. */
export function Alert({ node, scope }: NodeProps<'alert'>): ReactNode {
  const title = useText(node.title, node.values, scope);
  const text = useText(node.text, node.values, scope);
  return (
    <div
      className={`alert alert--${node.kind}`}
      role={node.kind === 'bad' ? 'alert' : 'status'}
      data-testid={node.testId}
    >
      <Icon name={icons[node.kind]} />
      <div className="alert__text">
        {title && <b>{title}</b>}
        <span>{text}</span>
      </div>
      {node.actions && <div className="alert__actions">{drawNodes(node.actions, scope)}</div>}
    </div>
  );
}
