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

/** True for a customer that cannot be chosen for a product (document 1, section 5, customer list entry). */
export function isCustomerDisabled(status: string | null, orderLimit: OrderLimit): boolean {
  return status !== null && (status !== 'Active' || orderLimit === 'OncePerCustomer');
}

/** True for a product that is not there at this level (document 1, section 5, end-user level). */
export const isHiddenAt = ({ hiddenAtUserLevel }: Pick<ProductCode, 'hiddenAtUserLevel'>, level: Level): boolean =>
  level === 'user' && hiddenAtUserLevel;

/** True for a status that an instance of the product has: a customer may have one of its own, such as being suspended. */
export const isHeld = (status: string | null): boolean =>
  status !== null && ['Active', 'Activating', 'Deleting', 'ActivationFailed', 'DeletionFailed'].includes(status);
