import { findProduct } from '../../../shared/catalogue/codes.ts';
import { stepName } from '../../../shared/contract/steps.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { interpolate } from '../../../shared/rules/text.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import { checkBody } from '../../operations/check-body.ts';
import { Declined } from '../../operations/cloud-refusal.ts';
import type { OperationReplies } from '../../operations/operation-replies.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { stampOf, stepContract, stepReply, waitingReply, wordsOf } from '../wizard/step-reply.ts';
import { commitmentOf } from './add-journey.ts';
import { addingOf, decisionAsks, effectsBeforeOrder, termsPopups } from './add-product.ts';
import { type Action, type OrderAddress, readOrderAddress } from './order-address.ts';
import {
  committed,
  firstValues,
  isOfProduct,
  type Key,
  orderBody,
  orderFields,
  type Product,
  productField,
  readProduct,
  summaryOf,
  withFieldNames,
} from './order-form.ts';

type Instance = OperationReplies['instances.get'];

/** What an order is about; `given` is what is changed. */
type Subject = {
  readonly address: OrderAddress;
  readonly action: Action;
  readonly customer: string;
  readonly user: string | undefined;
  readonly instance: string | undefined;
  readonly given: Instance | undefined;
  readonly key: Key;
};

const nameOf = ({ serviceId, subId }: Key): string => `${serviceId}-${subId}`;

/** The products that one can go on to, by name. */
const upgradesOf = ({ Upgrades }: Instance): { readonly key: Key; readonly text: string }[] =>
  Upgrades.map(({ ServiceId, SubId, Name }) => ({ key: { serviceId: ServiceId, subId: SubId }, text: Name }));

/** What one will have: the product as it is, or the one that it is upgraded to. */
function changedKey(action: string, held: Instance, { Product }: CommandContext['body']): Key | undefined {
  if (action !== 'Upgrade') return { serviceId: held.ServiceId, subId: held.SubId };
  const ways = upgradesOf(held).map(({ key }) => key);
  return ways.find(key => nameOf(key) === Product) ?? ways[0];
}

/** First values: those of what is changed, else of the product. */
function valuesOf(product: Product, fields: readonly FieldNode[], { given, action, key }: Subject) {
  const values: Record<string, unknown> = { ...firstValues(product) };
  if (!given) return values;
  if (action === 'Upgrade') values.Product = nameOf(key);
  values.Quantity = given.Quantity;
  const chosen = { TermId: given.TermId, BillingId: given.BillingId };
  for (const [name, value] of [
    ...Object.entries(chosen),
    ...given.Fields.map(field => [field.PropertyName, field.Value] as const),
  ]) {
    const field = fields.find(({ propertyName }) => propertyName === name);
    const isThere = field?.options === undefined || field.options.some(option => option.value === value);
    if (field && value && isThere) values[name] = field.kind === 'checkbox' ? value === 'true' : value;
  }
  return values;
}

/** Throws NOT_FOUND for what leads to no product, and what `readOrderAddress` throws. */
async function subjectOf(context: CommandContext): Promise<Subject> {
  const address = await readOrderAddress(context, context.with);
  const { Action: action, Customer, User, Product } = address;
  const customer = String(Customer.Id);
  const instance = action === 'Add' ? undefined : textOf(context.with.instance);
  const held =
    instance === undefined
      ? undefined
      : await ask(context, 'instances.get', { customerId: customer, instanceId: instance });
  const named = Product && { serviceId: Product.ServiceId, subId: Product.SubId };
  const key = held ? changedKey(action, held, context.body) : named;
  if (!key) throw new PortalError('NOT_FOUND');
  return {
    address,
    action,
    customer,
    user: action === 'Add' && User ? String(User.Id) : undefined,
    instance,
    given: held,
    key,
  };
}

/** Which of the products that one can go on to. */
function upgradeField({ action, given }: Subject, context: CommandContext): FieldNode[] {
  if (action !== 'Upgrade' || !given) return [];
  const options = upgradesOf(given).map(({ key, text }) => ({ value: nameOf(key), text }));
  return [productField(options, wordsOf(context))];
}

const pageOf = (customer: string, instance: string): string =>
  `/customers/customer/${encodeURIComponent(customer)}/services/${encodeURIComponent(instance)}`;

const modes = { Add: 'add', Upgrade: 'upgrade', Modify: 'modify' } as const;

/** Whoever comes by the address is asked the same as whoever comes by the popups. */
async function stopsOf(context: CommandContext, { action, customer, user, instance, key }: Subject) {
  if (action === 'Retry') return [];
  const given = { customerId: customer, userId: user, ...key, mode: modes[action], instanceId: instance };
  return effectsBeforeOrder(context, addingOf(context, given));
}

