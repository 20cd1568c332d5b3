import type { ReactNode } from 'react';
import { Failure } from '../look/failure.tsx';
import type { Run } from './effects.ts';
import { UnknownOutcome } from './unknown-outcome.tsx';

type RunFailureProps = { readonly id: string; readonly of: Pick<Run, 'failure' | 'unknown' | 'again'> };

/** What went wrong with what was pressed, or that nobody knows; nothing while all is well. */
export function RunFailure({ id, of: { failure, unknown, again } }: RunFailureProps): ReactNode {
  if (unknown !== undefined) return <UnknownOutcome id={id} text={unknown} again={() => void again()} />;
  return <Failure id={id} text={failure} />;
}
