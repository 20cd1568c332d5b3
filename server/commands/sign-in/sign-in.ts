import { PortalError } from '../../errors.ts';
import { textOf } from '../../operations/text-of.ts';
import { strategies } from '../../session/strategies/index.ts';
import type { Command } from '../command.ts';
import { askForCode } from './ask-for-code.ts';
import { openSessionOrAskView } from './open-session.ts';
import { admitPassword, refusePassword, robotState } from './password-attempt.ts';

const usernameOf = (given: Readonly<Record<string, unknown>>): string => textOf(given.username).slice(0, 100);

/** Second stage of signing in: the password (document 1, sections 4 and 5). */
export const authSignIn: Command = {
  declaration: {
    name: 'auth.sign-in',
    parameters: ['username', 'return'],
    body: 'sign-in',
    opens: ['configure-mfa', 'configure-mfa-verification-code', 'switch-user'],
    requires: 'signed-out',
  },

  formState: context => robotState(context, usernameOf(context.with)),

  async run(context) {
    const { caller, with: given, body, services } = context;
    const started = performance.now();
    const username = usernameOf(given);
    if (username === '') throw new PortalError('BAD_REQUEST', { detail: 'no username' });
    const { attempts } = services;
    const refuse = (why: 'locked' | 'wrong') =>
      refusePassword(context, username, { action: 'session.sign-in', why, code: 'SIGN_IN_FAILED', started });
    if (!(await admitPassword(context, username))) throw await refuse('locked');
    const password = String(body.Password ?? '');
    const outcome = await strategies.password(services.accounts, { username, password }).catch(async error => {
      await attempts.forgive(username, caller.address, 'unchecked');
      throw error;
    });
    if (outcome.kind === 'refused') throw await refuse('wrong');
    if (outcome.kind === 'further-proof') {
      // Only the whole sign-in clears what failed before.
      await attempts.forgive(username, caller.address, 'unchecked');
      return askForCode(context, outcome.proof, { username, password, returnTo: textOf(given.return) });
    }
    await attempts.forgive(username, caller.address, 'right');
    return openSessionOrAskView(context, outcome, given.return);
  },
};
