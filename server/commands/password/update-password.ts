import { sessionOf } from '../../operations/caller.ts';
import type { Command } from '../command.ts';
import { attemptChange, readNewPassword, recordChange, refuseChange } from './new-password.ts';

/** Engineers are stored as type admin (document 1, section 6). */
const stored = (type: string): string => (type === 'engineer' ? 'admin' : type);

/**
 * Changes the password of the signed-in user, who knows the existing one. Every other session of the account ends; this
 * one goes on under a new identifier.
 */
export const passwordUpdate: Command = {
  declaration: {
    name: 'password.update',
    body: 'change-password',
    requires: 'user-as-themselves',
  },
  async run(context) {
    const { caller, body, services } = context;
    const { identifier = '', principal } = caller;
    const { account, key, credentials, acting } = sessionOf(context);
    const newPassword = await readNewPassword(context);
    const owner = { type: stored(principal.type), name: account };
    const outcome = await attemptChange(context, account, 'signed in', account, () =>
      services.passwords.update(credentials, owner, String(body.ExistingPassword ?? ''), newPassword),
    );
    if (outcome.kind !== 'changed') return refuseChange(context, account, 'signed in', outcome, 'RECORD_CHANGED');
    await services.sessions.endAll(account, 'the password was changed', key);
    const replaced = await services.sessions.replace(identifier, principal, acting);
    await recordChange(context, account, 'signed in', 'done');
    return { session: replaced, envelope: { Succeed: true } };
  },
};
