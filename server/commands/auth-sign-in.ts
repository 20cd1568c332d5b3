import { PortalError } from '../errors.ts';
import { robotAfter } from '../session/attempts.ts';
import { strategies } from '../session/strategies/index.ts';
import { askForCode } from './ask-for-code.ts';
import { traceOf } from './caller.ts';
import type { Command, CommandContext } from './context.ts';
import { openChosenSession } from './open-session.ts';
import { keepPace } from './pace.ts';

const usernameOf = (given: Readonly<Record<string, unknown>>): string =>
  typeof given.username === 'string' ? given.username.slice(0, 100) : '';

/** Tells how many failures there were, up to where it matters: a locked account answers as any other. */
const countFailures = (count: number) =>
  [{ do: 'set', path: 'form.$failures', value: Math.min(count, robotAfter) }] as const;

async function refuse({ caller, with: given, services }: CommandContext, started: number, why: string): Promise<never> {
  const username = usernameOf(given);
  const failures = await services.attempts.failures(username, caller.address);
  await services.audit({
    action: 'session.sign-in',
    outcome: 'refused',
    ...traceOf(caller),
    account: username,
    detail: { why },
  });
  await keepPace(started);
  throw new PortalError('SIGN_IN_FAILED', { effects: [...countFailures(failures)] });
}

/** Second step of signing in: the password (document 1, sections 4 and 5). */
export const authSignIn: Command = {
  declaration: {
    name: 'auth.sign-in',
    parameters: ['username', 'return'],
    body: 'sign-in',
    opens: ['configure-mfa', 'configure-mfa-verification-code', 'switch-user'],
    requires: { userTypes: ['public'] },
  },

  /** Invalid submissions count in the browser too, so it may show the question sooner than the server asks it. */
  async formState({ caller, with: given, body, services }) {
    const failures = await services.attempts.failures(usernameOf(given), caller.address);
    return { $failures: Object.hasOwn(body, 'NotRobot') ? Math.max(failures, robotAfter) : failures };
  },

  async run(context) {
    const { caller, with: given, body, services } = context;
    const started = performance.now();
    const username = usernameOf(given);
    if (username === '') throw new PortalError('BAD_REQUEST', { detail: 'no username' });
    const { attempts } = services;
    const admission = await attempts.admit(username, caller.address, body.NotRobot === true);
    if (admission === 'locked') return refuse(context, started, 'locked');
    if (admission === 'robot') {
      throw new PortalError('FIELDS_INVALID', {
        errors: { NotRobot: ['This is required'] },
        effects: [...countFailures(robotAfter)],
      });
    }
    const password = String(body.Password ?? '');
    const outcome = await strategies.password(services.accounts, { username, password }).catch(async error => {
      await attempts.forgive(username, caller.address, 'unjudged');
      throw error;
    });
    if (outcome.kind === 'refused') return refuse(context, started, 'wrong');
    if (outcome.kind === 'second-step') {
      // Only the whole sign-in clears what failed before.
      await attempts.forgive(username, caller.address, 'unjudged');
      const returnTo = typeof given.return === 'string' ? given.return : '';
      return askForCode(services, outcome.step, { username, password, returnTo });
    }
    await attempts.forgive(username, caller.address, 'right');
    return openChosenSession(context, outcome, given.return);
  },
};
