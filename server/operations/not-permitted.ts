import { PortalError } from '../errors.ts';
import type { Caller } from './caller.ts';
import { landingOf } from './landing.ts';

export type Asker = Pick<Caller, 'session' | 'principal' | 'access'>;

/** What a caller is not given is, to it, not there: refused alike whether or not it exists. */
export function notPermitted({ session, principal, access }: Asker, detail: string): PortalError {
  if (principal.type === 'mustSign') {
    const to = landingOf(access, principal);
    return new PortalError('AGREEMENT_UNSIGNED', { detail, effects: [{ do: 'navigate', to }] });
  }
  return new PortalError(session ? 'NOT_PERMITTED' : 'SESSION_ENDED', { detail });
}
