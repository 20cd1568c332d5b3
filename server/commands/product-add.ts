import { findProduct } from '../../shared/catalogue/codes.ts';
import type { ReplyEffect } from '../../shared/contract/envelope.ts';
import type { Scalar } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';
import {
  type Adding,
  type Answers,
  type Decision,
  decideAdd,
  type Mode,
  type Question,
  segmentOf,
} from './add-journey.ts';
import { type Asking, ask } from './ask.ts';
import type { Command, CommandContext } from './context.ts';

/** Popups that the decision may open. */
export const addPopups = ['sign-agreement', 'no-permission-to-agree', 'office-suite-partner', 'start-adding'] as const;
/** … and where an order is taken already. */
export const termsPopups = ['terms', 'no-permission-to-agree', 'office-suite-partner'] as const;

/** Operations that the decision may ask. */
export const decisionAsks = ['office.partner', 'agreements.signed', 'agreements.mayAgree', 'agreements.linked'];

type Linked = { readonly Items: readonly { readonly AgreementId: string; readonly Signed: boolean }[] };
type Signed = { readonly signed: boolean; readonly agreementId: string | null };

const asks: {
  readonly [question in Question]: (asking: Asking, adding: Adding) => Promise<Answers[question]>;
} = {
  partner: (asking, { customer }) => ask<number>(asking, 'office.partner', { customerId: customer }),
  async agreement(asking, { product }) {
    const serviceId = product.agreementServiceId;
    const { signed, agreementId } = await ask<Signed>(asking, 'agreements.signed', { serviceId });
    return { signed, agreementId: String(agreementId ?? '') };
  },
  mayAgree: async asking => (await ask<{ CanAgree: boolean }>(asking, 'agreements.mayAgree')).CanAgree === true,
  async outstanding(asking, { product: { serviceId, subId } }) {
    const { Items } = await ask<Linked>(asking, 'agreements.linked', { serviceId, subId });
    return Items.filter(({ Signed }) => !Signed).map(({ AgreementId }) => String(AgreementId));
  },
};

const value = (value: Scalar) => ({ value });

/** Names what is being added, so that signing can come back to it. */
const resumeOf = ({ customer, user, product, mode, instance }: Adding): string =>
  [segmentOf(customer, user), `${product.serviceId}-${product.subId}`, mode, instance ?? ''].join('/');

type Decided = Exclude<Decision, { ask: Question }>;
type SigningPopup = 'sign-agreement' | 'terms';

function effectsOf(decision: Decided, adding: Adding, popup: SigningPopup): ReplyEffect[] {
  switch (decision.do) {
    case 'leave':
      return [
        { do: 'close-popup' },
        { do: 'open-popup', popup: 'office-suite-partner', with: { partner: decision.partner } },
      ];
    case 'sign':
      return [
        {
          do: 'open-popup',
          popup,
          with: {
            agreementId: value(decision.agreementId),
            isSecure: decision.isSecure,
            mayAgree: true,
            resume: value(resumeOf(adding)),
          },
        },
      ];
    case 'authorised-only':
      return [
        {
          do: 'open-popup',
          popup,
          with: { agreementId: value(''), isSecure: decision.isSecure, mayAgree: false, resume: value('') },
        },
      ];
    case 'no-permission':
      return [{ do: 'open-popup', popup: 'no-permission-to-agree' }];
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

/** Asks what the decision needs until it stands. */
async function decided(asking: Asking, adding: Adding): Promise<Decided> {
  let answers: Answers = {};
  for (;;) {
    const decision = decideAdd(adding, answers);
    if (!('ask' in decision)) return decision;
    answers = { ...answers, [decision.ask]: await asks[decision.ask](asking, adding) };
  }
}

/** What the browser does next. */
export const leadOn = async (asking: Asking, adding: Adding): Promise<ReplyEffect[]> =>
  effectsOf(await decided(asking, adding), adding, 'sign-agreement');

/** What stands before an order whose screen was opened by its address; nothing where it can be placed. */
export async function stopBefore(asking: Asking, adding: Adding): Promise<ReplyEffect[]> {
  const decision = await decided(asking, adding);
  return decision.do === 'go' ? [] : effectsOf(decision, adding, 'terms');
}

const modes: readonly string[] = ['add', 'upgrade', 'modify', 'many'];
const isMode = (mode: string): mode is Mode => modes.includes(mode);

/** What is to be added, from parameters that the browser gave. Throws NOT_FOUND. */
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
    requires: { userTypes: ['reseller', 'engineer', 'endUserAdmin'], permissions: ['addProducts'] },
    asks: decisionAsks,
    opens: addPopups,
  },
  run: async context => ({
    envelope: { Succeed: true, effects: await leadOn(context, addingOf(context, context.with)) },
  }),
};
