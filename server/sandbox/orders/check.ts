import type { Level } from '../../../shared/catalogue/codes.ts';
import { listUnsignedTitles } from '../agreements/read.ts';
import { CloudError, conflict, invalid, notFound } from '../http/errors.ts';
import type { Billing, Term } from '../marketplace/offer.ts';
import type { Product } from '../marketplace/products.ts';
import type { Database } from '../tables.ts';
import { checkFields } from './fields.ts';
import { type Price, priceOf } from './price.ts';
import { findRefusal, findSubject, type Instance } from './subject.ts';
import type { Buyer, OrderBody } from './tables.ts';

export type Checked = {
  readonly product: Product;
  readonly customerId: string;
  readonly userId: number | null;
  readonly term: Term;
  readonly billing: Billing;
  readonly price: Price;
  /** What is modified or upgraded. */
  readonly before: Instance | undefined;
};

/**
 * Checks an order by every rule and gives its price. Inside a transaction it locks the rows that the order is about.
 * @throws {CloudError} 404 for what the buyer does not see, 400 with all faults by field, 409 with the reason when a
 * rule forbids it
 */
export async function checkOrder(db: Database, buyer: Buyer, body: OrderBody): Promise<Checked> {
  const subject = await findSubject(db, buyer, body);
  const { product, customer, user, before } = subject;
  if (!product) throw notFound();
  const { term, billing } = checkWhat(product, body, user ? 'user' : 'customer');
  const why = await findRefusal(db, buyer, subject);
  if (why !== undefined) throw conflict(why);
  if (body.Action !== 'Modify') await checkAgreements(db, buyer, product);
  return {
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
export async function priceOrder(db: Database, buyer: Buyer, body: Omit<OrderBody, 'Fields'>) {
  const { product, user, before } = await findSubject(db, buyer, body);
  if (!product) throw notFound();
  const bare = { ...product, offer: { ...product.offer, Fields: [] } };
  const { term, billing } = checkWhat(bare, { ...body, Fields: {} }, user ? 'user' : 'customer');
  return { price: priceOf(product, body.Quantity, term, billing, paidUntilNow(body.Action, before)), before };
}

/** What a change is reduced by. */
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
