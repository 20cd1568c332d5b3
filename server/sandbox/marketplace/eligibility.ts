import { type RawBuilder, sql } from 'kysely';
import type { Level } from '../../../shared/catalogue/codes.ts';
import { isHeld } from '../services/held.ts';
import { isOfUser } from '../services/holders.ts';
import type { InstanceStatus } from '../services/tables.ts';
import { worstStatus } from './holdings.ts';
import { keyOf, type Product } from './products.ts';

/** Reasons why a customer, or a user of a customer, cannot have a product. */
export const obstacles = [
  'OwnPartner',
  'OtherPartner',
  'Suspended',
  'NotForUsers',
  'TakenByReseller',
  'Failed',
  'Changing',
  'Added',
] as const;
export type Obstacle = (typeof obstacles)[number];

const officeSuite = 8;

type EligibilityQuery = {
  readonly product: Product;
  readonly resellerId: number;
  /** At user level. */
  readonly userId?: number | null;
  /** It takes the place of another product. */
  readonly isUpgrade?: boolean;
  /** The status of what is held of it, where that is at hand already. */
  readonly held?: HeldStatus;
};

export const suspendedCustomer = 'This customer is suspended.';

/** SQL for the most important status among the services of a product that a customer or user has; null without any. */
export type HeldStatus = RawBuilder<InstanceStatus | null>;

const live = ({ serviceId, subId }: Product) =>
  sql`i.service_id = ${serviceId} and i.sub_id = ${subId} and ${isHeld('i')}`;

/**
 * Builds SQL, over a row `c` of `customers`, for the status of the product at that customer; with `userId`, at that
 * user.
 */
export function heldHere(product: Product, userId: number | null = null): HeldStatus {
  const holder = userId === null ? sql`i.customer_id = c.id and i.user_id is null` : isOfUser(sql`${userId}`);
  return sql`(select ${worstStatus} from service_instances i where ${holder} and ${live(product)} having count(*) > 0)`;
}

/**
 * Builds an SQL subquery to join: the status of the product at every customer of the reseller that has it. Services of
 * single users do not count.
 */
export const heldByAll = (product: Product, resellerId: number) => sql<{
  customer_id: string;
  status: InstanceStatus;
}>`(
  select i.customer_id, ${worstStatus} as status from service_instances i
  where i.reseller_id = ${resellerId} and i.user_id is null and ${live(product)} group by i.customer_id)`;

/**
 * Builds SQL, over a row `c` of `customers`, for the obstacle that keeps the customer (or user) from having the
 * product; null when there is none (document 1, section 5). The list of customers, the quote and the order all use this
 * one rule.
 */
export function obstacleOf({
  product,
  resellerId,
  userId = null,
  isUpgrade = false,
  held,
}: EligibilityQuery): RawBuilder<Obstacle | null> {
  const { serviceId, orderLimit } = product;
  const level: Level = userId === null ? 'customer' : 'user';
  const isOnce = level === 'user' ? !product.againForUser : product.onceForCustomer || orderLimit === 'OncePerCustomer';
  // A customer's office suite is in one pair of hands (document 1, section 4, has-partner-id).
  const partner =
    serviceId === officeSuite && !isUpgrade
      ? sql`when c.partner_id = 1 then 'OwnPartner' when c.partner_id = 2 then 'OtherPartner'`
      : sql``;
  const notForUsers =
    level === 'user' && (product.hiddenAtUserLevel || !product.levels.includes('user'))
      ? sql`when true then 'NotForUsers'`
      : sql``;
  const taken =
    orderLimit === 'OncePerReseller'
      ? sql`when exists (select from reseller_services i where i.reseller_id = ${resellerId} and ${live(product)})
          then 'TakenByReseller'`
      : sql``;
  return sql<Obstacle | null>`case
    ${partner}
    when c.suspended then 'Suspended'
    ${notForUsers}
    ${taken}
    else (
      select case when h.status like '%Failed' then 'Failed' when h.status <> 'Active' then 'Changing'
        ${isOnce ? sql`when h.status = 'Active' then 'Added'` : sql``} end
      from (select ${held ?? heldHere(product, userId)} as status) h
    ) end`;
}

/** Gives the sentence that explains an obstacle to the buyer. */
export function reasonOf(obstacle: Obstacle, { name }: Pick<Product, 'name'>): string {
  switch (obstacle) {
    case 'OwnPartner':
      return 'You are the partner of this customer’s office suite already.';
    case 'OtherPartner':
      return 'Another partner looks after this customer’s office suite.';
    case 'Suspended':
      return suspendedCustomer;
    case 'NotForUsers':
      return `${name} cannot be added for a single user.`;
    case 'Failed':
      return `${name} has failed here and must be settled first.`;
    case 'Changing':
      return `${name} is changing here.`;
    default:
      return `${name} has already been added.`;
  }
}

export type Change = {
  readonly action: 'Modify' | 'Upgrade';
  /** The product of the service that is to be changed. */
  readonly held: Product;
  readonly status: InstanceStatus;
  readonly isSuspended: boolean;
  /** An upgrade of the service is under way already. */
  readonly isBeingReplaced: boolean;
  /** Products that the service could be upgraded to. */
  readonly targets: readonly Product[];
};

/** Gives the sentence why a service cannot be modified or upgraded now, or undefined when it can. */
export function findChangeRefusal(change: Change): string | undefined {
  const { action, held, status, isSuspended, isBeingReplaced, targets } = change;
  if (status !== 'Active') return `Only an active service can be ${action === 'Modify' ? 'modified' : 'upgraded'}.`;
  if (isBeingReplaced) return `${held.name} is being upgraded here.`;
  if (action === 'Modify' && held.chargingModel === 'OneTime') return 'What is bought once cannot be modified.';
  if (isSuspended) return suspendedCustomer;
  const isUpgradable = targets.some(({ serviceId, subId }) => held.offer.Upgrades.includes(keyOf(serviceId, subId)));
  return action === 'Upgrade' && !isUpgradable ? `There is nothing that ${held.name} can be upgraded to.` : undefined;
}

/**
 * Gives the sentence why a failed change of a service cannot be retried, or undefined when it can. `isFix`: the retry
 * comes with changed answers.
 */
export function findRetryRefusal(status: InstanceStatus, isSuspended: boolean, isFix: boolean): string | undefined {
  if (status !== 'ActivationFailed' && status !== 'DeletionFailed') return 'Only what has failed can be tried again.';
  if (status === 'DeletionFailed') {
    return isFix ? 'It failed to be deleted: there is nothing to fix, only to try again.' : undefined;
  }
  return isSuspended ? suspendedCustomer : undefined;
}
