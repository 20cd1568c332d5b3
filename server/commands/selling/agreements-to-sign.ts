import { PortalError } from '../../errors.ts';
import { type Asking, ask } from '../../operations/ask.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command } from '../command.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { readResume } from './add-product.ts';

/** Agreements that one page shows at most. */
const most = 20;

/** Stands in an address for no order. */
const noOrder = 'none';

/** What signing leads back to: the order that waits, or nothing. */
async function readOrder(asking: Asking, resume: string) {
  if (resume === '' || resume === noOrder) return undefined;
  const adding = readResume(asking, resume);
  const { product, customer, user, mode, instance } = adding;
  const { serviceId, subId } = product;
  const [{ Items }, holder] = await Promise.all([
    ask(asking, 'agreements.inline', { serviceId, subId }),
    customer === '' ? undefined : ask(asking, 'customers.get', { customerId: customer }),
  ]);
  return {
    agreements: Items,
    facts: {
      Product: product.name,
      Customer: holder?.Name ?? asking.caller.access.serverText('agreement.manyCustomers'),
      CustomerId: customer,
      UserId: user ?? '',
      ServiceId: serviceId,
      SubId: subId,
      Mode: mode,
      InstanceId: instance ?? '',
    },
  };
}

/** Reads agreements with those that are linked to them, each once, in this order. */
async function readWithLinked(asking: Asking, ids: readonly unknown[]) {
  const wanted = [...new Set(ids.map(String))];
  if (wanted.length > most) throw new PortalError('NOT_FOUND');
  const read = (agreementId: string) => ask(asking, 'agreements.get', { agreementId });
  const named = await Promise.all(wanted.map(read));
  const linked = new Set(named.flatMap(({ Linked }) => Linked.map(({ AgreementId }) => String(AgreementId))));
  return [...named, ...(await Promise.all([...linked].filter(id => !wanted.includes(id)).map(read)))];
}

/**
 * Reads what is signed together: the agreements that an order needs (`resume` names it), those that are named, or all
 * that are not signed. `Items` are those that the caller has to sign, with their text; `Signed` are those of them that
 * are signed. Anchors are unique on the page that shows several agreements.
 * @throws {PortalError} NOT_FOUND for an order that nobody can place
 */
async function readToSign(asking: Asking, given: Readonly<Record<string, unknown>>) {
  const order = await readOrder(asking, textOf(given.resume));
  const named = textOf(given.agreements);
  const all = order?.agreements ?? (await readWithLinked(asking, await idsOf(named)));
  const signed = all.filter(({ Signed }) => Signed);
  const toSign = all.filter(({ Signed, CanSign }) => !Signed && CanSign);
  return {
    ...order?.facts,
    Count: toSign.length,
    SignedCount: signed.length,
    SignedTitles: signed.map(({ Title }) => Title).join(', '),
    Items: toSign.map(({ AgreementId, Title, Version, Published, Sections }) => ({
      // An agreement that changes while it is read has to be read again.
      Key: `${AgreementId}-${Version}`,
      AgreementId,
      Title,
      Accept: asking.caller.access.serverText('agreement.accept', { title: Title, version: String(Version) }),
      Version,
      Published,
      Sections: Sections.map(section => ({
        ...section,
        AnchorValue: section.AnchorValue && `${AgreementId}-${section.AnchorValue}`,
      })),
    })),
    Signed: signed,
  };

  async function idsOf(named: string): Promise<readonly unknown[]> {
    if (named !== '') return named.split(',');
    return (await ask(asking, 'agreements.list', { status: 'unsigned' })).Items.map(({ AgreementId }) => AgreementId);
  }
}

/** Answers the operation by which the signing screen reads the agreements to sign, by the parameters of its address. */
export const agreementsToSign = (asked: PortalRequest) => readToSign(asked, asked.parameters);

/** What the journey that signs them asks before its step. */
export const agreementPrepare: Command = {
  declaration: {
    name: 'agreement.prepare',
    parameters: ['resume', 'agreements'],
    requires: 'agreement-signer',
    asks: ['agreements.inline', 'agreements.list', 'agreements.get', 'customers.get'],
    reply: { Items: [{ Key: 'text', Accept: 'text' }] },
  },
  run: async context => ({ envelope: { Succeed: true, Result: await readToSign(context, context.with) } }),
};
