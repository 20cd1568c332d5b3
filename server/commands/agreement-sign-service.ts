import { partsOf } from './add-journey.ts';
import { traceOf } from './caller.ts';
import type { Command, CommandContext, CommandReply } from './context.ts';
import { Declined } from './delivered-call.ts';
import { addingOf, addPopups, leadOn } from './product-add.ts';
import { askCloud, sellingCalls } from './selling-calls.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Goes on with what the signature was missing for, or to the list of agreements. */
async function next(context: CommandContext): Promise<CommandReply['envelope']> {
  const parts = text(context.with.resume).split('/');
  if (parts.length !== 4)
    return { Succeed: true, effects: [{ do: 'navigate', to: '/account-setting/service-agreements', replace: true }] };
  const [segment = '', key = '', mode, instanceId] = parts;
  const { customer, user } = partsOf(decodeURIComponent(segment));
  const [serviceId, subId] = key.split('-');
  const given = { customerId: customer, userId: user, serviceId, subId, mode, instanceId };
  return { Succeed: true, effects: await leadOn(context, addingOf(context, given)) };
}

async function sign(context: CommandContext): Promise<CommandReply> {
  const { caller, body, services } = context;
  const asking = { services, credentials: caller.session?.credentials };
  const agreementId = text(context.with.agreementId);
  const record = (outcome: 'done' | 'refused' | 'failed') =>
    services.audit({ action: 'agreement.signed', outcome, ...traceOf(caller), detail: { agreementId } });
  try {
    const Image = text(context.with.image);
    const image =
      Image === ''
        ? undefined
        : await askCloud<{ SignatureImageId: string }>(asking, sellingCalls.signatureImage, {}, { Image });
    const { Signatory, Agreed } = body;
    await askCloud(asking, sellingCalls.sign, { agreementId }, { Signatory, Agreed, ...image });
    await record('done');
  } catch (error) {
    await record(error instanceof Declined ? 'refused' : 'failed');
    throw error;
  }
  return { envelope: await next(context) };
}

/**
 * Signs the agreement of a service, with a drawn or typed signature (document 1, section 7), and goes on with the product
 * that it was missing for, if any (section 4: the flow resumes after an agree event if no agreements remain).
 */
export const agreementSignService: Command = {
  declaration: {
    name: 'agreement.sign-service',
    parameters: ['agreementId', 'image', 'resume'],
    body: 'agreement-signature',
    requires: { userTypes: ['reseller', 'engineer'], permissions: ['signAgreements'] },
    opens: addPopups,
  },
  async run(context) {
    try {
      return await sign(context);
    } catch (error) {
      if (error instanceof Declined) return { status: error.status, envelope: error.envelope };
      throw error;
    }
  },
};
