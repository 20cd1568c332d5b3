import { PortalError } from '../errors.ts';
import type { Caller } from './caller.ts';
import { landingOf } from './landing.ts';

export type Asker = Pick<Caller, 'session' | 'principal' | 'access'>;

/**
 * Makes the error for something that the caller may not have; it is the same whether or not that exists.
 * AGREEMENT_UNSIGNED with a way to the agreement while one must be signed, else NOT_PERMITTED, or SESSION_ENDED without
 * a session. `detail` goes to the log.
 */
export function notPermitted({ session, principal, access }: Asker, detail: string): PortalError {
  if (principal.type === 'mustSign') {
    const to = landingOf(access, principal);
    return new PortalError('AGREEMENT_UNSIGNED', { detail, effects: [{ do: 'navigate', to }] });
  }
  return new PortalError(session ? 'NOT_PERMITTED' : 'SESSION_ENDED', { detail });
}
