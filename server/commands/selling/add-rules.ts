import type { Level, OrderLimit, ProductCode } from '../../../shared/catalogue/codes.ts';

/** What is held of a product, as the cloud says it. */
export type HeldProduct = {
  readonly added: boolean;
  /** Of the instance; null when there is none. */
  readonly status: string | null;
  readonly orderLimit: OrderLimit;
};

type Rules = Pick<ProductCode, 'onceForCustomer' | 'againForUser'>;

/**
 * True when a product cannot be chosen because of the service that the customer or user has of it (document 1, section
 * 5, product row).
 */
export function isProductDisabled(product: Rules, level: Level, { added, status, orderLimit }: HeldProduct): boolean {
  if (!added) return false;
  if (level === 'user' ? !product.againForUser : product.onceForCustomer) return true;
  return status !== 'Active' || orderLimit === 'OncePerCustomer' || orderLimit === 'OncePerReseller';
}

/**
 * True when a customer cannot be chosen for a product because of the status of the product there (document 1, section
 * 5, customer list entry).
 */
export function isCustomerDisabled(status: string | null, orderLimit: OrderLimit): boolean {
  return status !== null && (status !== 'Active' || orderLimit === 'OncePerCustomer');
}

/** True when a product is not offered at this level (document 1, section 5, end-user level). */
export const isHiddenAt = ({ hiddenAtUserLevel }: Pick<ProductCode, 'hiddenAtUserLevel'>, level: Level): boolean =>
  level === 'user' && hiddenAtUserLevel;

/**
 * True for a status that means the customer has the product; false for Suspended, which only a customer has, and for
 * null.
 */
export const isHeld = (status: string | null): boolean =>
  status !== null && ['Active', 'Activating', 'Deleting', 'ActivationFailed', 'DeletionFailed'].includes(status);
