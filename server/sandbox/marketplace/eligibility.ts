import type { Level } from '../../../shared/catalogue/codes.ts';
import type { InstanceStatus } from '../database/tables.ts';
import type { Product } from './products.ts';

export type Asked = {
  readonly product: Product;
  readonly level: Level;
  readonly isSuspended: boolean;
  /** Of the customer, or at user level of the user. */
  readonly held: InstanceStatus | undefined;
  readonly isHeldByReseller: boolean;
};

/** Why a product cannot be added, in the product's words; nothing when it can (document 1, section 5). */
export function whyNotAddable({ product, level, isSuspended, held, isHeldByReseller }: Asked): string | undefined {
  const { name, orderLimit } = product;
  if (isSuspended) return 'This customer is suspended.';
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
