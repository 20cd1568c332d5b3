import type { Level } from '../../../shared/catalogue/codes.ts';
import type { InstanceStatus } from '../database/tables.ts';
import { keyOf, type Product } from './products.ts';

export type Asked = {
  readonly product: Product;
  readonly level: Level;
  readonly isSuspended: boolean;
  /** Of the customer, or at user level of the user. */
  readonly held: InstanceStatus | undefined;
  readonly isHeldByReseller: boolean;
};

export const suspendedCustomer = 'This customer is suspended.';

/** Why a product cannot be added, in the product's words; nothing when it can (document 1, section 5). */
export function whyNotAddable({ product, level, isSuspended, held, isHeldByReseller }: Asked): string | undefined {
  const { name, orderLimit } = product;
  if (isSuspended) return suspendedCustomer;
  if (level === 'user' && (product.hiddenAtUserLevel || !product.levels.includes('user'))) {
    return `${name} cannot be added for a single user.`;
  }
  if (orderLimit === 'OncePerReseller' && isHeldByReseller) return `${name} has already been added.`;
  if (held === undefined) return undefined;
  if (held !== 'Active') {
    return held.endsWith('Failed') ? `${name} has failed here and must be settled first.` : `${name} is changing here.`;
  }
  const isOnce = level === 'user' ? !product.againForUser : product.onceForCustomer || orderLimit === 'OncePerCustomer';
  return isOnce ? `${name} has already been added.` : undefined;
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

/** Why a service cannot be changed or upgraded now, in the product's words; nothing when it can. */
export function whyNotChangeable(change: Change): string | undefined {
  const { action, held, status, isSuspended, isBeingReplaced, targets } = change;
  if (status !== 'Active') return `Only an active service can be ${action === 'Modify' ? 'modified' : 'upgraded'}.`;
  if (isBeingReplaced) return `${held.name} is being upgraded here.`;
  if (action === 'Modify' && held.chargingModel === 'OneTime') return 'What is bought once cannot be modified.';
  if (isSuspended) return suspendedCustomer;
  const isUpgradable = targets.some(({ serviceId, subId }) => held.offer.Upgrades.includes(keyOf(serviceId, subId)));
  return action === 'Upgrade' && !isUpgradable ? `There is nothing that ${held.name} can be upgraded to.` : undefined;
}

/** Why a failed change cannot be tried again; nothing when it can. `isFix`: with other answers than before. */
export function whyNotRetryable(status: InstanceStatus, isSuspended: boolean, isFix: boolean): string | undefined {
  if (status !== 'ActivationFailed' && status !== 'DeletionFailed') return 'Only what has failed can be tried again.';
  if (status === 'DeletionFailed') {
    return isFix ? 'It failed to be deleted: there is nothing to fix, only to try again.' : undefined;
  }
  return isSuspended ? suspendedCustomer : undefined;
}
