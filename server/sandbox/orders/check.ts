import type { Level } from '../../../shared/catalogue/codes.ts';
import { listUnsignedTitles } from '../agreements/read.ts';
import { CloudError, conflict, invalid, notFound } from '../http/errors.ts';
import type { Billing, Term } from '../marketplace/offer.ts';
import type { Product } from '../marketplace/products.ts';
import { listRaisable } from '../marketplace/raisable.ts';
import type { Database } from '../tables.ts';
import { checkFields } from './fields.ts';
import { type Price, priceOf } from './price.ts';
import { findInstance, findRefusal, findSubject, type Instance } from './subject.ts';
import type { Buyer, IfHeld, OrderBody } from './tables.ts';

export type Checked = {
  /** The order as it is carried out: one that raises what is held has become a change of that. */
  readonly body: OrderBody;
  /** How many the customer holds already in a service that stays beside; null where there is none. */
  readonly beside: number | null;
  readonly product: Product;
  readonly customerId: string;
  readonly userId: number | null;
  readonly term: Term;
  readonly billing: Billing;
  readonly price: Price;
  /** The service that is modified or upgraded. */
  readonly before: Instance | undefined;
};

/**
 * Checks an order by every rule and gives its price. Inside a transaction it locks the rows that the order is about.
 * @throws {CloudError} 404 for what the buyer does not see, 400 with all faults by field, 409 with the reason when a
 * rule forbids it
 */
export async function checkOrder(db: Database, buyer: Buyer, given: OrderBody): Promise<Checked> {
  const { body, beside } = await withHeld(db, buyer, given);
  const subject = await findSubject(db, buyer, body);
  const { product, customer, user, before } = subject;
  if (!product) throw notFound();
  const { term, billing } = checkWhat(product, body, user ? 'user' : 'customer');
  const why = await findRefusal(db, buyer, subject);
  if (why !== undefined) throw conflict(why);
  if (body.Action !== 'Modify') await checkAgreements(db, buyer, product);
  if (body.Action === 'Modify' && before && isAsItIs(before, body)) throw conflict(nothingChanges);
  return {
    body,
    beside,
    product,
    customerId: customer.id,
    userId: user?.id ?? null,
    term,
    billing,
    price: priceOf(product, body.Quantity, term, billing, paidUntilNow(body.Action, before)),
    before,
  };
}

/**
 * Prices an order by quantity, term and billing alone, without checking the product's own fields, agreements or
 * obstacles.
 * @throws {CloudError} 404 for what the buyer does not see, 400 with all faults by field
 */
export async function priceOrder(db: Database, buyer: Buyer, given: Omit<OrderBody, 'Fields'>) {
  const { body, beside } = await withHeld(db, buyer, { ...given, Fields: {} });
  const { product, user, before } = await findSubject(db, buyer, body);
  if (!product) throw notFound();
  const bare = { ...product, offer: { ...product.offer, Fields: [] } };
  const { term, billing } = checkWhat(bare, { ...body, Fields: {} }, user ? 'user' : 'customer');
  const price = priceOf(product, body.Quantity, term, billing, paidUntilNow(body.Action, before));
  return { price, before, body, beside };
}

const nothingChanges = 'This would change nothing: quantity, term, billing and details are as they are.';

/** True where a service has what a change asks for already. */
function isAsItIs(before: Instance, { Quantity, TermId, BillingId, Fields }: OrderBody): boolean {
  const textOf = (value: unknown) => String(value ?? '');
  return (
    Quantity === before.quantity &&
    (before.term_id === null || TermId === before.term_id) &&
    (before.billing_id === null || BillingId === before.billing_id) &&
    Object.entries(Fields).every(([name, value]) => textOf(value) === textOf(before.fields?.[name]))
  );
}

/**
 * Gives an order with what becomes of a service of the product that its customer holds already: one that raises it
 * becomes a change of that service, which keeps its term, billing and details.
 * @throws {CloudError} 400 where the answer does not fit what is held
 */
async function withHeld(db: Database, buyer: Buyer, body: OrderBody): Promise<Pick<Checked, 'body' | 'beside'>> {
  if (body.Action !== 'Add' || body.UserId) return { body, beside: null };
  const { product, customer } = await findSubject(db, buyer, body);
  const held = product && (await listRaisable(db, [customer.id], product)).get(customer.id);
  const wrong = heldFault(body.IfHeld, held?.quantity ?? null);
  if (wrong !== undefined) throw invalid({ IfHeld: [wrong] });
  if (held === undefined || body.IfHeld !== 'Raise') return { body, beside: held?.quantity ?? null };
  const before = await findInstance(db, customer.id, String(held.id));
  const raised = {
    ...body,
    Action: 'Modify' as const,
    InstanceId: String(held.id),
    Quantity: held.quantity + body.Quantity,
    TermId: before.term_id ?? body.TermId,
    BillingId: before.billing_id ?? body.BillingId,
    Fields: before.fields ?? {},
  };
  return { body: raised, beside: null };
}

/** Says what is wrong with an answer about what is held; undefined where it fits. */
export function heldFault(ifHeld: IfHeld | undefined, held: number | null): string | undefined {
  if (ifHeld === 'Raise' && held === null) return 'There is no service that could be raised';
  if (ifHeld === 'New' && held !== null) return `${held} are held already: raise these, or order a second subscription`;
  return undefined;
}

/** Computes the amount that a change is reduced by. */
const paidUntilNow = (action: OrderBody['Action'], before: Instance | undefined): number =>
  action === 'Modify' && before ? before.quantity * before.monthly_price : 0;

/**
 * Checks quantity, term, billing and the product's own fields; gives term and billing.
 * @throws {CloudError} 400 with every fault by field
 */
export function checkWhat({ offer }: Product, { Quantity, TermId, BillingId, Fields }: OrderBody, level: Level) {
  const most = level === 'user' ? 1 : offer.MaxQuantity;
  const term = offer.Terms.find(({ Id }) => Id === TermId);
  const billing = offer.Billing.find(({ Id }) => Id === BillingId);
  const faults = checkFields(offer.Fields, Fields);
  if (Quantity < offer.MinQuantity) faults.Quantity = [`Must be at least ${offer.MinQuantity}`];
  if (Quantity > most) faults.Quantity = [`Must be at most ${most}`];
  if (!term) faults.TermId = [`Must be one of ${offer.Terms.map(({ Id }) => Id).join(', ')}`];
  if (!billing) faults.BillingId = [`Must be one of ${offer.Billing.map(({ Id }) => Id).join(', ')}`];
  if (billing?.Id === 'upfront' && term?.Months === 1) {
    faults.BillingId = ['Only a term of more than a month can be paid at once'];
  }
  if (!term || !billing || Object.keys(faults).length > 0) throw invalid(faults);
  return { term, billing };
}

/**
 * Refuses an order whose buyer must first sign an agreement for the product.
 * @throws {CloudError} 409 AgreementUnsigned
 */
export async function checkAgreements(db: Database, buyer: Buyer, { agreementServiceId }: Product): Promise<void> {
  const [first] = await listUnsignedTitles(db, buyer, agreementServiceId);
  if (first !== undefined) throw new CloudError(409, 'AgreementUnsigned', [`The ${first} must be signed first.`]);
}
