import type { ReplyEffect } from '../../../shared/contract/envelope.ts';
import { ticksKind } from '../../../shared/language/nodes/ticks.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { readGrid, type Values } from '../../../shared/rules/grid.ts';
import { heldField } from '../../../shared/rules/held-field.ts';
import { PortalError } from '../../errors.ts';
import { checkBody } from '../../operations/check-body.ts';
import type { CommandContext, CommandReply } from '../command.ts';
import { stepReply, type Words, wordsOf } from '../wizard/step-reply.ts';
import { leftOutNodes, ownValuesNodes } from './bulk-form.ts';
import { type CheckedCustomer, holds, ifHeldField, named } from './bulk-held.ts';
import { answersOf, findKept, keepBulk, keptShared, namedIn, ownOf, rowsOf } from './bulk-kept.ts';
import { membersOf, typedOf } from './bulk-members.ts';
import { bulkBody, type Member, priceSoFar } from './bulk-price.ts';
import { fieldOf, firstValues, type Key, orderBody, orderFields, type Product } from './order-form.ts';

/** An order of one product for many customers, as far as it is filled in. */
export type BulkOrder = {
  readonly context: CommandContext;
  readonly words: Words;
  readonly key: Key;
  readonly product: Product;
  /** Those who were chosen, some of whom cannot have it. */
  readonly customers: readonly CheckedCustomer[];
  readonly eligible: readonly CheckedCustomer[];
  /** The values that were typed for all. */
  readonly answers: Values;
  /** Fields with one answer for all. */
  readonly shared: readonly FieldNode[];
  /** Fields with an answer for each customer. */
  readonly own: readonly FieldNode[];
};

/** The customers that are ticked, by their ids. */
export const customersField = heldField(ticksKind.rules.holds, 'Customers');

/** The heading and the buttons say how many customers it is for. */
export const withCount = ({ envelope }: CommandReply, count: number): CommandReply => {
  const said: ReplyEffect = { do: 'set', path: 'state.chosen', value: count };
  return { envelope: { ...envelope, effects: [said] } };
};

const isOwn = ({ PerCustomer }: Product['Fields'][number]): boolean => PerCustomer === true;

/** Gives an order for many with the fields that the product and its customers ask for. */
export function bulkOrderOf(
  context: CommandContext,
  { key, product, customers }: Pick<BulkOrder, 'key' | 'product' | 'customers'>,
): BulkOrder {
  const words = wordsOf(context);
  const { Customers: _, Values: __, ...answers } = context.body;
  const [quantity, ...shared] = orderFields(
    { ...product, Fields: product.Fields.filter(field => !isOwn(field)) },
    words,
  );
  const own = [
    ...(quantity ? [quantity] : []),
    ...(customers.some(holds) ? [ifHeldField(words)] : []),
    ...product.Fields.filter(isOwn).map(fieldOf),
  ];
  const eligible = customers.filter(({ Obstacle }) => Obstacle === null);
  return { context, words, key, product, customers, eligible, answers, shared, own };
}

/** The body of an order: `values` are the answers for all. */
export const bodyOf = ({ key, product }: BulkOrder, values: Values, members: readonly Member[]): Values =>
  bulkBody(key, orderBody({ ...values, Quantity: product.MinQuantity }), members);

const pricedSoFar = (order: BulkOrder, typed: Values, members: readonly Member[]): Promise<Values | undefined> =>
  priceSoFar(order.context, members, some => bodyOf(order, checkBody(order.shared, typed, order.context.caller), some));

/** Gives the first values of the fields that are the same for all. */
function sharedValues(product: Product): Values {
  const { Quantity: _, ...shared } = firstValues(product);
  return shared;
}

/** Shows what is asked for all and for each. Throws NOBODY_ELIGIBLE. */
export async function showDetails(order: BulkOrder): Promise<CommandReply> {
  const { context, words, key, product, customers, eligible, shared, own } = order;
  const { caller } = context;
  const { locale } = caller.principal.facts;
  if (eligible.length === 0) throw new PortalError('NOBODY_ELIGIBLE');
  const leftOut = customers.filter(({ Obstacle }) => Obstacle !== null);
  const kept = await findKept(context, key, namedIn(context));
  const values = { ...sharedValues(product), ...keptShared(kept, shared, caller) };
  const again = ownOf(kept, new Set(eligible.map(({ CustomerId }) => CustomerId)));
  const typed = again === undefined ? undefined : await membersOf(context, own, eligible, readGrid(again) ?? new Map());
  const facts = await pricedSoFar(order, values, typed?.members ?? eligible);
  const reply = stepReply({
    step: 'details',
    children: [
      ...leftOutNodes(words, leftOut, locale),
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

/** Keeps what is typed for all and for each, right or not. */
export const keepDetails = (
  { context, key, answers, shared, own }: BulkOrder,
  chosen: readonly string[],
): Promise<void> =>
  keepBulk(context, key, namedIn(context), {
    customers: chosen,
    shared: answersOf(shared, answers),
    own: rowsOf(own, context.body.Values),
  });

/** Shows beside a step what the order costs so far. */
export async function estimateBulk(order: BulkOrder, step: string): Promise<CommandReply> {
  const { context, own, eligible, customers, answers } = order;
  const { members } = await membersOf(context, own, eligible, typedOf(context, customers));
  const facts = await pricedSoFar(order, answers, members);
  return stepReply({ step, values: {}, ...(facts && { facts }) });
}
