import { findProduct } from '../../shared/catalogue/codes.ts';
import { stepName } from '../../shared/contract/steps.ts';
import { ticksField } from '../../shared/rules/ticks.ts';
import { PortalError } from '../errors.ts';
import { commitmentOf } from './add-journey.ts';
import { ask } from './ask.ts';
import type { Command, CommandContext, CommandReply } from './context.ts';
import { checkBody, textOf } from './fields.ts';
import {
  committed,
  firstValues,
  labelOf,
  orderBody,
  orderFields,
  type Quote,
  readProduct,
  stampOf,
  stepReply,
  summaryOf,
  waitingReply,
  withFieldNames,
  wordsOf,
} from './order-form.ts';
import { addingOf, decisionAsks, stopBefore, termsPopups } from './product-add.ts';

/** Customers of one order at most. */
const most = 10_000;

/** The customers that are ticked, by their ids. */
const customersField = ticksField('Customers');

async function step(context: CommandContext): Promise<CommandReply> {
  const { caller, body, with: given } = context;
  const words = wordsOf(context);
  const code = findProduct(given.serviceId, given.subId);
  if (!code) throw new PortalError('NOT_FOUND');
  const commitment = commitmentOf(code, undefined, caller.principal.features);
  const product = committed(await readProduct(context, code), commitment);
  const stops = await stopBefore(context, addingOf(context, { ...given, mode: 'many' }));
  const asked = body[stepName];
  if (asked === undefined) {
    const opened = stepReply({ step: 'customers', title: product.Name, values: {} });
    return { envelope: { ...opened.envelope, ...(stops.length > 0 && { effects: stops }) } };
  }
  const { Customers, $price, ...answers } = body;
  const { Customers: CustomerIds } = checkBody([customersField], { Customers }, caller) as { Customers?: string[] };
  if (!CustomerIds?.length) throw new PortalError('NOTHING_CHOSEN');
  if (CustomerIds.length > most) throw new PortalError('TOO_MANY_CHOSEN');
  if (stops.length > 0) return waitingReply(textOf(asked), stops);
  const fields = orderFields(product, words);
  if (asked === 'customers')
    return stepReply({ step: 'details', title: product.Name, children: fields, values: firstValues(product) });

  const values = checkBody(fields, answers, caller);
  const order = { CustomerIds, ServiceId: code.serviceId, SubId: code.subId, ...orderBody(values) };
  const quote = await ask<Quote>(context, 'orders.bulkQuote', {}, { body: order });
  const stamp = stampOf([quote.UnitPrice, quote.MonthlyPrice, quote.FirstCharge]);
  if (asked !== 'check' || $price !== stamp) {
    const { children, values: shown } = summaryOf(product, fields, values, words, quote);
    const count = {
      label: labelOf(words, 'Customers'),
      path: 'reply.Result.values.$customers',
      format: 'number',
    } as const;
    return stepReply({
      step: 'check',
      title: product.Name,
      children: [
        { type: 'facts', look: 'ledger', items: [count] },
        ...children,
        { type: 'field', propertyName: '$price', kind: 'hidden' },
      ],
      values: { ...shown, $customers: CustomerIds.length, $price: stamp },
    });
  }
  const { BulkId } = await ask<{ BulkId: string | number }>(
    context,
    'orders.bulk',
    {},
    { body: order, detail: () => ({ product: product.Name, customers: CustomerIds.length }) },
  );
  const to = `/services/bulk/${encodeURIComponent(String(BulkId))}`;
  return { envelope: { Succeed: true, effects: [{ do: 'navigate', to, replace: true }] } };
}

/** Leads through adding one product to many customers; each of them has a result of its own afterwards. */
export const orderBulk: Command = {
  declaration: {
    name: 'order.bulk-step',
    parameters: ['serviceId', 'subId'],
    reply: ['step', 'title', 'children', 'values', 'waits'],
    requires: { userTypes: ['reseller', 'engineer'], permissions: ['addProducts'] },
    ownBody: true,
    asks: ['marketplace.service', 'orders.bulkQuote', 'orders.bulk', ...decisionAsks],
    opens: termsPopups,
  },
  run: withFieldNames(step),
};

/** All customers that match, for the list of an order for many. */
export const orderBulkAll: Command = {
  declaration: {
    name: 'order.bulk-all',
    parameters: ['search'],
    reply: ['keys'],
    requires: { userTypes: ['reseller', 'engineer'], permissions: ['addProducts'] },
    asks: ['customers.ids'],
  },
  run: async context => {
    const keys = await ask<readonly string[]>(context, 'customers.ids', { search: textOf(context.with.search) });
    return { envelope: { Succeed: true, Result: { keys } } };
  },
};
