import { ask } from '../../operations/ask.ts';
import { traceOf } from '../../operations/caller.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command } from '../command.ts';
import { keepPace } from '../identity/constant-time-reply.ts';
import { refuseOften } from '../identity/refuse-often.ts';

/** Longer than any token of a link that the cloud makes. */
const longest = 100;

/**
 * Asks for an account as a reseller (document 1, section 2.1: signup). The reply and its timing are the same whether or
 * not the address has an account; the mail says it.
 */
export const signUpAsk: Command = {
  declaration: {
    name: 'sign-up.ask',
    body: 'sign-up',
    requires: 'signed-out',
    asks: ['signUps.ask'],
  },
  async run(context) {
    const started = performance.now();
    const { caller, body, services } = context;
    try {
      if (!(await services.attempts.admitSignUp(caller.address)))
        return await refuseOften(services, traceOf(caller), 'signup.asked');
      const { Company, Name, Email, Phone, Country, Agreed } = body;
      await ask(context, 'signUps.ask', {}, { body: { Company, Name, Email, Phone, Country, Agreed } });
      return { envelope: { Succeed: true } };
    } finally {
      await keepPace(started);
    }
  },
};

/** Confirms a request by the link of its mail. An address that tries many links has to wait. */
export const signUpConfirm: Command = {
  declaration: {
    name: 'sign-up.confirm',
    parameters: ['token'],
    requires: 'anyone-but-must-sign',
    asks: ['signUps.confirm'],
    reply: { Outcome: { kind: 'code', of: ['Confirmed', 'Already', 'Ended'] }, At: 'time?' },
  },
  async run(context) {
    const { caller, with: given, services } = context;
    if (!(await services.attempts.admitLink(caller.address)))
      return refuseOften(services, traceOf(caller), 'signup.confirmed');
    const Token = textOf(given.token);
    const isToken = Token !== '' && Token.length <= longest;
    if (!isToken) return { envelope: { Succeed: true, Result: { Outcome: 'Ended' } } };
    const { Outcome, At } = await ask(context, 'signUps.confirm', {}, { body: { Token } });
    if (Outcome === 'Confirmed') await services.attempts.forgiveLink(caller.address);
    return { envelope: { Succeed: true, Result: { Outcome, ...(At && { At }) } } };
  },
};
