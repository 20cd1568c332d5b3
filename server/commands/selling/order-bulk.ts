import { findProduct } from '../../../shared/catalogue/codes.ts';
import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { estimateName, stepName } from '../../../shared/contract/steps.ts';
import { ticksKind } from '../../../shared/language/nodes/ticks.ts';
import { readGrid, type Values } from '../../../shared/rules/grid.ts';
import { heldField } from '../../../shared/rules/held-field.ts';
import { readLines } from '../../../shared/rules/read-lines.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { checkBody } from '../../operations/check-body.ts';
import { Declined } from '../../operations/cloud-refusal.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import {
  keptNotice,
  labelOf,
  stampOf,
  stepContract,
  stepReply,
  type Words,
  waitingReply,
  wordsOf,
} from '../wizard/step-reply.ts';
import { commitmentOf } from './add-journey.ts';
import { addingOf, decisionAsks, effectsBeforeOrder, termsPopups } from './add-product.ts';
import { chosenNodes, leftOutNodes, ownValuesNodes } from './bulk-form.ts';
import { type CheckedCustomer, heldNote, holds, ifHeld, ifHeldField, named } from './bulk-held.ts';
import {
  answersOf,
  dropKept,
  findKept,
  keepBulk,
  keptShared,
  mostCustomers,
  namedIn,
  ownOf,
  rowsOf,
} from './bulk-kept.ts';
import { checkChosen, membersOf, typedOf } from './bulk-members.ts';
import { type BulkQuote, bulkBody, bulkFacts, type Member, priceSoFar, pricesOf } from './bulk-price.ts';
import {
  committed,
  fieldOf,
  firstValues,
  type Key,
  orderBody,
  orderFields,
  type Product,
  readProduct,
  summaryOf,
  withFieldNames,
} from './order-form.ts';

/** The customers that are ticked, by their ids. */
const customersField = heldField(ticksKind.rules.holds, 'Customers');

const isOwn = ({ PerCustomer }: Product['Fields'][number]): boolean => PerCustomer === true;

/** The heading and the buttons say how many customers it is for. */
const withCount = ({ envelope }: CommandReply, count: number): CommandReply => {
  const said: ReplyEffect = { do: 'set', path: 'state.chosen', value: count };
  return { envelope: { ...envelope, effects: [said] } };
};

/** What the order begins with that is the same for all. */
function sharedValues(product: Product): Values {
  const { Quantity: _, ...shared } = firstValues(product);
  return shared;
}

/** Answers without the one that nobody was asked for, as whoever has got the product meanwhile is asked for it. */
const withoutUnasked = (fields: Values): Values =>
  fields[ifHeld] === 'New' ? { ...fields, [ifHeld]: undefined } : fields;

/** What was shown before the press: the price of one, the customers, and the answers of each. */
const stampFor = ({ UnitPrice, MonthlyPrice, FirstCharge }: BulkQuote, members: readonly Member[]): string =>
  stampOf([
    UnitPrice,
    MonthlyPrice,
    FirstCharge,
    ...members.map(({ CustomerId, Fields }) => [CustomerId, withoutUnasked(Fields)]),
  ]);

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

/** Ids of those who were chosen, here or in the address, and cannot have the product: the result says why. */
async function leftOutOf(context: CommandContext, key: Key, chosen: readonly CheckedCustomer[]): Promise<string[]> {
  const known = new Set(chosen.map(({ CustomerId }) => CustomerId));
  const named = namedIn(context).filter(id => !known.has(id));
  const others = named.length === 0 ? [] : await checkChosen(context, key, named);
  return [...chosen, ...others].filter(({ Obstacle }) => Obstacle !== null).map(({ CustomerId }) => CustomerId);
}

