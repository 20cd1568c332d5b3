import { setTimeout as sleep } from 'node:timers/promises';
import { publicPrincipal } from '../access/principal.ts';
import type { SignedIn } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';
import { PortalError } from '../errors.ts';
import { robotAfter } from '../session/attempts.ts';
import { readIdentity } from '../session/identity.ts';
import { strategies } from '../session/strategies/index.ts';
import type { Command, CommandContext, CommandReply } from './context.ts';
import { landingOf } from './landing.ts';
import { readReturn } from './return-address.ts';

/** Refusals leave at whole steps of this many milliseconds, so that their timing does not tell them apart. */
const step = 500;

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
    account: username,
    address: caller.address,
    detail: { why },
  });
  const taken = performance.now() - started;
  await sleep(Math.ceil((taken + 1) / step) * step - taken);
  throw new PortalError('SIGN_IN_FAILED', { effects: [...countFailures(failures)] });
}

/** Before there is a session, its first token has to do. */
function firstCredentials({ tokens, userName }: SignedIn): Credentials {
  const ended = async (): Promise<never> => {
    throw new PortalError('SESSION_ENDED', { detail: 'the cloud refused a new token' });
  };
  return { actor: userName, token: () => tokens.access, renew: ended, end: async () => undefined };
}

async function openSession(
  { caller, with: given, services }: CommandContext,
  signedIn: SignedIn,
): Promise<CommandReply> {
  const { principal, hasRecord } = await readIdentity(services.accounts, firstCredentials(signedIn));
  const session = await services.sessions.open(signedIn.userName, signedIn.tokens, principal);
  await services.audit({
    action: 'session.sign-in',
    outcome: 'done',
    account: signedIn.userName,
    address: caller.address,
  });
  const { version } = caller;
  const access = version.access(principal);
  const wanted = readReturn(given.return, version, access, version.access(publicPrincipal));
  // Document 1, section 7: an account without a permissions record goes to the permission-error page.
  const to = hasRecord ? (wanted ?? landingOf(access, principal)) : '/permission-error';
  return {
    session,
    envelope: {
      Succeed: true,
      Resources: { code: 'SESSION_CHANGED' },
      effects: [{ do: 'navigate', to, replace: true }],
    },
  };
}

/** Second step of signing in: the password (document 1, sections 4 and 5). */
export const authSignIn: Command = {
  declaration: {
    name: 'auth.sign-in',
    parameters: ['username', 'return'],
    body: 'sign-in',
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
    if (outcome.kind === 'second-step') throw new PortalError('SECOND_STEP_NEEDED');
    await attempts.forgive(username, caller.address, 'right');
    return openSession(context, outcome);
  },
};
