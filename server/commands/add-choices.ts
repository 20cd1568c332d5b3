import { type OrderLimit, productCodes } from '../../shared/catalogue/codes.ts';
import { isCustomerDisabled, isHeld, isHiddenAt, isProductDisabled } from './add-rules.ts';
import type { Asked } from './portal-answer.ts';
import { askCloud, sellingCalls } from './selling-calls.ts';

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

/**
 * The products that one chooses from, of a customer, of a user or of all, each with whether it can be chosen (document
 * 1, sections 2.5 and 5). An administrator of a customer has those of their own.
 */
export async function productsToChoose({ session, parameters, services }: Asked) {
  const asking = { services, credentials: session.credentials };
  const { customerId, userId } = parameters;
  const isOwn = session.principal.type === 'endUserAdmin';
  const level = userId === undefined ? 'customer' : 'user';
  const { Items } = await (userId !== undefined && customerId !== undefined
    ? askCloud<{ Items: readonly Product[] }>(asking, sellingCalls.userProducts, { customerId, userId })
    : isOwn
      ? askCloud<{ Items: readonly Product[] }>(asking, sellingCalls.ownProducts)
      : customerId === undefined
        ? askCloud<{ Items: readonly Product[] }>(asking, sellingCalls.products)
        : askCloud<{ Items: readonly Product[] }>(asking, sellingCalls.customerProducts, { customerId }));
  const rows = Items.flatMap(item => {
    const code = productCodes.find(({ serviceId, subId }) => serviceId === item.Id && subId === item.SubId);
    if (!code || item.Hidden || isHiddenAt(code, level)) return [];
    const { Added: added, ServiceInstanceStatus: status, OrderLimit: orderLimit } = item;
    return [
      { ...item, Status: noted(status), Disabled: isProductDisabled(code, level, { added, status, orderLimit }) },
    ];
  });
  return { Items: rows, Total: rows.length };
}

/** The customers that a product can be added for, each with whether it can be chosen (document 1, sections 2.5 and 5). */
export async function customersToChoose({ session, parameters, services }: Asked) {
  const { serviceId = '', subId = '', search = '' } = parameters;
  const found = await askCloud<Choice>({ services, credentials: session.credentials }, sellingCalls.customers, {
    serviceId,
    subId,
    search,
  });
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
