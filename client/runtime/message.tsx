import type { ReactNode } from 'react';
import { Icon } from '../look/icon.tsx';

const icons: Readonly<Record<string, string>> = { bad: 'x-circle', wait: 'alert', ok: 'check-circle', info: 'info' };

type MessageProps = {
  readonly kind: 'bad' | 'info' | 'ok' | 'wait';
  readonly title?: string | undefined;
  readonly text: string;
  readonly action?: { readonly text: string; run(): void } | undefined;
};

/** A message of the runtime, in place; a bad one is announced at once. */
export function Message({ kind, title, text, action }: MessageProps): ReactNode {
  return (
    <div className={`alert alert--${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={icons[kind] ?? 'info'} />
      <div className="alert__text">
        {title && <b>{title}</b>}
        <span>{text}</span>
      </div>
      {action && (
        <button className="button button--small" type="button" onClick={() => action.run()}>
          <span className="button__text">{action.text}</span>
        </button>
      )}
    </div>
  );
}
