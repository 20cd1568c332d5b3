import { findProduct, type ProductCode } from '../../../shared/catalogue/codes.ts';
import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import type { Scalar } from '../../../shared/language/types.ts';
import { PortalError } from '../../errors.ts';
import { type Asking, ask } from '../../operations/ask.ts';
import type { Command, CommandContext } from '../command.ts';
import {
  type Adding,
  type Decision,
  decideAdd,
  type JourneyFacts,
  type Mode,
  partsOf,
  type Question,
  segmentOf,
} from './add-journey.ts';

/** Popups that the decision may open. */
export const addPopups = ['sign-agreement', 'no-permission-to-agree', 'office-suite-partner', 'start-adding'] as const;
/** … and where an order is taken already. */
export const termsPopups = ['terms', 'no-permission-to-agree', 'office-suite-partner'] as const;

/** Operations that the decision may ask. */
export const decisionAsks = [
  'office.partner',
  'agreements.signed',
  'agreements.mayAgree',
  'agreements.linked',
  'customers.get',
];

/** Reads whether the reseller has signed the agreement of the product's own service. */
const ownAgreement = (asking: Asking, { agreementServiceId: serviceId }: ProductCode) =>
  ask(asking, 'agreements.signed', { serviceId });

/** Lists the agreements that a product's service needs in addition to its own. */
const linkedAgreements = async (asking: Asking, { serviceId, subId }: ProductCode) =>
  (await ask(asking, 'agreements.linked', { serviceId, subId })).Items;

const asks: {
  readonly [question in Question]: (asking: Asking, adding: Adding) => Promise<JourneyFacts[question]>;
} = {
  partner: (asking, { customer }) => ask(asking, 'office.partner', { customerId: customer }),
  async agreement(asking, { product }) {
    const { signed } = await ownAgreement(asking, product);
    return { signed };
  },
  mayAgree: async asking => (await ask(asking, 'agreements.mayAgree')).CanAgree === true,
  async outstanding(asking, { product }) {
    const linked = await linkedAgreements(asking, product);
    return linked.filter(({ Signed }) => !Signed).map(({ AgreementId }) => String(AgreementId));
  },
};

const value = (value: Scalar) => ({ value });

/** Names what is being added, so that signing can come back to it; see `readResume`. */
const resumeOf = ({ customer, user, product, mode, instance }: Adding): string =>
  [segmentOf(customer, user), `${product.serviceId}-${product.subId}`, mode, instance ?? ''].join('/');

/** Text that `segmentOf` has not written names nobody. */
function decodePart(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new PortalError('NOT_FOUND', { detail: 'resume' });
  }
}

/**
 * Reads which product was being added when the user was led to sign an agreement; `resume` is text of `resumeOf`.
 * @throws {PortalError} NOT_FOUND as `addingOf`
 */
export function readResume(asking: Pick<CommandContext, 'caller'>, resume: string): Adding {
  const [segment = '', key = '', mode, instanceId] = resume.split('/');
  const { customer, user } = partsOf(decodePart(segment));
  const [serviceId, subId] = key.split('-');
  return addingOf(asking, { customerId: customer, userId: user, serviceId, subId, mode, instanceId });
}

/**
 * What a popup about signing says: for which product and customer, the agreements, how many of them are not signed, and
 * the first of these.
 */
async function signingOf(asking: Asking, { product, customer }: Adding) {
  const [{ agreementId, title, signed }, linked, holder] = await Promise.all([
    ownAgreement(asking, product),
    linkedAgreements(asking, product),
    customer === '' ? undefined : ask(asking, 'customers.get', { customerId: customer }),
  ]);
  const agreements = [{ AgreementId: String(agreementId ?? ''), Title: title, Signed: signed }, ...linked];
  const unsigned = agreements.filter(({ Signed }) => !Signed);
  return {
    agreement: value(unsigned[0]?.Title ?? null),
    count: unsigned.length,
    agreements: { value: agreements },
    product: value(product.name),
    customer: value(holder?.Name ?? null),
  };
}

type Decided = Exclude<Decision, { ask: Question }>;
type SigningPopup = 'sign-agreement' | 'terms';

