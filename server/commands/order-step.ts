import { createHash } from 'node:crypto';
import { productCodes } from '../../shared/catalogue/codes.ts';
import { type StepReply, stepName } from '../../shared/contract/steps.ts';
import type { FieldNode, StepsNode } from '../../shared/language/types.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { PortalError } from '../errors.ts';
import { partsOf } from './add-journey.ts';
import { traceOf } from './caller.ts';
import type { Command, CommandContext, CommandReply } from './context.ts';
import { Declined } from './delivered-call.ts';
import { checkBody } from './fields.ts';
import {
  fieldErrors,
  firstValues,
  isOfProduct,
  orderBody,
  orderFields,
  type Product,
  type Quote,
  summaryOf,
  type Words,
} from './order-form.ts';
import { askCloud, sellingCalls } from './selling-calls.ts';

type Action = 'Add' | 'Modify' | 'Upgrade' | 'Retry';
type Key = { readonly serviceId: number; readonly subId: number };
type Instance = {
  readonly ServiceId: number;
  readonly SubId: number;
  readonly Quantity: number;
  readonly TermId: string | null;
  readonly BillingId: string | null;
  readonly Fields: readonly { readonly PropertyName: string; readonly Value: string }[];
  readonly Upgrades: readonly { readonly ServiceId: number; readonly SubId: number; readonly Name: string }[];
};

