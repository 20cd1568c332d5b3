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
    asks: ['agreements.beginSign', 'agreements.signatureImage', 'agreements.signAll'],
    reply: { Agreements: 'text', Resume: 'text', OrderIsOpen: 'text' },
  },
  async run(context) {
    const { Keys, Signatory, Image, Resume, OrderIsOpen } = context.body;
    const read = (Keys as readonly unknown[]).map(key => textOf(key).split('-', 2));
    const AgreementIds = read.map(([id]) => id);
    const Versions = read.map(([, version]) => Number(version));
    // Nothing of a signature is kept where it may not be given.
    await ask(context, 'agreements.beginSign', {}, { body: { AgreementIds, Versions } });
    const image = await ask(context, 'agreements.signatureImage', {}, { body: { Image } });
    const body = { AgreementIds, Versions, Signatory, Agreed: true, ...image };
    await ask(context, 'agreements.signAll', {}, { body });
    return { envelope: { Succeed: true, Result: { Agreements: AgreementIds.join(','), Resume, OrderIsOpen } } };
  },
};
