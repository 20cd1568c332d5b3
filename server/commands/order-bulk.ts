import { productCodes } from '../../shared/catalogue/codes.ts';
import { type StepReply, stepName } from '../../shared/contract/steps.ts';
import type { FieldNode, Operation, StepsNode } from '../../shared/language/types.ts';
import { PortalError } from '../errors.ts';
import { traceOf } from './caller.ts';
import type { Command, CommandContext, CommandReply } from './context.ts';
import { Declined } from './delivered-call.ts';
import { checkBody } from './fields.ts';
import { fieldErrors, firstValues, orderBody, orderFields, type Product, summaryOf, type Words } from './order-form.ts';
import { askCloud, sellingCalls } from './selling-calls.ts';

/** Customers of one order at most, and of one call to the cloud. */
const most = 500;
const pageSize = 100;

type Customer = { readonly OrganisationId: string | number; readonly Name: string };
type Page = { readonly Items: readonly Customer[]; readonly Total: number };

const list: Operation = {
  service: 'cloud',
  method: 'GET',
  path: '/api/customers',
  with: { page: { type: 'integer' }, pageSize: { type: 'integer' } },
};
const asking = ({ caller, services, press }: CommandContext) => ({
  services,
  credentials: caller.session?.credentials,
  press,
});

async function readCustomers(context: CommandContext): Promise<Customer[]> {
  const all: Customer[] = [];
  for (let page = 1; all.length < most; page += 1) {
    const { Items, Total } = await askCloud<Page>(asking(context), list, { page, pageSize });
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

const reply = (Result: StepReply): CommandReply => ({ envelope: { Succeed: true, Result } });

async function step(context: CommandContext): Promise<CommandReply> {
  const { caller, body, node, services, with: given } = context;
  const words = ((node as StepsNode).words ?? {}) as Words;
  const code = productCodes.find(
    ({ serviceId, subId }) => String(serviceId) === String(given.serviceId) && String(subId) === String(given.subId),
  );
  if (!code) throw new PortalError('NOT_FOUND');
  const { serviceId, subId } = code;
  const product = await askCloud<Product>(asking(context), sellingCalls.product, {
    serviceId: String(serviceId),
    subId: String(subId),
  });
  const customers = await readCustomers(context);
  const ticks = customers.map(tickOf);
  const asked = body[stepName];
  if (asked === undefined) return reply({ step: 'customers', title: product.Name, children: ticks, values: {} });

  const names = new Set(ticks.map(({ propertyName }) => propertyName));
  const [ticked, typed] = [true, false].map(isTick =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name) === isTick)),
  ) as [Record<string, unknown>, Record<string, unknown>];
  const chosen = Object.entries(checkBody(ticks, ticked, caller)).filter(([, value]) => value === true);
  const CustomerIds = chosen.map(([name]) => name.slice(prefix.length));
  if (CustomerIds.length === 0) throw new PortalError('NOTHING_CHOSEN');
  const fields = orderFields(product, words);
  if (asked === 'customers')
    return reply({ step: 'details', title: product.Name, children: fields, values: firstValues(product) });

  const values = checkBody(fields, typed, caller);
  if (asked === 'details') {
    const { children, values: shown } = summaryOf(
      product,
      fields,
      values,
      undefined,
      { ...words, customers: words.customers ?? 'Customers' },
      caller.principal.prices,
    );
    return reply({
      step: 'check',
      title: product.Name,
      children: [
        {
          type: 'facts',
          look: 'ledger',
          items: [{ label: words.customers ?? 'Customers', path: 'reply.Result.values.$customers', format: 'number' }],
        },
        ...children,
      ],
      values: { ...shown, $customers: CustomerIds.length },
    });
  }
  const order = { CustomerIds, ServiceId: serviceId, SubId: subId, ...orderBody(values) };
  const record = (outcome: 'done' | 'refused' | 'failed') =>
    services.audit({
      action: 'order.placed',
      outcome,
      ...traceOf(caller),
      detail: { product: product.Name, customers: CustomerIds.length },
    });
  try {
    const { BulkId } = await askCloud<{ BulkId: string | number }>(asking(context), sellingCalls.bulk, {}, order);
    await record('done');
    const to = `/services/bulk/${encodeURIComponent(String(BulkId))}`;
    return { envelope: { Succeed: true, effects: [{ do: 'navigate', to, replace: true }] } };
  } catch (error) {
    await record(error instanceof Declined ? 'refused' : 'failed');
    throw error;
  }
}

/** Leads through adding one product to many customers; each of them has a result of its own afterwards. */
export const orderBulk: Command = {
  declaration: {
    name: 'order.bulk-step',
    parameters: ['serviceId', 'subId'],
    reply: ['step', 'title', 'children', 'values'],
    requires: { userTypes: ['reseller', 'engineer'], permissions: ['addProducts'] },
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
