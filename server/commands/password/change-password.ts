import type { Owner } from '../../cloud/passwords.ts';
import { PortalError } from '../../errors.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext } from '../command.ts';
import {
  attemptChange,
  readNewPassword,
  readTypedPassword,
  recordChange,
  refuseChange,
  type Way,
} from './new-password.ts';

/** Tells the sign-in pages what they follow. */
const notice = 'password-changed';

/** A new password ends whatever the old one had opened. It opens nothing itself: a second factor is asked as before. */
async function conclude(context: CommandContext, { name }: Owner, way: Way): Promise<void> {
  await context.services.sessions.endAll(name, 'the password was changed');
  await recordChange(context, name, way, 'done');
}

/**
 * Chooses a new password after a sign-in that asks for one: with the existing one, for whoever is between the two
 * (document 1, sections 2.1, 5 and 8). Leads back to the sign-in.
 */
export const authChangePassword: Command = {
  declaration: {
    name: 'auth.change-password',
    body: 'new-password',
    requires: 'signed-out',
  },
  async run(context) {
    const { body, services, stage = '' } = context;
    const waiting = await services.signInStages.find(stage, 'new-password');
    if (!waiting) throw new PortalError('STEP_ENDED', { detail: 'no new password is waited for' });
    const { owner, returnTo } = waiting;
    const newPassword = await readNewPassword(context);
    const oldPassword = String(body.ExistingPassword ?? '');
    const outcome = await attemptChange(context, owner.name, 'after sign-in', owner.name, () =>
      services.passwords.change(owner, { key: null, oldPassword, newPassword }),
    );
    if (outcome.kind !== 'changed') return refuseChange(context, owner.name, 'after sign-in', outcome, 'STEP_ENDED');
    await services.signInStages.close(stage);
    await conclude(context, owner, 'after sign-in');
    const query = { username: owner.name, ...(returnTo !== '' && { return: returnTo }), notice };
    const to = `/sign-in?${new URLSearchParams(query)}`;
    return {
      stage: await services.signInStages.open('password', { username: owner.name }),
      envelope: { Succeed: true, effects: [{ do: 'navigate', to, replace: true }] },
    };
  },
};

const longest = 300;
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest;

/** Chooses a new password by the link of a mail, whoever is signed in here. Signs nobody in. */
export const authChangePasswordByLink: Command = {
  declaration: {
    name: 'auth.change-password-by-link',
    parameters: ['userType', 'userName', 'key'],
    body: 'new-password-by-link',
  },
  async run(context) {
    const { caller, with: given, services } = context;
    const { userType: type, userName: name, key } = given;
    if (!isName(type) || !isName(name) || !isName(key)) {
      await recordChange(context, textOf(name), 'link', 'refused', 'ended');
      throw new PortalError('PASSWORD_LINK_ENDED');
    }
    // Who has no good key is nobody to rate a password for: the cloud looks at the key, and then at the password.
    const newPassword = readTypedPassword(context);
    const owner = { type, name };
    const outcome = await attemptChange(context, name, 'link', `key of ${name}`, () =>
      services.passwords.change(owner, { key, oldPassword: null, newPassword }).catch(error => {
        // A name that no address can hold is none of ours.
        if (error instanceof PortalError && error.code === 'PARAMETER_INVALID') return { kind: 'ended' };
        throw error;
      }),
    );
    // The link alone says who asks: a cloud that calls it unauthorised says that it is over.
    const said = outcome.kind === 'wrong' ? ({ kind: 'ended' } as const) : outcome;
    if (said.kind !== 'changed') return refuseChange(context, name, 'link', said, 'PASSWORD_LINK_ENDED');
    await conclude(context, owner, 'link');
    const to = `/login?${new URLSearchParams({ username: name, notice })}`;
    return {
      envelope: {
        Succeed: true,
        ...(caller.session && { Resources: { code: 'SESSION_CHANGED' } }),
        effects: [{ do: 'navigate', to, replace: true }],
      },
    };
  },
};
