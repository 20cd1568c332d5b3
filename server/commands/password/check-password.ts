import type { Command } from '../command.ts';
import { ratePasswordFor } from './password-verdict.ts';

/**
 * Says how a new password stands while it is typed: its score and which of the named rules it meets (document 1,
 * section 5). The patterns of the rules are the cloud's, so that they are tried here, in bounded time, and never in a
 * browser; and what is shown is what will be checked.
 */
export const passwordCheck: Command = {
  declaration: {
    name: 'password.check',
    body: 'password-check',
    reply: { score: 'number', isStrong: 'yes-no', named: [{ name: 'text', isMet: 'yes-no' }] },
  },
  async run(context) {
    const { score, isStrong, named } = await ratePasswordFor(context, String(context.body.Password ?? ''));
    return { envelope: { Succeed: true, Result: { score, isStrong, named } } };
  },
};
