import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { ask } from '../../operations/ask.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { partsOf } from './add-journey.ts';
import { addingOf, addPopups, decisionAsks, effectsOfNextStep } from './add-product.ts';

/** Goes on with what the signature was missing for, or to the list of agreements. */
async function next(context: CommandContext): Promise<ReplyEffect[]> {
  const parts = textOf(context.with.resume).split('/');
  if (parts.length !== 4) return [{ do: 'navigate', to: '/account-setting/service-agreements', replace: true }];
  const [segment = '', key = '', mode, instanceId] = parts;
  const { customer, user } = partsOf(decodeURIComponent(segment));
  const [serviceId, subId] = key.split('-');
  const given = { customerId: customer, userId: user, serviceId, subId, mode, instanceId };
  return effectsOfNextStep(context, addingOf(context, given));
}

async function sign(context: CommandContext): Promise<CommandReply> {
  const { with: given, body } = context;
  const { Signatory, Agreed, Image } = body;
  const image = await ask(context, 'agreements.signatureImage', {}, { body: { Image } });
  await ask(context, 'agreements.sign', { agreementId: given.agreementId }, { body: { Signatory, Agreed, ...image } });
  // The page that was signed on says so, behind a popup about the next agreement as well.
  const seen = { do: 'refresh-operations', operations: ['agreements.get'] } as const;
  return { envelope: { Succeed: true, effects: [...(await next(context)), seen] } };
}

/**
 * Signs the agreement of a service, with a drawn or typed signature (document 1, section 7), and goes on with the product
 * that it was missing for, if any (section 4: the flow resumes after an agree event if no agreements remain).
 */
export const agreementSignService: Command = {
  declaration: {
    name: 'agreement.sign-service',
    parameters: ['agreementId', 'resume'],
    body: 'agreement-signature',
    requires: 'agreement-signer',
    asks: ['agreements.signatureImage', 'agreements.sign', ...decisionAsks],
    opens: addPopups,
  },
  run: sign,
};
