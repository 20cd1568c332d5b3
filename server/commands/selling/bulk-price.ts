import { formatValue } from '../../../shared/rules/format.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { Declined } from '../../operations/cloud-refusal.ts';
import type { OperationReplies } from '../../operations/operation-replies.ts';
import type { CommandContext } from '../command.ts';
import type { Key } from './order-form.ts';

type Values = Readonly<Record<string, unknown>>;

/** What stands beside the steps of an order for many: what it costs so far, and at its check the agreements. */
export const bulkFacts = {
  of: {
    Ready: 'count?',
    MonthlyPrice: 'money?',
    Commitment: 'money?',
    Once: 'yes-no?',
    TermEnds: 'day?',
    prices: { kind: 'model:values?', requires: 'sees-prices' },
    Agreements: {
      of: [{ Id: 'id', Title: 'text', Signed: 'yes-no', SignedOn: 'time?' }],
      optional: true,
    },
  },
  optional: true,
} as const;

export type BulkQuote = OperationReplies['orders.bulkQuote'];
/** A customer with its own answers, its quantity among them. */
export type Member = { readonly CustomerId: string; readonly Fields: Values };

/** Makes the body of an order for many; `shared` are the answers that are the same for all, as the cloud takes them. */
export const bulkBody = ({ serviceId, subId }: Key, shared: Values, members: readonly Member[]) => ({
  Customers: members.map(({ CustomerId, Fields: { Quantity, IfHeld, ...Fields } }) => ({
    CustomerId,
    Quantity: Number(Quantity),
    IfHeld: IfHeld ?? 'New',
    Fields,
  })),
  ServiceId: serviceId,
  SubId: subId,
  ...shared,
});

/** Gives what each customer of a quote pays, in the caller's words; nothing for those who see no prices. */
export const pricesOf = ({ caller }: CommandContext, { Customers }: BulkQuote): ReadonlyMap<string, string> =>
  new Map(
    Customers.flatMap(({ CustomerId, Price }) =>
      Price === undefined
        ? []
        : [[String(CustomerId), formatValue(Price, 'currency', caller.principal.facts)] as const],
    ),
  );

/**
 * Gives what an order for many costs so far, to show while its values are typed: the sums of the customers whose values
 * are right, and the price of each. Undefined where the cloud gives no price for what is typed.
 * @param makeBody makes the body of the order; may refuse what is typed for all customers
 */
export async function priceSoFar(
  context: CommandContext,
  members: readonly Member[],
  makeBody: (members: readonly Member[]) => Values,
): Promise<Values | undefined> {
  const none = { Ready: 0, prices: {} };
  if (members.length === 0) return none;
  try {
    const quote = await ask(context, 'orders.bulkQuote', {}, { body: makeBody(members) });
    const prices = [...pricesOf(context, quote)].map(([id, Price]) => [id, { Price }] as const);
    const { MonthlyPrice, Commitment, Once, TermEnds } = quote;
    const sums = { MonthlyPrice, Commitment, Once, TermEnds };
    return { Ready: quote.Customers.length, ...sums, prices: Object.fromEntries(prices) };
  } catch (error) {
    const isRefused = error instanceof Declined || (error instanceof PortalError && error.code === 'FIELDS_INVALID');
    if (isRefused) return undefined;
    throw error;
  }
}
