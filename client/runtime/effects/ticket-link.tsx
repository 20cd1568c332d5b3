import type { ReactNode } from 'react';
import { newTicketScreen, ticketAddress } from '../../../shared/contract/ticket-address.ts';
import { Icon } from '../../look/icon.tsx';
import { type TicketLinkProps, usePortalObject, useSpeech } from '../state/portal.ts';
import { useStore } from '../state/store.ts';

/**
 * A link to a new ticket about a failure on this page, for callers who may open tickets. It opens beside this page, so
 * that nothing typed is lost. On the page of a new ticket itself it would lead in a circle.
 */
export function TicketLink({ reference }: TicketLinkProps): ReactNode {
  const { word } = useSpeech();
  const { boot } = usePortalObject();
  const isThere = useStore(boot, ({ routes }) => routes.some(([pattern]) => pattern === newTicketScreen));
  if (!isThere || location.pathname === newTicketScreen) return null;
  const to = ticketAddress(location.pathname + location.search, reference);
  return (
    <a className="button button--small" href={to} target="_blank" rel="noopener" data-testid="write-ticket">
      <span className="button__text">{word('fault.ticket')}</span>
      <Icon name="external" small />
      <span className="visually-hidden">{word('link.newTab')}</span>
    </a>
  );
}
