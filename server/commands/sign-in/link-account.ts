import { PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import { textOf } from '../../operations/text-of.ts';
import { strategies } from '../../session/strategies/index.ts';
import type { Command } from '../command.ts';
import { askForCode } from './ask-for-code.ts';
import { openSessionOrAskView } from './open-session.ts';
import { admitPassword, refusePassword, robotState } from './password-attempt.ts';
import { beginSignOn } from './sign-on.ts';

/** Sends the browser to where work accounts of the cloud office suite sign in (document 1, section 2.1). */
export const authOfficeSignIn: Command = {
  declaration: {
    name: 'auth.office-sign-in',
    parameters: ['return'],
    requires: 'signed-out',
  },
  run: ({ with: given, services }) => beginSignOn({ services }, 'office', { returnTo: textOf(given.return) }),
};

const usernameOf = (body: Readonly<Record<string, unknown>>): string =>
  String(body.Username ?? '')
    .trim()
    .slice(0, 100);

/** Links a work account, which waits on the server, to the account of a password, and signs in with it. */
export const authLinkAccount: Command = {
  declaration: {
    name: 'auth.link-account',
    body: 'link-account',
    opens: ['configure-mfa', 'configure-mfa-verification-code', 'switch-user'],
    requires: 'signed-out',
  },

  formState: context => robotState(context, usernameOf(context.body)),

  async run(context) {
    const { caller, body, services, stage = '' } = context;
    const started = performance.now();
    const waiting = await services.signInStages.find(stage, 'work-account');
    if (!waiting) throw new PortalError('STEP_ENDED', { detail: 'no work account waits' });
    const { adtoken, returnTo } = waiting;
    const { attempts } = services;
    const username = usernameOf(body);
    const refuse = (why: 'locked' | 'wrong', said?: string) =>
      refusePassword(context, username, { action: 'account.link', why, code: 'LINK_REFUSED', said, started });
    if (!(await admitPassword(context, username))) throw await refuse('locked');
    const password = String(body.Password ?? '');
    const outcome = await strategies.link(services.accounts, { username, password, adtoken }).catch(async error => {
      await attempts.forgive(username, caller.address, 'unchecked');
      throw error;
    });
    if (outcome.kind === 'refused') throw await refuse('wrong', outcome.said);
    if (outcome.kind === 'further-proof') {
      await attempts.forgive(username, caller.address, 'unchecked');
      await services.signInStages.close(stage);
      return askForCode(context, outcome.proof, { username, password, returnTo, adtoken });
    }
    await attempts.forgive(username, caller.address, 'right');
    await services.signInStages.close(stage);
    await services.audit({ action: 'account.link', outcome: 'done', ...traceOf(caller), account: username });
    return openSessionOrAskView(context, outcome, returnTo, { connection: 'office' });
  },
};
