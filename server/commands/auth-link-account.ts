import { PortalError } from '../errors.ts';
import { robotAfter } from '../session/attempts.ts';
import { strategies } from '../session/strategies/index.ts';
import { askForCode } from './ask-for-code.ts';
import { traceOf } from './caller.ts';
import type { Command, CommandContext } from './context.ts';
import { openSession } from './open-session.ts';
import { keepPace } from './pace.ts';
import { beginSignOn } from './sign-on.ts';

/** Sends the browser to where work accounts of the cloud office suite sign in (document 1, section 2.1). */
export const authOfficeSignIn: Command = {
  declaration: { name: 'auth.office-sign-in', parameters: ['return'], requires: { userTypes: ['public'] } },
  run: ({ with: given, services }) =>
    beginSignOn({ services }, 'office', { returnTo: typeof given.return === 'string' ? given.return : '' }),
};

const usernameOf = (body: Readonly<Record<string, unknown>>): string =>
  String(body.Username ?? '')
    .trim()
    .slice(0, 100);

async function refuse({ caller, body, services }: CommandContext, started: number, why: string, said = '') {
  const username = usernameOf(body);
  const failures = await services.attempts.failures(username, caller.address);
  await services.audit({
    action: 'account.link',
    outcome: 'refused',
    ...traceOf(caller),
    account: username,
    detail: { why },
  });
  await keepPace(started);
  const effects = [{ do: 'set', path: 'form.$failures', value: Math.min(failures, robotAfter) }] as const;
  return new PortalError('LINK_REFUSED', { said, effects });
}

/** Links a work account, which waits on the server, to the account of a password, and signs in with it. */
export const authLinkAccount: Command = {
  declaration: {
    name: 'auth.link-account',
    body: 'link-account',
    opens: ['configure-mfa', 'configure-mfa-verification-code'],
    requires: { userTypes: ['public'] },
  },

  async formState({ caller, body, services }) {
    const failures = await services.attempts.failures(usernameOf(body), caller.address);
    return { $failures: Object.hasOwn(body, 'NotRobot') ? Math.max(failures, robotAfter) : failures };
  },

  async run(context) {
    const { caller, body, services, step = '' } = context;
    const started = performance.now();
    const waiting = await services.steps.find(step, 'work-account');
    if (!waiting) throw new PortalError('STEP_ENDED');
    const { adtoken, returnTo } = waiting;
    const { attempts } = services;
    const username = usernameOf(body);
    const admission = await attempts.admit(username, caller.address, body.NotRobot === true);
    if (admission === 'locked') throw await refuse(context, started, 'locked');
    if (admission === 'robot') {
      throw new PortalError('FIELDS_INVALID', {
        errors: { NotRobot: ['This is required'] },
        effects: [{ do: 'set', path: 'form.$failures', value: robotAfter }],
      });
    }
    const password = String(body.Password ?? '');
    const outcome = await strategies.link(services.accounts, { username, password, adtoken }).catch(async error => {
      await attempts.forgive(username, caller.address, 'unjudged');
      throw error;
    });
    if (outcome.kind === 'refused') throw await refuse(context, started, 'wrong', outcome.said);
    if (outcome.kind === 'second-step') {
      await attempts.forgive(username, caller.address, 'unjudged');
      await services.steps.close(step);
      return askForCode(services, outcome.step, { username, password, returnTo, adtoken });
    }
    await attempts.forgive(username, caller.address, 'right');
    await services.steps.close(step);
    await services.audit({ action: 'account.link', outcome: 'done', ...traceOf(caller), account: username });
    const idToken = { connection: 'office', idToken: adtoken } as const;
    return { ...(await openSession(context, outcome, returnTo, { idToken })), step: '' };
  },
};
