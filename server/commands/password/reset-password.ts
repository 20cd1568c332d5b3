import { PortalError } from '../../errors.ts';
import { traceOf } from '../../operations/caller.ts';
import type { Command } from '../command.ts';
import { keepPace } from '../identity/constant-time-reply.ts';
import { typedAccount } from '../identity/typed-account.ts';

/**
 * Asks for a link to choose a new password (document 1, sections 5, 7 and 8). The reply and its timing are the same
 * whether or not there is such an account; how often one may ask is counted alike for any name.
 */
export const authResetPassword: Command = {
  declaration: {
    name: 'auth.reset-password',
    body: 'reset-password',
    requires: 'anyone-but-must-sign',
  },
  async run({ caller, body, services }) {
    const started = performance.now();
    const userName = String(body.UserName ?? '').trim();
    const record = async (outcome: 'done' | 'refused' | 'failed', why = '') => {
      const { account, detail } = await typedAccount(services, userName);
      await services.audit({
        action: 'password.link-asked',
        outcome,
        ...traceOf(caller),
        account,
        detail: { ...(why !== '' && { why }), ...detail },
      });
    };
    try {
      if ((await services.attempts.admit(`password link of ${userName}`, caller.address, true)) !== 'admitted') {
        await record('refused', 'too many');
        throw new PortalError('TOO_MANY', { detail: 'password links asked for' });
      }
      const said = await services.passwords.askForLink(userName).catch(async error => {
        await record('failed');
        throw error;
      });
      if (said === '') {
        await record('refused', 'the cloud');
        throw new PortalError('RESET_FAILED');
      }
      if (said !== undefined) {
        await record('refused', 'the cloud');
        return { status: 422, envelope: { Succeed: false, Messages: [said] } };
      }
      await record('done');
      return { envelope: { Succeed: true } };
    } finally {
      await keepPace(started);
    }
  },
};
