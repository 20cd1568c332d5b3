import type { ReactNode } from 'react';
import { Icon } from '../../look/icon.tsx';
import type { SourceView } from '../data/data-source.ts';
import { useWord } from '../state/values.ts';
import { TicketOffer } from './ticket-offer.tsx';

type TroubleProps = { readonly of: Pick<SourceView, 'failed' | 'reference' | 'retry'> };

/**
 * The message in place of data that could not be read, with a button to try again, and a link to a ticket where trying
 * may not help. Draws nothing otherwise.
 */
export function Trouble({ of: { failed, reference, retry } }: TroubleProps): ReactNode {
  const retryText = useWord('retry');
  if (failed === undefined) return null;
  return (
    <div className="trouble" role="status">
      <Icon name="alert" />
      <span>{failed}</span>
      <button className="button button--small" type="button" data-testid="retry" onClick={retry}>
        <Icon name="refresh" />
        <span className="button__text">{retryText}</span>
      </button>
      <TicketOffer reference={reference} />
    </div>
  );
}
