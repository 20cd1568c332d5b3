import { findProduct, type OrderLimit } from '../../../shared/catalogue/codes.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { isCustomerDisabled, isHeld, isHiddenAt, isProductDisabled } from './add-rules.ts';

type Product = {
  readonly Id: number;
  readonly SubId: number;
  readonly Added: boolean;
  readonly ServiceInstanceStatus: string | null;
  readonly OrderLimit: OrderLimit;
  readonly Hidden: boolean;
};
type Choice = {
  readonly Customers: readonly { readonly Id: string; readonly Name: string; readonly Status: string | null }[];
  readonly AllowedToAdd: boolean;
  readonly OrderLimit: OrderLimit;
};

/** Statuses that the dots and badges speak of; being active needs no dot. */
const noted = (status: string | null) => (status === 'Active' ? null : status);

/** Whose products: of a user, of the customer whose administrator asks, of all, or of a customer. */
function listToChoose({
  session,
  parameters: { customerId, userId },
}: PortalRequest): [string, PortalRequest['parameters']] {
  if (userId !== undefined && customerId !== undefined) return ['users.products', { customerId, userId }];
  if (session.principal.type === 'endUserAdmin') return ['marketplace.ownServices', {}];
  return customerId === undefined ? ['marketplace.services', {}] : ['customers.products', { customerId }];
}

/**
 * Lists the products that can be added for a customer, a user or many customers, each with whether it can be chosen
 * (document 1, sections 2.5 and 5). An administrator of a customer gets those of its own customer.
 */
export async function productsToChoose(asked: PortalRequest) {
  const level = asked.parameters.userId === undefined ? 'customer' : 'user';
  const { Items } = await ask<{ Items: readonly Product[] }>(asked, ...listToChoose(asked));
  const rows = Items.flatMap(item => {
    const code = findProduct(item.Id, item.SubId);
    if (!code || item.Hidden || isHiddenAt(code, level)) return [];
    const { Added: added, ServiceInstanceStatus: status, OrderLimit: orderLimit } = item;
    return [
      { ...item, Status: noted(status), Disabled: isProductDisabled(code, level, { added, status, orderLimit }) },
    ];
  });
  return { Items: rows, Total: rows.length };
}

/**
 * Lists the customers that a product could be added for, with their status, whether they have it (`Added`) and whether
 * they cannot be chosen (`Disabled`; document 1, sections 2.5 and 5).
 */
export async function customersToChoose(asked: PortalRequest) {
  const { serviceId, subId, search } = asked.parameters;
  const found = await ask<Choice>(asked, 'marketplace.customers', { serviceId, subId, search });
  return {
    ...found,
    Customers: found.Customers.map(({ Id, Name, Status }) => ({
      Id,
      Name,
      Status: noted(Status),
      Added: isHeld(Status),
      Disabled: isCustomerDisabled(Status, found.OrderLimit),
    })),
  };
}
