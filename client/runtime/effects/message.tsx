import type { ReactNode } from 'react';
import { Icon } from '../../look/icon.tsx';
import { partId } from '../../look/part-id.ts';
import { TicketOffer } from './ticket-offer.tsx';

const icons: Readonly<Record<string, string>> = { bad: 'x-circle', wait: 'alert', ok: 'check-circle' };

/** Gives the icon of what a message means, which says it without colour. */
export const iconOfKind = (kind: string): string => icons[kind] ?? 'info';

type MessageProps = {
  readonly kind: string;
  readonly title?: string | undefined;
  readonly text: string;
  readonly testId?: string | undefined;
  /** True for what is announced at once although it is no failure. */
  readonly urgent?: boolean | undefined;
  readonly action?: { readonly text: string; run(): void } | undefined;
  /** Reference number of a fault, about which a ticket is offered. */
  readonly reference?: string | undefined;
  /** What stands at the end in place of an action. */
  readonly children?: ReactNode;
};

/**
 * A message box within the page, with a title, text and action. An urgent one is announced to screen readers at once,
 * others when they are idle.
 */
export function Message({ kind, title, text, testId, urgent, action, reference, children }: MessageProps): ReactNode {
  return (
    <div className={`alert alert--${kind}`} role={kind === 'bad' || urgent ? 'alert' : 'status'} data-testid={testId}>
      <Icon name={iconOfKind(kind)} />
      <div className="alert__text">
        {title && <b>{title}</b>}
        <span>{text}</span>
      </div>
      {action && (
        <button
          className="button button--small"
          type="button"
          data-testid={partId(testId, 'action')}
          onClick={() => action.run()}
        >
          <span className="button__text">{action.text}</span>
        </button>
      )}
      {reference && (
        <div className="alert__actions">
          <TicketOffer reference={reference} />
        </div>
      )}
      {children}
    </div>
  );
}
