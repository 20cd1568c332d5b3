import type { Command } from '../command.ts';
import { beginSignOn } from './sign-on.ts';
import { organisationIn, popupFor, signOnPopups } from './sign-on-popups.ts';

/** Shows what came of a round trip to an identity provider. */
export const authSignOnFailure: Command = {
  declaration: {
    name: 'auth.sign-on-failure',
    opens: signOnPopups,
    requires: 'signed-out',
  },
  async run({ caller, services, stage }) {
    const { message = '', code } = (await services.signInStages.find(stage, 'sign-on-failed')) ?? {
      code: 'STEP_ENDED',
    };
    const organisation = organisationIn(message);
    // What others said is never shown as it is.
    const given = {
      ...(organisation && { organisation: { value: organisation } }),
      ...(code && { reason: { value: caller.access.serverText(`error.${code}`) } }),
    };
    return { envelope: { Succeed: true, effects: [{ do: 'open-popup', popup: popupFor(message), with: given }] } };
  },
};

/** Goes to the identity provider once more: with the organisation that it was about, or to choose another account. */
export const authSignOnAgain: Command = {
  declaration: {
    name: 'auth.sign-on-again',
    parameters: ['choose'],
    values: { choose: [true, false] },
    requires: 'signed-out',
  },
  async run({ with: given, services, stage = '' }) {
    const failed = await services.signInStages.find(stage, 'sign-on-failed');
    const { connection = 'sso', returnTo = '', message = '' } = failed ?? {};
    const choose = given.choose === true;
    const reply = await beginSignOn({ services }, connection, {
      returnTo,
      choose,
      organisation: choose ? undefined : organisationIn(message),
    });
    await services.signInStages.close(stage);
    return reply;
  },
};

/** Leaves single sign-on alone: nothing of it is kept, and the next username decides anew. */
export const authLeaveSignOn: Command = {
  declaration: {
    name: 'auth.leave-sign-on',
    requires: 'signed-out',
  },
  async run({ services, stage = '' }) {
    const { returnTo = '' } = (await services.signInStages.find(stage, 'sign-on-failed')) ?? {};
    await services.signInStages.close(stage);
    const to = returnTo === '' ? '/login' : `/login?${new URLSearchParams({ return: returnTo })}`;
    return { stage: '', envelope: { Succeed: true, effects: [{ do: 'navigate', to, replace: true }] } };
  },
};
