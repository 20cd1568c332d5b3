import { findProduct } from '../../shared/catalogue/codes.ts';
import { stepName } from '../../shared/contract/steps.ts';
import type { FieldNode, Node } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';
import { ask } from './ask.ts';
import type { Command, CommandContext, CommandReply } from './context.ts';
import { checkBody } from './fields.ts';
import {
  firstValues,
  labelOf,
  orderBody,
  orderFields,
  type Quote,
  readProduct,
  stampOf,
  stepReply,
  summaryOf,
  type Words,
  withFieldNames,
  wordsOf,
} from './order-form.ts';

/** Customers of one order at most, and of one call to the cloud. */
const most = 500;
const pageSize = 100;

type Customer = { readonly OrganisationId: string | number; readonly Name: string };
type Page = { readonly Items: readonly Customer[]; readonly Total: number };

async function readCustomers(context: CommandContext): Promise<Customer[]> {
  const all: Customer[] = [];
  for (let page = 1; all.length < most; page += 1) {
    const { Items, Total } = await ask<Page>(context, 'customers.list', { page, pageSize });
    all.push(...Items);
    if (Items.length < pageSize || all.length >= Total) break;
  }
  return all.slice(0, most);
}

const prefix = 'Customer';
/** A tick for each customer. */
const tickOf = ({ OrganisationId, Name }: Customer): FieldNode => ({
  type: 'field',
  propertyName: `${prefix}${OrganisationId}`,
  kind: 'checkbox',
  label: Name,
});

const allOf = (ticks: readonly FieldNode[], words: Words): Node[] =>
  ticks.length === 0
    ? []
    : [
        {
          type: 'tick-all',
          testId: 'all-customers',
          label: labelOf(words, 'All'),
          fields: ticks.map(({ propertyName }) => propertyName),
        },
      ];

async function step(context: CommandContext): Promise<CommandReply> {
  const { caller, body, with: given } = context;
  const words = wordsOf(context);
  const code = findProduct(given.serviceId, given.subId);
  if (!code) throw new PortalError('NOT_FOUND');
  const product = await readProduct(context, code);
  const customers = await readCustomers(context);
  const ticks = customers.map(tickOf);
  const asked = body[stepName];
  if (asked === undefined)
    return stepReply({
      step: 'customers',
      title: product.Name,
      children: [...allOf(ticks, words), ...ticks],
      values: {},
    });

  const names = new Set(ticks.map(({ propertyName }) => propertyName));
  const [ticked, typed] = [true, false].map(isTick =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name) === isTick)),
  ) as [Record<string, unknown>, Record<string, unknown>];
  const chosen = Object.entries(checkBody(ticks, ticked, caller)).filter(([, value]) => value === true);
  const CustomerIds = chosen.map(([name]) => name.slice(prefix.length));
  if (CustomerIds.length === 0) throw new PortalError('NOTHING_CHOSEN');
  const fields = orderFields(product, words);
  if (asked === 'customers')
    return stepReply({ step: 'details', title: product.Name, children: fields, values: firstValues(product) });

  const { $price, ...answers } = typed;
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
    reply: ['step', 'title', 'children', 'values'],
    requires: { userTypes: ['reseller', 'engineer'], permissions: ['addProducts'] },
    ownBody: true,
    asks: ['marketplace.service', 'customers.list', 'orders.bulkQuote', 'orders.bulk'],
  },
  run: withFieldNames(step),
};