/** What is added is sold as the address says; what is there already goes on as it is. */
async function productOf(context: CommandContext, { action, key }: Subject): Promise<Product> {
  const product = await readProduct(context, key);
  const code = findProduct(key.serviceId, key.subId);
  if (action !== 'Add' || !code) return product;
  const { caller, with: given } = context;
  return committed(product, commitmentOf(code, textOf(given.listing) !== '', caller.principal.features));
}

async function place(context: CommandContext, subject: Subject, body: object): Promise<CommandReply> {
  const { action, customer, instance } = subject;
  const { OrderNumber, InstanceId } = await ask(
    context,
    'orders.place',
    {},
    {
      body,
      detail: done => ({ customer, action, ...(instance && { instance }), ...(done && { number: done.OrderNumber }) }),
    },
  );
  const said = interpolate(wordsOf(context).ordered, { number: OrderNumber });
  return {
    envelope: {
      Succeed: true,
      effects: [
        { do: 'toast', text: said, kind: 'ok' },
        { do: 'navigate', to: pageOf(customer, String(InstanceId)), replace: true },
      ],
    },
  };
}

/** A change that failed is tried again with what was mended. */
async function retry(context: CommandContext, { customer, instance = '' }: Subject, Fields: object) {
  await ask(context, 'instances.retry', { customerId: customer, instanceId: instance }, { body: { Fields } });
  const effects = [{ do: 'navigate', to: pageOf(customer, instance), replace: true }] as const;
  return { envelope: { Succeed: true, effects } };
}

async function step(context: CommandContext): Promise<CommandReply> {
  const { caller, body } = context;
  const subject = await subjectOf(context);
  const { serviceId, subId } = subject.key;
  const product = await productOf(context, subject);
  const words = wordsOf(context);
  const isRetry = subject.action === 'Retry';
  const all = [...upgradeField(subject, context), ...orderFields(product, words)];
  const fields = isRetry ? all.filter(({ propertyName }) => isOfProduct(propertyName)) : all;
  const asked = body[stepName];
  // A press that is repeated meets its own order, and not what that order has made of the customer.
  const stops = asked === 'check' ? [] : await stopsOf(context, subject);
  if (asked === undefined) {
    const opened = stepReply({
      step: isRetry ? 'mend' : 'details',
      title: product.Name,
      children: fields,
      values: valuesOf(product, fields, subject),
    });
    return { envelope: { ...opened.envelope, ...(stops.length > 0 && { effects: stops }) } };
  }
  const { $price, ...typed } = body;
  const values = checkBody(fields, typed, caller);
  if (isRetry) return retry(context, subject, values);
  if (stops.length > 0) return waitingReply(textOf(asked), stops);
  const order = {
    CustomerId: subject.customer,
    ...(subject.user !== undefined && { UserId: subject.user }),
    ServiceId: serviceId,
    SubId: subId,
    Action: subject.action,
    ...(subject.instance !== undefined && { InstanceId: subject.instance }),
    ...orderBody(values),
  };
  const isLast = asked === 'check' && textOf($price) !== '';
  const quote = await ask(context, 'orders.quote', {}, { body: order }).catch(error => {
    // A press that is repeated meets its own order: the cloud knows it by its key, or refuses it as anything else.
    if (isLast && error instanceof Declined) return undefined;
    throw error;
  });
  if (quote === undefined) return place(context, subject, order);
  const { UnitPrice, MonthlyPrice, FirstCharge } = quote;
  const stamp = stampOf([UnitPrice, MonthlyPrice, FirstCharge]);
  if (isLast && $price === stamp) return place(context, subject, order);
  const summary = summaryOf(product, fields, values, words, quote, subject.address);
  return stepReply({
    step: 'check',
    title: product.Name,
    children: [...summary.children, { type: 'field', propertyName: '$price', kind: 'hidden' }],
    values: { ...summary.values, $price: stamp },
  });
}

/**
 * Leads through an order (document 1, sections 2.4 and 4): what the product asks for, then a summary with its price, then
 * the order itself. Nothing is kept in between: every step validates all that was typed anew, and a price that has changed
 * since it was shown is shown again before anything is ordered.
 */
export const orderStep: Command = {
  declaration: {
    name: 'order.step',
    parameters: ['customer', 'route', 'listing', 'service', 'product', 'action', 'instance'],
    reply: stepContract,
    requires: 'seller-or-buyer',
    ownBody: true,
    asks: [
      'marketplace.service',
      'orders.subject',
      'instances.get',
      'instances.retry',
      'orders.quote',
      'orders.place',
      ...decisionAsks,
    ],
    opens: termsPopups,
  },
  run: withFieldNames(step),
};
