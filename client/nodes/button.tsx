import { type ReactNode, useId } from 'react';
import { isMet } from '../../shared/rules/condition.ts';
import { Icon } from '../look/icon.tsx';
import { useRun } from '../runtime/effects/effects.ts';
import { RunFailure } from '../runtime/effects/run-failure.tsx';
import type { NodeProps } from '../runtime/page/registry.ts';
import { useSpeech } from '../runtime/state/values.ts';

const looks = {
  plain: 'button',
  primary: 'button button--primary',
  danger: 'button button--danger',
  quiet: 'button button--quiet',
  link: 'linkbutton',
} as const;

/**
 * A button that runs the effects of `on.press`, once at a time. Meanwhile it stays focusable and shows its `busy` text;
 * a failure is shown next to it.
 */
export function Button({ node, scope }: NodeProps<'button'>): ReactNode {
  const failureId = useId();
  const pressed = useRun(scope, node.id);
  const { run, busy, failure } = pressed;
  const speech = useSpeech();
  const text = speech.text((busy && node.busy) || node.text, node.values, scope);
  const off = node.disabledWhen !== undefined && isMet(node.disabledWhen, scope);
  const look = looks[node.look ?? 'plain'];
  return (
    <>
      <button
        className={node.small && node.look !== 'link' ? `${look} button--small` : look}
        type="button"
        disabled={off || undefined}
        aria-busy={busy || undefined}
        aria-describedby={failure ? failureId : undefined}
        data-testid={node.testId}
        onClick={() => void run(node.on.press)}
      >
        {busy ? <span className="spinner" /> : node.icon && <Icon name={node.icon} />}
        <span className="button__text">{text}</span>
      </button>
      {failure && <RunFailure id={failureId} of={pressed} />}
    </>
  );
}
