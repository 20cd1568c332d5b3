import { findProduct } from '../../../shared/catalogue/codes.ts';
import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { estimateName, stepName } from '../../../shared/contract/steps.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { checkBody } from '../../operations/check-body.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { keptNotice, stepContract, stepReply, type Words, waitingReply, wordsOf } from '../wizard/step-reply.ts';
import { commitmentOf } from './add-journey.ts';
import { addingOf, decisionAsks, effectsBeforeOrder, termsPopups } from './add-product.ts';
import { placeOrShowCheck, showCheck } from './bulk-check.ts';
import { leftOutNodes } from './bulk-form.ts';
import { findKept, keepBulk, mostCustomers, namedIn } from './bulk-kept.ts';
import { checkChosen } from './bulk-members.ts';
import { bulkOrderOf, customersField, estimateBulk, keepDetails, showDetails, withCount } from './bulk-order.ts';
import { bulkFacts } from './bulk-price.ts';
import { committed, type Key, type Product, readProduct, withFieldNames } from './order-form.ts';

/**
 * Opens with the customers that were ticked before, or else with those that the address names: those that can have it
 * are chosen, the others said why not.
 */
async function openStep(context: CommandContext, key: Key, words: Words): Promise<CommandReply> {
  const named = namedIn(context);
  const kept = await findKept(context, key, named);
  const again = kept?.customers.length ? kept : undefined;
  if (named.length === 0) {
    const children = keptNotice(context, again?.savedAt);
    const values = again ? { Customers: again.customers.join('\n') } : {};
    const reply = stepReply({ step: 'customers', values, ...(again && { children }) });
    return again ? withCount(reply, again.customers.length) : reply;
  }
  const customers = await checkChosen(context, key, named);
  const leftOut = customers.filter(({ Obstacle }) => Obstacle !== null);
  const out = new Set(leftOut.map(({ CustomerId }) => CustomerId));
  const ids = (again?.customers ?? customers.map(({ CustomerId }) => CustomerId)).filter(id => !out.has(id));
  const reply = stepReply({
    step: 'customers',
    children: [
      ...keptNotice(context, again?.savedAt),
      ...leftOutNodes(words, leftOut, context.caller.principal.facts.locale),
    ],
    values: { Customers: ids.join('\n'), $leftOut: leftOut },
  });
  return withCount(reply, ids.length);
}

/** The step list names the agreements while some of them have to be signed. */
function stepOfSigning({ Agreements = [] }: Product): ReplyEffect[] {
  const toSign = Agreements.filter(({ Signed }) => !Signed).length;
  return toSign > 0 ? [{ do: 'set', path: 'state.toSign', value: toSign }] : [];
}

async function step(context: CommandContext): Promise<CommandReply> {
  const { caller, body, with: given } = context;
  const code = findProduct(given.serviceId, given.subId);
  if (!code) throw new PortalError('NOT_FOUND');
  const key = { serviceId: code.serviceId, subId: code.subId };
  const asked = body[stepName];
  const isEstimate = body[estimateName] === true;
  const { Customers: chosen = [] } = checkBody([customersField], { Customers: body.Customers }, caller) as {
    Customers?: string[];
  };
  if (chosen.length > mostCustomers) throw new PortalError('TOO_MANY_CHOSEN');
  if (asked === 'customers') await keepBulk(context, key, namedIn(context), { customers: chosen });
  if (asked === 'customers' && isEstimate) return stepReply({ step: asked, values: {} });
  const product = committed(await readProduct(context, code), commitmentOf(code, undefined, caller.principal.features));
  const stops = await effectsBeforeOrder(context, addingOf(context, { ...given, mode: 'many' }));
  if (asked === undefined) {
    const { envelope } = await openStep(context, key, wordsOf(context));
    return { envelope: { ...envelope, effects: [...(envelope.effects ?? []), ...stops, ...stepOfSigning(product)] } };
  }
  if (chosen.length === 0) throw new PortalError('NOTHING_CHOSEN');
  if (stops.length > 0) return waitingReply(textOf(asked), stops);
  // At the check all have answered; whoever has got the product since is told so by the cloud.
  const customers = await checkChosen(context, key, chosen, asked === 'check' ? 'New' : '');
  const order = bulkOrderOf(context, { key, product, customers });
  if (asked === 'customers') return showDetails(order);
  if (asked === 'details') await keepDetails(order, chosen);
  if (isEstimate) return estimateBulk(order, textOf(asked));
  return asked === 'check' ? placeOrShowCheck(order) : showCheck(order);
}

/** What the cloud says of a customer’s own field goes to the row of that customer. */
const withRowNames =
  (run: Command['run']): Command['run'] =>
  async context => {
    const { envelope, ...reply } = await run(context);
    if (!envelope.Errors) return { ...reply, envelope };
    const named = Object.entries(envelope.Errors).map(([name, said]) => [
      name.replace(/^Customers\./, 'Values.'),
      said,
    ]);
    return { ...reply, envelope: { ...envelope, Errors: Object.fromEntries(named) } };
  };

/** Leads through adding one product to many customers; each of them has a result of its own afterwards. */
export const orderBulk: Command = {
  declaration: {
    name: 'order.bulk-step',
    parameters: ['serviceId', 'subId', 'customers'],
    reply: { ...stepContract, facts: bulkFacts },
    requires: 'seller',
    ownBody: true,
    asks: ['marketplace.service', 'orders.judge', 'orders.bulkQuote', 'orders.bulk', ...decisionAsks],
    opens: termsPopups,
  },
  run: withRowNames(withFieldNames(step)),
};

/** All customers that match and can have the product, for the list of an order for many. */
export const orderBulkAll: Command = {
  declaration: {
    name: 'order.bulk-all',
    parameters: ['serviceId', 'subId', 'search', 'show'],
    reply: { keys: ['id'] },
    requires: 'seller',
    asks: ['orders.eligibleIds'],
  },
  run: async context => {
    const { serviceId, subId, search, show } = context.with;
    // What is shown beside may be all, of whom those are chosen that can have it.
    const parameters = { serviceId, subId, search: textOf(search), show: textOf(show) || 'available' };
    const keys = await ask(context, 'orders.eligibleIds', parameters);
    return { envelope: { Succeed: true, Result: { keys } } };
  },
};
