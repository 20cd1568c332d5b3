import { findProduct } from '../../../shared/catalogue/codes.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { isCustomerDisabled, isHeld, isHiddenAt, isProductDisabled } from './add-rules.ts';

type ProductList = 'users.products' | 'marketplace.ownServices' | 'marketplace.services' | 'customers.products';

/** Statuses that the dots and badges speak of; being active needs no dot. */
const noted = (status: string | null) => (status === 'Active' ? null : status);

/** Whose products: of a user, of the customer whose administrator asks, of all, or of a customer. */
function listToChoose({
  session,
  parameters: { customerId, userId, search, type },
}: PortalRequest): [ProductList, PortalRequest['parameters']] {
  const wanted = { ...(search !== undefined && { search }), ...(type !== undefined && { type }) };
  if (userId !== undefined && customerId !== undefined) return ['users.products', { customerId, userId, ...wanted }];
  if (session.principal.type === 'endUserAdmin') return ['marketplace.ownServices', wanted];
  return customerId === undefined
    ? ['marketplace.services', wanted]
    : ['customers.products', { customerId, ...wanted }];
}

/**
 * Lists the products that can be added for a customer, a user or many customers, each with whether it can be chosen
 * (document 1, sections 2.5 and 5) and whether an agreement must be signed first. A customer's administrator adds for
 * its own.
 */
export async function productsToChoose(asked: PortalRequest) {
  const level = asked.parameters.userId === undefined ? 'customer' : 'user';
  const [{ Items }, { AgreementServiceIds }] = await Promise.all([
    ask(asked, ...listToChoose(asked)),
    ask(asked, 'agreements.unsignedServices'),
  ]);
  const unsigned = new Set(AgreementServiceIds);
  const rows = Items.flatMap(item => {
    const code = findProduct(item.Id, item.SubId);
    if (!code || item.Hidden || isHiddenAt(code, level)) return [];
    const { Added: added, ServiceInstanceStatus: status = null, OrderLimit: orderLimit } = item;
    // What cannot be chosen needs no agreement either.
    const isDisabled = isProductDisabled(code, level, { added, status, orderLimit });
    const isToSign = !isDisabled && unsigned.has(code.agreementServiceId);
    return [{ ...item, Status: noted(status) ?? (isToSign ? 'AgreementUnsigned' : null), Disabled: isDisabled }];
  });
  return { Items: rows, Total: rows.length };
}

/**
 * Lists the customers that a product could be added for, with their status, whether they have it (`Added`) and whether
 * they cannot be chosen (`Disabled`; document 1, sections 2.5 and 5).
 */
export async function customersToChoose(asked: PortalRequest) {
  const { serviceId, subId, search } = asked.parameters;
  const found = await ask(asked, 'marketplace.customers', { serviceId, subId, search });
  return {
    ...found,
    Customers: found.Customers.map(({ Id, Name, Domain, Status = null }) => ({
      Id,
      Name,
      Domain,
      Status: noted(Status),
      Added: isHeld(Status),
      Disabled: isCustomerDisabled(Status, found.OrderLimit),
    })),
  };
}