/** What an order is about; `given` is what is changed. */
type Subject = {
  readonly action: Action;
  readonly customer: string;
  readonly user: string | undefined;
  readonly instance: string | undefined;
  readonly given: Instance | undefined;
  readonly key: Key;
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const actions: readonly string[] = ['Add', 'Modify', 'Upgrade', 'Retry'];
const asking = ({ caller, services, press }: CommandContext) => ({
  services,
  credentials: caller.session?.credentials,
  press,
});

/** The product that an address names: by its route name, its listing, or the number of its service. */
function keyAt(given: CommandContext['with']): Key | undefined {
  const [route, listing, service] = [text(given.route), text(given.listing), text(given.service)];
  return productCodes.find(
    code =>
      (route !== '' && code.route === route) ||
      (listing !== '' && code.listingId === listing) ||
      (service !== '' && String(code.serviceId) === service),
  );
}

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

/** Throws NOT_FOUND for what leads to no product. */
async function subjectOf(context: CommandContext): Promise<Subject> {
  const { caller, with: given, body } = context;
  const { customer: named, user } = partsOf(text(given.customer));
  const customer = caller.principal.type === 'endUserAdmin' ? caller.principal.facts.organisationId : named;
  const action = text(given.action) || 'Add';
  const instance = text(given.instance) || undefined;
  if (!actions.includes(action) || customer === '' || (action !== 'Add' && instance === undefined))
    throw new PortalError('NOT_FOUND');
  const held =
    instance === undefined
      ? undefined
      : await askCloud<Instance>(asking(context), sellingCalls.instance, { instanceId: instance });
  const key = held ? changedKey(action, held, body) : keyAt(given);
  if (!key) throw new PortalError('NOT_FOUND');
  return { action: action as Action, customer, user, instance, given: held, key };
}

const wordsOf = ({ node }: CommandContext): Words => ((node as StepsNode).words ?? {}) as Words;

/** Which of the products that one can go on to. */
function upgradeField({ action, given }: Subject, words: Words): FieldNode[] {
  if (action !== 'Upgrade' || !given) return [];
  return [
    {
      type: 'field',
      propertyName: 'Product',
      kind: 'select',
      label: words.product ?? 'Product',
      mandatory: true,
      options: upgradesOf(given).map(({ key, text }) => ({ value: nameOf(key), text })),
    },
  ];
}

function reply(Result: StepReply): CommandReply {
  return { envelope: { Succeed: true, Result } };
}

/** A price that one has seen is the price that one pays. */
const stampOf = ({ UnitPrice, MonthlyPrice, FirstCharge }: Quote): string =>
  createHash('sha256')
    .update(JSON.stringify([UnitPrice, MonthlyPrice, FirstCharge]))
    .digest('base64url')
    .slice(0, 16);

const pageOf = (customer: string, instance: string): string =>
  `/customers/customer/${encodeURIComponent(customer)}/services/${encodeURIComponent(instance)}`;

async function place(context: CommandContext, subject: Subject, order: object): Promise<CommandReply> {
  const { caller, services } = context;
  const { action, customer, instance } = subject;
  const record = (outcome: 'done' | 'refused' | 'failed', number = '') =>
    services.audit({
      action: 'order.placed',
      outcome,
      ...traceOf(caller),
      detail: { customer, action, ...(instance && { instance }), ...(number && { number }) },
    });
  try {
    const { OrderNumber, InstanceId } = await askCloud<{ OrderNumber: string; InstanceId: string | number }>(
      asking(context),
      sellingCalls.order,
      {},
      order,
    );
    await record('done', OrderNumber);
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
  } catch (error) {
    await record(error instanceof Declined ? 'refused' : 'failed');
    throw error;
  }
}

/** A change that failed is tried again with what was mended. */
async function retry(context: CommandContext, { customer, instance = '' }: Subject, Fields: object) {
  const { caller, services } = context;
  const record = (outcome: 'done' | 'refused' | 'failed') =>
    services.audit({ action: 'service.retried', outcome, ...traceOf(caller), detail: { customer, instance } });
  try {
    await askCloud(asking(context), sellingCalls.retry, { instanceId: instance }, { Fields });
    await record('done');
  } catch (error) {
    await record(error instanceof Declined ? 'refused' : 'failed');
    throw error;
  }
  const effects = [{ do: 'navigate', to: pageOf(customer, instance), replace: true }] as const;
  return { envelope: { Succeed: true, effects } };
}

async function step(context: CommandContext): Promise<CommandReply> {
  const { caller, body } = context;
  const subject = await subjectOf(context);
  const { serviceId, subId } = subject.key;
  const product = await askCloud<Product>(asking(context), sellingCalls.product, {
    serviceId: String(serviceId),
    subId: String(subId),
  });
  const words = wordsOf(context);
  const isRetry = subject.action === 'Retry';
  const all = [...upgradeField(subject, words), ...orderFields(product, words)];
  const fields = isRetry ? all.filter(({ propertyName }) => isOfProduct(propertyName)) : all;
  const asked = body[stepName];
  if (asked === undefined) {
    return reply({
      step: 'details',
      title: product.Name,
      children: fields,
      values: valuesOf(product, fields, subject),
    });
  }
  const { $price, ...typed } = body;
  const values = checkBody(fields, typed, caller);
  if (isRetry) return retry(context, subject, values);
  const order = {
    CustomerId: subject.customer,
    ...(subject.user !== undefined && { UserId: subject.user }),
    ServiceId: serviceId,
    SubId: subId,
    Action: subject.action,
    ...(subject.instance !== undefined && { InstanceId: subject.instance }),
    ...orderBody(values),
  };
  const isLast = asked === 'check' && text($price) !== '';
  const quote = await askCloud<Quote>(asking(context), sellingCalls.quote, {}, order).catch(error => {
    // A press that is repeated meets its own order: the cloud knows it by its key, or refuses it as anything else.
    if (isLast && error instanceof Declined) return undefined;
    throw error;
  });
  if (quote === undefined) return place(context, subject, order);
  const stamp = stampOf(quote);
  if (isLast && $price === stamp) return place(context, subject, order);
  const summary = summaryOf(product, fields, values, quote, words, caller.principal.prices);
  return reply({
    step: 'check',
    title: product.Name,
    children: [...summary.children, { type: 'field', propertyName: '$price', kind: 'hidden' }],
    values: { ...summary.values, $price: stamp },
  });
}

/**
 * Leads through an order (document 1, sections 2.4 and 4): what the product asks for, then a summary with its price, then
 * the order itself. Nothing is kept in between: every step judges all that was typed anew, and a price that has changed
 * since it was shown is shown again before anything is ordered.
 */
export const orderStep: Command = {
  declaration: {
    name: 'order.step',
    parameters: ['customer', 'route', 'listing', 'service', 'action', 'instance'],
    reply: ['step', 'title', 'children', 'values'],
    requires: { userTypes: ['reseller', 'engineer', 'endUserAdmin'], permissions: ['addProducts'] },
    ownBody: true,
  },
  async run(context) {
    try {
      return await step(context);
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      const { Errors } = error.envelope;
      return {
        status: error.status,
        envelope: Errors ? { ...error.envelope, Errors: fieldErrors(Errors) } : error.envelope,
      };
    }
  },
};
