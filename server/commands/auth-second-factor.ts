import { PortalError } from '../errors.ts';
import { strategies } from '../session/strategies/index.ts';
import type { Command, CommandContext } from './context.ts';
import { openSession } from './open-session.ts';

/** Codes are counted apart from passwords, so that neither guess helps the other. */
const counterOf = (username: string): string => `second factor of ${username}`;

async function refuse({ caller, services }: CommandContext, username: string, why: string): Promise<void> {
  await services.audit({
    action: 'session.second-factor',
    outcome: 'refused',
    account: username,
    address: caller.address,
    device: caller.device,
    detail: { why },
  });
}

/**
 * The code of an authenticator app, after the password (document 1, section 4): the sign-in is made again with it.
 * The password waits on the server, sealed, for ten minutes; until the code is right the browser is nobody.
 */
export const authSecondFactor: Command = {
  declaration: { name: 'auth.second-factor', body: 'mfa-code', requires: { userTypes: ['public'] } },
  async run(context) {
    const { caller, body, services, step = '' } = context;
    const waiting = await services.steps.find(step, 'second-factor');
    if (!waiting) throw new PortalError('STEP_ENDED');
    const { username, password, key, returnTo } = waiting;
    const counter = counterOf(username);
    if ((await services.attempts.admit(counter, caller.address, true)) !== 'admitted') {
      await services.steps.close(step);
      await refuse(context, username, 'locked');
      throw new PortalError('TOO_MANY_CODES');
    }
    const second = { key, code: String(body.Code ?? '').replace(/\s/g, '') };
    const outcome = await strategies.password(services.accounts, { username, password, second }).catch(async error => {
      await services.attempts.forgive(counter, caller.address, 'unjudged');
      throw error;
    });
    if (outcome.kind === 'second-step') {
      await refuse(context, username, 'wrong code');
      throw new PortalError('FIELDS_INVALID', {
        errors: { Code: ['This code is wrong or has been used. Enter the newest code of your app.'] },
      });
    }
    await services.steps.close(step);
    if (outcome.kind === 'refused') throw new PortalError('STEP_ENDED', { detail: 'the password is no longer right' });
    await services.attempts.forgive(counter, caller.address, 'right');
    await services.attempts.forgive(username, caller.address, 'right');
    return { ...(await openSession(context, outcome, returnTo)), step: '' };
  },
};

/** Gives up between password and code: nothing of the sign-in is kept. */
export const authCancelStep: Command = {
  declaration: { name: 'auth.cancel-step', requires: { userTypes: ['public'] } },
  async run({ services, step = '' }) {
    await services.steps.close(step);
    return { step: '', envelope: { Succeed: true, effects: [{ do: 'close-popup' }] } };
  },
};
