import type { Values } from '../../../shared/rules/grid.ts';
import { readLines } from '../../../shared/rules/read-lines.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { checkBody } from '../../operations/check-body.ts';
import { Declined } from '../../operations/cloud-refusal.ts';
import { textOf } from '../../operations/text-of.ts';
import type { CommandContext, CommandReply } from '../command.ts';
import { labelOf, stampOf, stepReply } from '../wizard/step-reply.ts';
import { chosenNodes, leftOutNodes } from './bulk-form.ts';
import { type CheckedCustomer, heldNote, ifHeld } from './bulk-held.ts';
import { dropKept, namedIn } from './bulk-kept.ts';
import { checkChosen, membersOf, typedOf } from './bulk-members.ts';
import { type BulkOrder, bodyOf, customersField, withCount } from './bulk-order.ts';
import { type BulkQuote, type Member, pricesOf } from './bulk-price.ts';
import { type Key, summaryOf } from './order-form.ts';

/** Answers without the one that nobody was asked for, as whoever has got the product meanwhile is asked for it. */
const withoutUnasked = (fields: Values): Values =>
  fields[ifHeld] === 'New' ? { ...fields, [ifHeld]: undefined } : fields;

/** Stamps what was shown before the press: the price of one, the customers, and the answers of each. */
const stampFor = ({ UnitPrice, MonthlyPrice, FirstCharge }: BulkQuote, members: readonly Member[]): string =>
  stampOf([
    UnitPrice,
    MonthlyPrice,
    FirstCharge,
    ...members.map(({ CustomerId, Fields }) => [CustomerId, withoutUnasked(Fields)]),
  ]);

/** Ids of those who were chosen, here or in the address, and cannot have the product: the result says why. */
async function leftOutOf(context: CommandContext, key: Key, chosen: readonly CheckedCustomer[]): Promise<string[]> {
  const known = new Set(chosen.map(({ CustomerId }) => CustomerId));
  const named = namedIn(context).filter(id => !known.has(id));
  const others = named.length === 0 ? [] : await checkChosen(context, key, named);
  return [...chosen, ...others].filter(({ Obstacle }) => Obstacle !== null).map(({ CustomerId }) => CustomerId);
}

/** An order whose answers are right: what is asked for all, and what each customer gets. */
type Answered = BulkOrder & { readonly values: Values; readonly members: readonly Member[] };

/** Checks the answers. Throws FIELDS_INVALID with the messages by customer and field. */
async function answered(order: BulkOrder): Promise<Answered> {
  const { context, shared, own, customers, answers } = order;
  const values = checkBody(shared, answers, context.caller);
  const { members, errors } = await membersOf(context, own, customers, typedOf(context, customers));
  if (Object.keys(errors).length > 0) throw new PortalError('FIELDS_INVALID', { errors });
  return { ...order, values, members };
}

const quoteFor = (order: Answered, members: readonly Member[]): Promise<BulkQuote> =>
  ask(order.context, 'orders.bulkQuote', {}, { body: bodyOf(order, order.values, members) });

/** Places the order for these customers, and goes to where its results appear. */
async function place(order: Answered, members: readonly Member[]): Promise<CommandReply> {
  const { context, key, product, customers, values } = order;
  const leftOut = await leftOutOf(context, key, customers);
  const { BulkId } = await ask(
    context,
    'orders.bulk',
    {},
    {
      body: { ...bodyOf(order, values, members), OnlyIfAll: true, LeftOut: leftOut },
      detail: () => ({ product: product.Name, customers: members.length }),
    },
  );
  await dropKept(context, key, namedIn(context));
  const to = `/services/bulk/${encodeURIComponent(String(BulkId))}`;
  return { envelope: { Succeed: true, effects: [{ do: 'navigate', to, replace: true }] } };
}

/**
 * Places what the check showed, where that still holds; else shows the check as it is now.
 * @throws {Declined} when the cloud refuses for something else than who can have it, or for what
 */
export async function placeOrShowCheck(order: BulkOrder): Promise<CommandReply> {
  const ready = await answered(order);
  const { $price, $ordered } = order.context.body;
  if (textOf($price) === '') return showCheckOf(ready);
  const ids = new Set(readLines($ordered));
  const shown = ready.members.filter(({ CustomerId }) => ids.has(CustomerId));
  // A press that is repeated meets its own order, which the cloud knows by its key: who can have it is asked there.
  if (shown.length === 0 || stampFor(await quoteFor(ready, shown), shown) !== $price) return showCheckOf(ready);
  try {
    return await place(ready, shown);
  } catch (error) {
    if (!(error instanceof Declined)) throw error;
    if (error.reply.envelope.Waits) {
      await dropKept(order.context, order.key, namedIn(order.context));
      throw error;
    }
    return showCheckOf(ready, error);
  }
}

/** Shows who gets what and for how much. Throws NOBODY_ELIGIBLE. */
export const showCheck = async (order: BulkOrder): Promise<CommandReply> => showCheckOf(await answered(order));

async function showCheckOf(order: Answered, refusal?: Declined): Promise<CommandReply> {
  const { context, words, product, customers, shared, own, values, members } = order;
  const { locale } = context.caller.principal.facts;
  const quote = await quoteFor(order, members);
  const ids = new Set(quote.Customers.map(({ CustomerId }) => CustomerId));
  if (ids.size === 0) throw refusal ?? new PortalError('NOBODY_ELIGIBLE');
  const ordered = members.filter(({ CustomerId }) => ids.has(CustomerId));
  const stamp = stampFor(quote, ordered);
  // It was refused for something else than who can have it, or for what.
  if (refusal && stamp === context.body.$price) throw refusal;
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
      ...leftOutNodes(words, quote.LeftOut, locale),
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
