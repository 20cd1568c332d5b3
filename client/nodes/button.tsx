import { type ReactNode, useId } from 'react';
import { Failure } from '../look/failure.tsx';
import { Icon } from '../look/icon.tsx';
import { useRun } from '../runtime/effects.ts';
import type { NodeProps } from '../runtime/registry.ts';
import { useMet, useText } from '../runtime/values.ts';

const looks = {
  plain: 'button',
  primary: 'button button--primary',
  danger: 'button button--danger',
  quiet: 'button button--quiet',
  link: 'linkbutton',
} as const;

/**
 * Runs the effects of `on.press`, once at a time. While they run it stays focusable and says its `busy` text;
 * what fails is told next to it.
 */
export function Button({ node, scope }: NodeProps<'button'>): ReactNode {
  const failureId = useId();
  const { run, busy, failure } = useRun(scope, node.id);
  const text = useText(node.text, node.values, scope);
  const busyText = useText(node.busy, node.values, scope);
  const off = useMet(node.disabledWhen, scope) && node.disabledWhen !== undefined;
  const look = looks[node.look ?? 'plain'];
  return (
    <>
      <button
        className={node.small && node.look !== 'link' ? `${look} button--small` : look}
        type="button"
        disabled={off}
        aria-busy={busy || undefined}
        aria-describedby={failure ? failureId : undefined}
        data-testid={node.testId}
        onClick={() => void run(node.on.press)}
      >
        {busy ? <span className="spinner" /> : node.icon && <Icon name={node.icon} />}
        <span className="button__text">{busy && busyText ? busyText : text}</span>
      </button>
      <Failure id={failureId} text={failure} />
    </>
  );
}
