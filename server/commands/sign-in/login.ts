import { PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import { textOf } from '../../operations/text-of.ts';
import { robotAfter } from '../../session/attempts.ts';
import type { Command } from '../command.ts';
import { beginSignOn } from './sign-on.ts';

/** First stage of signing in: how does this username sign in? (document 1, sections 2.1 and 4) */
export const authLogin: Command = {
  declaration: {
    name: 'auth.login',
    parameters: ['return'],
    body: 'login',
    requires: 'signed-out',
  },
  async run({ caller, with: given, body, services }) {
    const username = String(body.Username ?? '').trim();
    // What is typed here may be a password: no record says it.
    const record = (why: string) =>
      services.audit({ action: 'session.sign-in', outcome: 'refused', ...traceOf(caller), detail: { why } });
    if (!(await services.attempts.admitLookup(caller.address))) {
      await record('too many usernames');
      throw new PortalError('TOO_MANY', { detail: 'usernames asked about' });
    }
    const flow = await services.accounts.loginFlow(username);
    const returnTo = textOf(given.return);
    if (flow === 'SSO') return beginSignOn({ services }, 'sso', { username, returnTo });
    if (flow === 'Unknown' && services.tellUnknownUsername) {
      await record('unknown username');
      throw new PortalError('USERNAME_INVALID', {
        errors: { Username: [caller.access.serverText('error.USERNAME_INVALID')] },
      });
    }
    // Another browser failed before: this one is asked at once, and not after a right password.
    const isRobotAsked = (await services.attempts.failures(username, caller.address)) >= robotAfter;
    const to = `/sign-in?${new URLSearchParams({ username, ...(isRobotAsked && { robot: 'asked' }) })}`;
    const stage = await services.signInStages.open('password', { username });
    return { stage, envelope: { Succeed: true, effects: [{ do: 'navigate', to, keep: true }] } };
  },
};
