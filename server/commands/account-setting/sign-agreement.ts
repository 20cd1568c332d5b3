import { sessionOf, traceOf } from '../../operations/caller.ts';
import { landingOf } from '../../operations/landing.ts';
import { wordRefusalFor } from '../../operations/word-refusal.ts';
import type { Command } from '../command.ts';

/**
 * Signs the agreement without which a reseller may do nothing (document 1, sections 2.2 and 3). The cloud then says
 * what they may do, and the page loads anew where they land.
 */
export const agreementSign: Command = {
  declaration: {
    name: 'agreement.sign',
    parameters: ['agreementId'],
    body: 'agreement-signature',
    requires: 'must-sign',
  },
  async run({ caller, with: given, body, services }) {
    const { identifier = '', principal, version } = caller;
    const agreementId = String(given.agreementId ?? '0');
    const { Signatory, Agreed, Version } = body;
    const reply = await services.accounts.signAgreement(
      sessionOf({ caller }).credentials,
      agreementId,
      { Signatory, Agreed, Version: Number(Version) },
      wordRefusalFor(caller),
    );
    await services.audit({
      action: 'agreement.signed',
      outcome: reply.envelope.Succeed ? 'done' : 'refused',
      ...traceOf(caller),
      detail: { agreementId },
    });
    if (!reply.envelope.Succeed) return reply;
    return {
      envelope: {
        Succeed: true,
        Resources: { code: 'SESSION_CHANGED' },
        effects: [{ do: 'navigate', to: await landingAfter(), replace: true }],
      },
    };

    /** Gives the address that the signature opens; the first page, which leads on, where the cloud does not say it now. */
    async function landingAfter(): Promise<string> {
      try {
        await services.sessions.reread(identifier);
        const signed = (await services.sessions.find(identifier, true, caller.address))?.principal ?? principal;
        return landingOf(version.access(signed), signed);
      } catch (error) {
        services.log.warn({ reason: (error as Error).message }, 'rights could not be read after a signature');
        return '/';
      }
    }
  },
};
