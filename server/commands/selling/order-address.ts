import { type ProductCode, productCodes } from '../../../shared/catalogue/codes.ts';
import { PortalError } from '../../errors.ts';
import { type Asking, ask } from '../../operations/ask.ts';
import { textOf } from '../../operations/text-of.ts';
import type { PortalRequest } from '../portal-answer.ts';
import { partsOf } from './add-journey.ts';

const actions = ['Add', 'Modify', 'Upgrade', 'Retry'] as const;
export type Action = (typeof actions)[number];
const isAction = (action: string): action is Action => (actions as readonly string[]).includes(action);

/** The action of an order whose address says none is to add. Throws NOT_FOUND. */
function actionOf(given: Readonly<Record<string, unknown>>): Action {
  const action = textOf(given.action) || 'Add';
  if (!isAction(action)) throw new PortalError('NOT_FOUND');
  return action;
}

/** The products that an address names: by a route name, a listing, or the number of a service. Undefined: none is named. */
function productsAt(given: Readonly<Record<string, unknown>>): readonly ProductCode[] | undefined {
  const [route, service] = [textOf(given.route), textOf(given.service)];
  const listing = textOf(given.listing) || textOf(given.product);
  if (route === '' && service === '' && listing === '') return undefined;
  return productCodes.filter(
    code =>
      (route !== '' && code.route === route) ||
      (listing !== '' && code.listingId === listing) ||
      (service !== '' && String(code.serviceId) === service),
  );
}

/**
 * Reads what the address of an order means (document 1, section 2.4): customer, user, product, action, and why the
 * order would be refused (`Refusal`). `For` is the name of the user, if there is one, and of the customer, in a line.
 * @throws {PortalError} NOT_FOUND when the address names no product, or a service of another customer, user or product
 * @throws {Declined} when the caller does not see the customer or service
 */
export async function readOrderAddress(asking: Asking, given: Readonly<Record<string, unknown>>) {
  const { customer, user } = partsOf(textOf(given.customer));
  const action = actionOf(given);
  const named = productsAt(given);
  const [product] = named ?? [];
  // Without a product the customer alone is checked, as a whole.
  if (action === 'Add' && (named ? !product : user !== undefined)) throw new PortalError('NOT_FOUND');
  const subject = await ask(asking, 'orders.subject', {
    customerId: customer,
    action,
    ...(action === 'Add'
      ? { userId: user, serviceId: product?.serviceId, subId: product?.subId }
      : { instanceId: textOf(given.instance) || '-' }),
  });
  const { Customer, User, Product } = subject;
  const isOther = named && !named.some(code => code.serviceId === Product?.ServiceId && code.subId === Product.SubId);
  const isOtherUser = user !== undefined && user !== User?.Id;
  if (isOther || isOtherUser) throw new PortalError('NOT_FOUND');
  return {
    ...subject,
    Action: action,
    For: [...(User ? [User.Name] : []), Customer.Name].join(', '),
    // What is changed has a page of its own.
    Service: action === 'Add' ? null : (Product?.Name ?? null),
  };
}

/** Answers the operation by which an order's screen reads what its address means; see `readOrderAddress`. */
export const orderAddress = (asked: PortalRequest) => readOrderAddress(asked, asked.parameters);
