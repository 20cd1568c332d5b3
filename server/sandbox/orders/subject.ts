import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import {
  findChangeRefusal,
  findRetryRefusal,
  obstacleOf,
  reasonOf,
  suspendedCustomer,
} from '../marketplace/eligibility.ts';
import { proposedFields, recordColumns, writtenAddress } from '../marketplace/eligible-customers.ts';
import { findProduct, keyOf, type Product, visibleProducts } from '../marketplace/products.ts';
import { listRaisable } from '../marketplace/raisable.ts';
import { readAdministrator } from '../reseller-settings/settings.ts';
import { isHeld } from '../services/held.ts';
import type { Database } from '../tables.ts';
import type { Action, Buyer } from './tables.ts';

/** Customer, user, product and service that an order names, by the ids of its body. */
export type Named = {
  readonly CustomerId: string;
  readonly UserId?: string;
  readonly ServiceId?: number;
  readonly SubId?: number;
  readonly Action: Action | 'Retry';
  readonly InstanceId?: string;
};

/** The customer, user, product and existing service that an order is about. */
export type Subject = Awaited<ReturnType<typeof findSubject>>;
export type Instance = Awaited<ReturnType<typeof findInstance>>;

/**
 * Finds the customer, user, product and service that an order names by their ids; without a product id, the product of
 * the existing service counts. Inside a transaction, locks the rows of the customer, the service and, for a product
 * that a reseller can have once, the reseller, so that two orders at once cannot break a limit together.
 * @throws {CloudError} 404 for anything that the buyer does not see or that belongs to another customer
 */
export async function findSubject(db: Database, buyer: Buyer, named: Named) {
  const { ServiceId, SubId, Action } = named;
  const wanted =
    ServiceId === undefined || SubId === undefined ? undefined : await findProduct(db, buyer, ServiceId, SubId);
  if (db.isTransaction && wanted?.orderLimit === 'OncePerReseller') {
    await db.selectFrom('resellers').select('id').where('id', '=', buyer.resellerId).forUpdate().execute();
  }
  const customerId = await customerIdOf(db, buyer as Caller, named.CustomerId);
  const before = Action === 'Add' ? undefined : await findInstance(db, customerId, named.InstanceId ?? '');
  const held = before && (await findProduct(db, buyer, before.service_id, before.sub_id));
  // Only an upgrade leads to another product.
  if (wanted && held && Action !== 'Upgrade' && held.key !== wanted.key) throw notFound();
  const user = await findUser(db, customerId, before ? String(before.user_id ?? '') : (named.UserId ?? ''));
  const customer = await db
    .selectFrom('customers as c')
    .select(['id', 'organisation_id', 'name', 'status', 'suspended', 'partner_id', ...recordColumns])
    .select(writtenAddress.as('address'))
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return { action: Action, customer, user, before, held, product: wanted };
}

async function findUser(db: Database, customerId: string, userId: string) {
  if (userId === '') return undefined;
  const user = await db
    .selectFrom('users')
    .select(['id', 'display_name', 'email'])
    .where('id', '=', idOf(userId))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow(notFound);
  return user;
}

/** Finds a service of a customer by its id. Throws 404 for any other. */
export async function findInstance(db: Database, customerId: string, instanceId: string) {
  const query = db
    .selectFrom('service_instances')
    .selectAll()
    .where('id', '=', idOf(instanceId))
    .where('customer_id', '=', customerId);
  const found = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirstOrThrow(notFound);
  return found;
}

/**
 * Finds the reason to refuse any order about this subject, whatever its quantity, term or answers: the customer is
 * suspended, the service cannot be changed or retried now, or the customer or user cannot have the product. Gives the
 * sentence that the buyer reads, or undefined when the order is allowed. Reads only.
 */
export async function findRefusal(db: Database, buyer: Buyer, subject: Subject): Promise<string | undefined> {
  const { action, customer, user, before, held, product } = subject;
  if (action === 'Retry') return before && findRetryRefusal(before.status, customer.suspended, true);
  if (before && held) {
    const why = findChangeRefusal({
      action: action === 'Modify' ? 'Modify' : 'Upgrade',
      held,
      status: before.status,
      isSuspended: customer.suspended,
      isBeingReplaced: await isBeingReplaced(db, before.id),
      targets: await visibleProducts(db, buyer),
    });
    if (why !== undefined || action === 'Modify' || !product) return why;
    if (!held.offer.Upgrades.includes(product.key)) return `${held.name} cannot be upgraded to ${product.name}.`;
  }
  if (!product) return customer.suspended ? suspendedCustomer : undefined;
  const { obstacle } = await db
    .selectFrom('customers as c')
    .where('c.id', '=', customer.id)
    .select(
      obstacleOf({
        product,
        resellerId: buyer.resellerId,
        userId: user?.id ?? null,
        isUpgrade: action === 'Upgrade',
      }).as('obstacle'),
    )
    .executeTakeFirstOrThrow();
  return obstacle === null ? undefined : reasonOf(obstacle, product);
}

/**
 * True when an upgrade of the service has made the one that takes its place, unless that one is deleted or upgraded
 * itself.
 */
export async function isBeingReplaced(db: Database, instanceId: number): Promise<boolean> {
  const follower = await db
    .selectFrom('service_instances')
    .select('id')
    .where('replaces', '=', instanceId)
    .where(isHeld('service_instances'))
    .executeTakeFirst();
  return follower !== undefined;
}

/** The service of a product that stands in the way of another: of the user, or of the customer as a whole. */
async function findHeld(db: Database, { customer, user }: Subject, { serviceId, subId }: Product) {
  const found = await db
    .selectFrom('service_instances')
    .select('id')
    .where('customer_id', '=', customer.id)
    .where('user_id', user ? '=' : 'is', user?.id ?? null)
    .where('service_id', '=', serviceId)
    .where('sub_id', '=', subId)
    .where(isHeld('service_instances'))
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return found?.id;
}

/**
 * Reads the names of what an order is about and the reason why it would be refused (`Refusal`, else null), before any
 * answers are given; `Fields` is what the record of the customer, or of the user, proposes for the product's own fields. `InstanceId` is the
 * existing service, or the one that stands in the way of a new order.
 * @throws {CloudError} 404 as `findSubject`
 */
export async function readSubject(db: Database, buyer: Buyer, named: Named) {
  const subject = await findSubject(db, buyer, named);
  const { customer, user, before, held, product } = subject;
  const Refusal = (await findRefusal(db, buyer, subject)) ?? null;
  const about = held ?? product;
  const raisable =
    named.Action === 'Add' && product && !user
      ? (await listRaisable(db, [customer.id], product)).get(customer.id)
      : undefined;
  const record = user ? { ...customer, contact_email: user.email } : customer;
  const administrator = about && (await readAdministrator(db, buyer.resellerId, about.serviceId));
  const inTheWay = Refusal !== null && product ? await findHeld(db, subject, product) : undefined;
  return {
    Customer: { Id: customer.organisation_id, Name: customer.name, Domain: customer.domain, Status: customer.status },
    User: user ? { Id: user.id, Name: user.display_name } : null,
    Product: about
      ? { ServiceId: about.serviceId, SubId: about.subId, Key: keyOf(about.serviceId, about.subId), Name: about.name }
      : null,
    InstanceId: before?.id ?? inTheWay ?? null,
    Held: raisable?.quantity ?? null,
    Fields: about ? proposedFields(product ?? about, record, administrator) : {},
    Refusal,
  };
}