async function effectsOf(
  asking: Asking,
  decision: Decided,
  adding: Adding,
  popup: SigningPopup,
): Promise<ReplyEffect[]> {
  switch (decision.do) {
    case 'leave':
      return [{ do: 'open-popup', popup: 'office-suite-partner', with: { partner: decision.partner } }];
    case 'sign':
    case 'authorised-only': {
      const mayAgree = decision.do === 'sign';
      const said = await signingOf(asking, adding);
      const resume = value(mayAgree ? resumeOf(adding) : '');
      return [{ do: 'open-popup', popup, with: { resume, isSecure: decision.isSecure, mayAgree, ...said } }];
    }
    case 'no-permission':
      return [{ do: 'open-popup', popup: 'no-permission-to-agree', with: await signingOf(asking, adding) }];
    case 'go': {
      const [to = '', further] = decision.to;
      const { product, customer } = adding;
      const { serviceId, subId, name } = product;
      return [
        { do: 'navigate', to },
        ...(further === undefined
          ? []
          : [
              {
                do: 'open-popup' as const,
                popup: 'start-adding',
                with: { customerId: value(customer), serviceId, subId, name: value(name) },
              },
            ]),
      ];
    }
  }
}

/** Decides what comes next when a product is added; asks the cloud for each fact that the decision needs. */
async function decided(asking: Asking, adding: Adding): Promise<Decided> {
  let answers: JourneyFacts = {};
  for (;;) {
    const decision = decideAdd(adding, answers);
    if (!('ask' in decision)) return decision;
    answers = { ...answers, [decision.ask]: await asks[decision.ask](asking, adding) };
  }
}

/**
 * Gives the effects that lead on when a product is added: a popup to sign an agreement, a message, or the order's
 * screen.
 */
export const effectsOfNextStep = async (asking: Asking, adding: Adding): Promise<ReplyEffect[]> =>
  effectsOf(asking, await decided(asking, adding), adding, 'sign-agreement');

/**
 * Gives the effects that must come before an order whose screen was opened by its address; none when the order can be
 * placed.
 */
export async function effectsBeforeOrder(asking: Asking, adding: Adding): Promise<ReplyEffect[]> {
  const decision = await decided(asking, adding);
  return decision.do === 'go' ? [] : effectsOf(asking, decision, adding, 'terms');
}

const modes: readonly string[] = ['add', 'upgrade', 'modify', 'many'];
const isMode = (mode: string): mode is Mode => modes.includes(mode);

/**
 * Reads what is to be added, and for whom, from the browser's parameters; an administrator of a customer always adds
 * for its own customer.
 * @throws {PortalError} NOT_FOUND for an unknown product or mode, or a missing customer
 */
export function addingOf({ caller }: Pick<CommandContext, 'caller'>, given: Readonly<Record<string, unknown>>): Adding {
  const { principal } = caller;
  const text = (name: string) => String(given[name] ?? '');
  const product = findProduct(given.serviceId, given.subId);
  // An administrator of a customer adds for that customer, whatever the browser says.
  const customer = principal.type === 'endUserAdmin' ? principal.facts.organisationId : text('customerId');
  const mode = text('mode') || 'add';
  if (!product || !isMode(mode) || (customer === '') !== (mode === 'many')) throw new PortalError('NOT_FOUND');
  const crossSell = principal.features.includes('CrossSell');
  return {
    product,
    mode,
    customer,
    user: text('userId') || undefined,
    instance: text('instanceId') || undefined,
    crossSell,
  };
}

/**
 * Decides what comes next when a product is added, upgraded or modified (document 1, section 4, add-product flow): a
 * dialog about the agreement, or the screen that takes the order.
 */
export const productAdd: Command = {
  declaration: {
    name: 'product.add',
    parameters: ['customerId', 'userId', 'serviceId', 'subId', 'mode', 'instanceId'],
    values: { mode: modes },
    requires: 'seller-or-buyer',
    asks: decisionAsks,
    opens: addPopups,
  },
  async run(context) {
    const effects = await effectsOfNextStep(context, addingOf(context, context.with));
    const opens = effects[0]?.do === 'open-popup';
    // A popup takes the place of the one in which the product was chosen.
    return { envelope: { Succeed: true, effects: opens ? [{ do: 'close-popup' }, ...effects] : effects } };
  },
};
