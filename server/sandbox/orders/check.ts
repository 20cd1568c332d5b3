import type { Level } from '../../../shared/catalogue/codes.ts';
import { unsignedFor } from '../agreements/read.ts';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import type { Database } from '../database/connect.ts';
import { CloudError, conflict, invalid, notFound } from '../http/errors.ts';
import { whyNotAddable } from '../marketplace/eligibility.ts';
import { heldByCustomer, heldByReseller, heldByUser } from '../marketplace/holdings.ts';
import type { Billing, Term } from '../marketplace/offer.ts';
import { findProduct, keyOf, type Product } from '../marketplace/products.ts';
import { idOf } from '../notifications/routes.ts';
import type { OrderBody } from './body.ts';
import { checkFields } from './fields.ts';
import { type Price, priceOf } from './price.ts';

/** Who orders: a caller, or what is remembered of one. */
export type Buyer = Pick<
  Caller,
  'accountId' | 'currency' | 'customerId' | 'resellerId' | 'displayName' | 'userType' | 'actorName'
>;

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
type Instance = Awaited<ReturnType<typeof findInstance>>;

/**
 * Judges an order by everything that must hold for it; in a transaction the customer, and the reseller of what can be
 * had once, are held until its end, so that orders at the same time cannot together break a limit.
 * @throws {CloudError} 404 for what the buyer does not see, 400 by field, 409 in words for what the rules forbid
 */
export async function checkOrder(db: Database, buyer: Buyer, body: OrderBody): Promise<Checked> {
  const product = await findProduct(db, buyer, body.ServiceId, body.SubId);
  if (db.isTransaction && product.orderLimit === 'OncePerReseller') {
    await db.selectFrom('resellers').select('id').where('id', '=', buyer.resellerId).forUpdate().execute();
  }
  const customerId = await customerIdOf(db, buyer as Caller, body.CustomerId);
  const before = body.Action === 'Add' ? undefined : await findInstance(db, customerId, body.InstanceId ?? '');
  const userId = before ? before.user_id : await findUser(db, customerId, body.UserId ?? '');
  const { term, billing } = checkWhat(product, body, userId === null ? 'customer' : 'user');
  const { suspended, partner_id } = await db
    .selectFrom('customers')
    .select(['suspended', 'partner_id'])
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  if (before) await checkChange(db, buyer, product, before, body.Action);
  if (body.Action !== 'Modify') await checkAgreements(db, buyer, product);
  if (body.Action === 'Add' && product.serviceId === officeSuite) checkPartner(partner_id);
  const why =
    body.Action === 'Modify'
      ? suspended && 'This customer is suspended.'
      : whyNotAddable({
          product,
          level: userId === null ? 'customer' : 'user',
          isSuspended: suspended,
          held: (userId === null ? await heldByCustomer(db, customerId) : await heldByUser(db, userId)).get(
            product.key,
          ),
          isHeldByReseller: (await heldByReseller(db, buyer.resellerId, product)) !== undefined,
        });
  if (why) throw conflict(why);
  const paid = body.Action === 'Modify' && before ? before.quantity * before.monthly_price : 0;
  return {
    product,
    customerId,
    userId,
    term,
    billing,
    price: priceOf(product, body.Quantity, term, billing, paid),
    before,
  };
}

/** Quantity, term, billing and the product's own fields; every fault is told. */
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

async function findUser(db: Database, customerId: string, userId: string): Promise<number | null> {
  if (userId === '') return null;
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', idOf(userId))
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (user === undefined) throw notFound();
  return user.id;
}

async function findInstance(db: Database, customerId: string, instanceId: string) {
  const query = db
    .selectFrom('service_instances')
    .selectAll()
    .where('id', '=', idOf(instanceId))
    .where('customer_id', '=', customerId);
  const found = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
  if (found === undefined) throw notFound();
  return found;
}

/** Only what is active, and is not being replaced already, can be modified or go on to a product that follows it. */
async function checkChange(
  db: Database,
  buyer: Buyer,
  product: Product,
  before: Instance,
  action: OrderBody['Action'],
) {
  const held = await findProduct(db, buyer, before.service_id, before.sub_id);
  if (before.status !== 'Active')
    throw conflict(`Only an active service can be ${action === 'Modify' ? 'modified' : 'upgraded'}.`);
  if (await isBeingReplaced(db, before.id)) throw conflict(`${held.name} is being upgraded here.`);
  if (action === 'Modify' && held.key !== product.key) throw notFound();
  if (action === 'Modify' && held.chargingModel === 'OneTime')
    throw conflict('What is bought once cannot be modified.');
  if (action === 'Upgrade' && !held.offer.Upgrades.includes(keyOf(product.serviceId, product.subId))) {
    throw conflict(`${held.name} cannot be upgraded to ${product.name}.`);
  }
}

const officeSuite = 8;

/** A customer’s office suite is in one pair of hands (document 1, section 4, has-partner-id). */
function checkPartner(partner: number): void {
  if (partner === 1) throw conflict('You are the partner of this customer’s office suite already.');
  if (partner === 2) throw conflict('Another partner looks after this customer’s office suite.');
}

export async function isBeingReplaced(db: Database, instanceId: number): Promise<boolean> {
  const follower = await db
    .selectFrom('service_instances')
    .select('id')
    .where('replaces', '=', instanceId)
    .where('status', 'not in', ['Deleted', 'Upgraded'])
    .executeTakeFirst();
  return follower !== undefined;
}

export async function checkAgreements(db: Database, buyer: Buyer, { agreementServiceId }: Product): Promise<void> {
  const [first] = await unsignedFor(db, buyer, agreementServiceId);
  if (first !== undefined) throw new CloudError(409, 'AgreementUnsigned', [`The ${first} must be signed first.`]);
}
