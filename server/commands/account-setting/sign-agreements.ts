import { ask } from '../../operations/ask.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command } from '../command.ts';

/**
 * Signs several agreements with one signature, drawn or typed (document 1, section 7). `Keys` are those of
 * `agreements.toSign`. Gives the ids of what is signed, separated by commas, and, as they were given, the order that
 * waits and whether its form is open: an address needs a value for each of its parts.
 */
export const agreementSignAll: Command = {
  declaration: {
    name: 'agreement.sign-all',
    ownBody: true,
    requires: 'agreement-signer',
    asks: ['agreements.signatureImage', 'agreements.signAll'],
    reply: { Agreements: 'text', Resume: 'text', OrderIsOpen: 'text' },
  },
  async run(context) {
    const { Keys, Signatory, Image, Resume, OrderIsOpen } = context.body;
    const AgreementIds = (Keys as readonly unknown[]).map(key => textOf(key).split('-', 1)[0]);
    const image = await ask(context, 'agreements.signatureImage', {}, { body: { Image } });
    await ask(context, 'agreements.signAll', {}, { body: { AgreementIds, Signatory, Agreed: true, ...image } });
    return { envelope: { Succeed: true, Result: { Agreements: AgreementIds.join(','), Resume, OrderIsOpen } } };
  },
};
