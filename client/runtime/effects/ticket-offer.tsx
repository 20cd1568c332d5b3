import type { ReactNode } from 'react';
import { type TicketLinkProps, usePortalObject } from '../state/portal.ts';

/** Offers to write a ticket about a failure with this reference number; draws nothing without one. */
export function TicketOffer({ reference }: TicketLinkProps): ReactNode {
  const { TicketLink, boot } = usePortalObject();
  // Whoever has not signed in has no tickets.
  if (!reference || !TicketLink || boot.get().principal.type === 'public') return null;
  return <TicketLink reference={reference} />;
}
