import type { ReactNode } from 'react';
import { Failure } from '../../look/failure.tsx';
import type { Run } from './effects.ts';
import { TicketOffer } from './ticket-offer.tsx';
import { UnknownOutcome } from './unknown-outcome.tsx';

type RunFailureProps = { readonly id: string; readonly of: Pick<Run, 'failure' | 'unknown' | 'reference' | 'again'> };

/**
 * Shows that running a node's effects failed, or that the outcome is not known, then with buttons to check and try
 * again. Draws nothing otherwise.
 */
export function RunFailure({ id, of: { failure, unknown, reference, again } }: RunFailureProps): ReactNode {
  if (unknown !== undefined)
    return <UnknownOutcome id={id} text={unknown} reference={reference} again={() => void again()} />;
  return (
    <>
      <Failure id={id} text={failure} />
      <TicketOffer reference={reference} />
    </>
  );
}
