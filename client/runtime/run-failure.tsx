import type { ReactNode } from 'react';
import { Failure } from '../look/failure.tsx';
import type { Run } from './effects.ts';
import { UnknownOutcome } from './unknown-outcome.tsx';

type RunFailureProps = { readonly id: string; readonly of: Pick<Run, 'failure' | 'unknown' | 'again'> };

/**
 * Shows the failure of a run, or, when its outcome is unknown, that text with buttons to check and to try again. Draws
 * nothing while neither is there.
 */
export function RunFailure({ id, of: { failure, unknown, again } }: RunFailureProps): ReactNode {
  if (unknown !== undefined) return <UnknownOutcome id={id} text={unknown} again={() => void again()} />;
  return <Failure id={id} text={failure} />;
}