async function step(context: CommandContext): Promise<CommandReply> {
  const { caller, body, with: given } = context;
  const words = wordsOf(context);
  const { locale } = caller.principal.facts;
  const code = findProduct(given.serviceId, given.subId);
  if (!code) throw new PortalError('NOT_FOUND');
  const key = { serviceId: code.serviceId, subId: code.subId };
  const asked = body[stepName];
  const fromAddress = namedIn(context);
  const { Customers, Values, $price, $ordered, [estimateName]: isEstimate, ...answers } = body;
  const { Customers: chosen = [] } = checkBody([customersField], { Customers }, caller) as { Customers?: string[] };
  if (chosen.length > mostCustomers) throw new PortalError('TOO_MANY_CHOSEN');
  if (asked === 'customers') await keepBulk(context, key, fromAddress, { customers: chosen });
  if (asked === 'customers' && isEstimate === true) return stepReply({ step: asked, values: {} });
  const commitment = commitmentOf(code, undefined, caller.principal.features);
  const product = committed(await readProduct(context, code), commitment);
  const stops = await effectsBeforeOrder(context, addingOf(context, { ...given, mode: 'many' }));
  if (asked === undefined) {
    const { envelope } = await openStep(context, key, words);
    return { envelope: { ...envelope, effects: [...(envelope.effects ?? []), ...stops, ...stepOfSigning(product)] } };
  }
  if (chosen.length === 0) throw new PortalError('NOTHING_CHOSEN');
  if (stops.length > 0) return waitingReply(textOf(asked), stops);
  const [quantity, ...shared] = orderFields(
    { ...product, Fields: product.Fields.filter(field => !isOwn(field)) },
    words,
  );
  // At the check all have answered; whoever has got the product since is told so by the cloud.
  const customers = await checkChosen(context, key, chosen, asked === 'check' ? 'New' : '');
  const own = [
    ...(quantity ? [quantity] : []),
    ...(customers.some(holds) ? [ifHeldField(words)] : []),
    ...product.Fields.filter(isOwn).map(fieldOf),
  ];
  const eligible = customers.filter(({ Obstacle }) => Obstacle === null);
  const bodyFor = (values: Values) => (members: readonly Member[]) =>
    bulkBody(key, orderBody({ ...values, Quantity: product.MinQuantity }), members);
  const pricedSoFar = (typed: Values, members: readonly Member[]) =>
    priceSoFar(context, members, some => bodyFor(checkBody(shared, typed, caller))(some));
  if (asked === 'customers') {
    if (eligible.length === 0) throw new PortalError('NOBODY_ELIGIBLE');
    const leftOut = customers.filter(({ Obstacle }) => Obstacle !== null);
    const kept = await findKept(context, key, fromAddress);
    const values = { ...sharedValues(product), ...keptShared(kept, shared, caller) };
    const again = ownOf(kept, new Set(eligible.map(({ CustomerId }) => CustomerId)));
    const typed =
      again === undefined ? undefined : await membersOf(context, own, eligible, readGrid(again) ?? new Map());
    const facts = await pricedSoFar(values, typed?.members ?? eligible);
    const reply = stepReply({
      step: 'details',
      children: [
        ...leftOutNodes(words, leftOut, caller.principal.facts.locale),
        ...shared,
        ...ownValuesNodes(words, own, facts?.Once !== undefined),
      ],
      values: {
        ...values,
        ...(again !== undefined && { Values: again }),
        $rows: eligible.map(row => named(row, words, locale)),
        $leftOut: leftOut,
      },
      ...(facts && { facts }),
    });
    return withCount(reply, eligible.length);
  }

  if (asked === 'details')
    await keepBulk(context, key, fromAddress, {
      customers: chosen,
      shared: answersOf(shared, answers),
      own: rowsOf(own, Values),
    });
  if (isEstimate === true) {
    const { members } = await membersOf(context, own, eligible, typedOf(context, customers));
    const facts = await pricedSoFar(answers, members);
    return stepReply({ step: textOf(asked), values: {}, ...(facts && { facts }) });
  }
  const values = checkBody(shared, answers, caller);
  const { members, errors } = await membersOf(context, own, customers, typedOf(context, customers));
  if (Object.keys(errors).length > 0) throw new PortalError('FIELDS_INVALID', { errors });
  const order = bodyFor(values);
  const quoteFor = (Customers: readonly Member[]) => ask(context, 'orders.bulkQuote', {}, { body: order(Customers) });
  const place = async (Customers: readonly Member[]): Promise<CommandReply> => {
    const { BulkId } = await ask(
      context,
      'orders.bulk',
      {},
      {
        body: { ...order(Customers), OnlyIfAll: true, LeftOut: await leftOutOf(context, key, customers) },
        detail: () => ({ product: product.Name, customers: Customers.length }),
      },
    );
    await dropKept(context, key, fromAddress);
    const to = `/services/bulk/${encodeURIComponent(String(BulkId))}`;
    return { envelope: { Succeed: true, effects: [{ do: 'navigate', to, replace: true }] } };
  };

  let refusal: Declined | undefined;
  if (asked === 'check' && textOf($price) !== '') {
    const ids = new Set(readLines($ordered));
    const shown = members.filter(({ CustomerId }) => ids.has(CustomerId));
    // A press that is repeated meets its own order, which the cloud knows by its key: who can have it is asked there.
    if (shown.length > 0 && stampFor(await quoteFor(shown), shown) === $price) {
      try {
        return await place(shown);
      } catch (error) {
        if (!(error instanceof Declined)) throw error;
        refusal = error;
      }
    }
  }
  const quote = await quoteFor(members);
  const ids = new Set(quote.Customers.map(({ CustomerId }) => CustomerId));
  if (ids.size === 0) throw refusal ?? new PortalError('NOBODY_ELIGIBLE');
  const ordered = members.filter(({ CustomerId }) => ids.has(CustomerId));
  const stamp = stampFor(quote, ordered);
  // It was refused for something else than who can have it, or for what.
  if (refusal && stamp === $price) throw refusal;
  const names = new Map(quote.Customers.map(({ CustomerId, Name }) => [CustomerId, Name]));
  const held = new Map(customers.map(({ CustomerId, Held }) => [CustomerId, Held ?? null]));
  const prices = pricesOf(context, quote);
  const seesPrices = quote.UnitPrice !== undefined;
  const { children, values: summary } = summaryOf(product, shared, values, words, quote);
  const count = {
    label: labelOf(words, 'Customers'),
    path: 'reply.Result.values.$customers',
    format: 'number',
  } as const;
  const reply = stepReply({
    step: 'check',
    children: [
      { type: 'facts', look: 'ledger', items: [count] },
      ...leftOutNodes(words, quote.LeftOut, caller.principal.facts.locale),
      ...children,
      ...chosenNodes(words, own, seesPrices),
      { type: 'field', propertyName: '$price', kind: 'hidden' },
      { ...customersField, propertyName: '$ordered', kind: 'hidden' },
    ],
    values: {
      ...summary,
      $customers: ordered.length,
      $rows: ordered.map(({ CustomerId, Fields }) => ({
        CustomerId,
        Name: names.get(CustomerId),
        Fields: {
          ...Fields,
          ...heldNote(held.get(CustomerId), Fields, words, locale),
          ...(seesPrices && { Price: prices.get(CustomerId) }),
        },
      })),

      $leftOut: quote.LeftOut,
      $price: stamp,
      $ordered: [...ids].join('\n'),
    },
    facts: { Agreements: product.Agreements ?? [] },
  });
  return withCount(reply, ordered.length);
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
