import { findProduct } from '../../../shared/catalogue/codes.ts';
import type { FieldNode } from '../../../shared/language/types.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import type { Id, OperationReplies } from '../../operations/operation-replies.ts';
import { textOf } from '../../operations/text-of.ts';
import type { Command, CommandContext } from '../command.ts';
import { commitmentOf } from './add-journey.ts';
import { addingOf, decisionAsks, effectsBeforeOrder, termsPopups } from './add-product.ts';
import { readOrderAddress } from './order-address.ts';
import { committed, fieldOf, firstValues, type Key, type Product, readProduct } from './order-form.ts';

type Instance = OperationReplies['instances.get'];
type Texts = Readonly<Record<string, string>>;

const nameOf = ({ serviceId, subId }: Key): string => `${serviceId}-${subId}`;

const keyOf = ({ ServiceId, SubId }: { readonly ServiceId: Id; readonly SubId: Id }): Key => ({
  serviceId: ServiceId,
  subId: SubId,
});

/** The product that the customer will have: the service as it is, or what it is upgraded to once that is chosen. */
function changedKey(held: Instance, upgrade: string): Key | undefined {
  if (upgrade === '') return keyOf(held);
  return held.Upgrades.map(keyOf).find(key => nameOf(key) === upgrade);
}

/** What is added is sold as the address says; what is there already goes on as it is. */
async function productOf(context: CommandContext, key: Key, isAdded: boolean): Promise<Product> {
  const product = await readProduct(context, key);
  const code = findProduct(key.serviceId, key.subId);
  if (!isAdded || !code) return product;
  const { caller, with: given } = context;
  return committed(product, commitmentOf(code, textOf(given.listing) !== '', caller.principal.features));
}

/** First values of quantity, term and billing: those of the service that is changed where the product has them. */
function firstChoices(product: Product, held: Instance | undefined) {
  const first = firstValues(product);
  const among = (list: readonly { readonly Id: string }[], id: string | null | undefined, other: unknown) =>
    list.some(({ Id }) => Id === id) ? id : other;
  return {
    Quantity: held?.Quantity ?? first.Quantity,
    TermId: among(product.Terms, held?.TermId, first.TermId),
    BillingId: among(product.Billing, held?.BillingId, first.BillingId),
  };
}

/** A field with the value that the service has, else with what the customer's record proposes, which it says. */
function withFirstValue(
  field: FieldNode,
  { held, record, hint }: { readonly held: Instance | undefined; readonly record: Texts; readonly hint: string },
): FieldNode {
  const { propertyName: name, kind, options } = field;
  const isThere = (value: string | undefined) =>
    Boolean(value) && (options === undefined || options.some(option => option.value === value));
  const own = held?.Fields.find(({ PropertyName }) => PropertyName === name)?.Value ?? undefined;
  if (isThere(own)) return { ...field, initial: { value: kind === 'checkbox' ? own === 'true' : (own as string) } };
  const proposed = Object.hasOwn(record, name) ? record[name] : undefined;
  return isThere(proposed) ? { ...field, initial: { value: proposed as string }, toolTip: hint } : field;
}

/**
 * Says what an order is about (document 1, section 2.4): for whom, which product in which terms, and what the product
 * asks. An upgrade says the service as it is, with what it can become, until `upgrade` names one of these.
 * @throws {PortalError} NOT_FOUND for what leads to no product, and what `readOrderAddress` throws
 */
async function prepare(context: CommandContext) {
  const {
    Action,
    Customer,
    User,
    Product,
    InstanceId,
    Held: Holds,
    Fields: record,
  } = await readOrderAddress(context, context.with);
  const isAdded = Action === 'Add';
  const given = { customerId: String(Customer.Id), instanceId: textOf(context.with.instance) };
  const held = isAdded ? undefined : await ask(context, 'instances.get', given);
  const key = held ? changedKey(held, textOf(context.with.upgrade)) : Product && keyOf(Product);
  if (!key) throw new PortalError('NOT_FOUND');
  const product = await productOf(context, key, isAdded);
  const upgrades = (held?.Upgrades ?? []).map(upgrade => ({ Key: nameOf(keyOf(upgrade)), Name: upgrade.Name }));
  const { Name, Unit, MinQuantity, Terms, Billing, Fields, Agreements = [] } = product;
  // One person has one.
  const MaxQuantity = User ? 1 : product.MaxQuantity;
  const Once = product.ChargingModel === 'OneTime';
  const hint = context.caller.access.serverText('field.fromRecord');
  return {
    Customer,
    ...(User && { User }),
    Product: { ServiceId: key.serviceId, SubId: key.subId, Name, Unit, Once, MinQuantity, MaxQuantity, Terms, Billing },
    ...(held && { Held: { Quantity: held.Quantity, Term: held.Term } }),
    InstanceId,
    ...(Holds !== undefined && { Holds }),
    PricesHidden: !context.caller.principal.prices,
    First: { ...firstChoices(product, held), Upgrade: upgrades[0]?.Key },
    Fields: Fields.map(field => withFirstValue(fieldOf(field), { held, record, hint })),
    Upgrades: upgrades,
    Agreements,
    ToSign: Agreements.filter(({ Signed }) => !Signed).length,
  };
}

/** What the journeys of an order ask before each step. */
export const orderPrepare: Command = {
  declaration: {
    name: 'order.prepare',
    parameters: ['customer', 'route', 'listing', 'service', 'product', 'action', 'instance', 'upgrade'],
    reply: {
      Customer: { Id: 'id', Name: 'text', Domain: 'text' },
      User: { of: { Id: 'id', Name: 'text' }, optional: true },
      Product: {
        ServiceId: 'id',
        SubId: 'id',
        Name: 'text',
        Unit: 'text',
        Once: 'yes-no',
        MinQuantity: 'count',
        MaxQuantity: 'count',
        Terms: [{ Id: 'text', Name: 'text', Months: 'count', Discount: 'count', UnitPrice: 'money', Ends: 'time?' }],
        Billing: [{ Id: 'text', Name: 'text' }],
      },
      Held: { of: { Quantity: 'count', Term: 'text?' }, optional: true },
      InstanceId: 'id?',
      Holds: 'count?',
      PricesHidden: 'yes-no',
      First: { Quantity: 'count', TermId: 'text', BillingId: 'text', Upgrade: 'text?' },
      Fields: { kind: 'model:nodes', requires: 'anyone' },
      Upgrades: [{ Key: 'text', Name: 'text' }],
      Agreements: [
        { Id: 'id', Title: 'text', Version: 'count', Signed: 'yes-no', SignedBy: 'text?', SignedOn: 'time?' },
      ],
      ToSign: 'count',
    },
    requires: 'seller-or-buyer',
    asks: ['orders.subject', 'instances.get', 'marketplace.service'],
  },
  run: async context => ({ envelope: { Succeed: true, Result: await prepare(context) } }),
};

/**
 * Gives what comes before an order, whether its screen was opened by its address or by the popups: agreements to sign,
 * or a partner of the customer's office suite. No effects where the order can be placed.
 */
export const orderGate: Command = {
  declaration: {
    name: 'order.gate',
    parameters: ['customerId', 'userId', 'serviceId', 'subId', 'mode', 'instanceId'],
    requires: 'seller-or-buyer',
    asks: decisionAsks,
    opens: termsPopups,
  },
  async run(context) {
    const effects = await effectsBeforeOrder(context, addingOf(context, context.with));
    return { envelope: { Succeed: true, effects } };
  },
};
