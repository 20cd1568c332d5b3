import { productCodes, productsNamed } from '../../../shared/catalogue/codes.ts';
import { PortalError } from '../../errors.ts';
import { ask } from '../../operations/ask.ts';
import type { PortalRequest } from '../portal-answer.ts';

type Segment = { readonly customer: string; readonly user: string | undefined; readonly service: string | undefined };

/**
 * Reads `{customer}`, `{customer}+{service}` or `{customer}+{user}+{service}` from an address; a user id may hold a
 * plus.
 */
export function ownerOf(segment: string): Segment {
  const [customer = '', ...rest] = segment.split('+');
  const service = rest.pop();
  return { customer, user: rest.length > 0 ? rest.join('+') : undefined, service };
}

/**
 * Reads a page of the services that an address to manage, upgrade or delete names (document 1, section 2.4); an
 * end-user administrator always gets those of its own organisation. `Only` is the service when there is exactly one in
 * total.
 * @throws {PortalError} NOT_FOUND for a product that does not exist, and what the cloud's list refuses
 */
export async function readManagedServices(asked: PortalRequest) {
  const { session, parameters } = asked;
  const text = (name: string) => String(parameters[name] ?? '');
  const { customer, user = text('user'), service } = ownerOf(text('customer'));
  const name = text('product') || text('name');
  const codes =
    service === undefined ? productsNamed(name) : productCodes.filter(code => String(code.serviceId) === service);
  if (codes.length === 0 && (name !== '' || service !== undefined)) throw new PortalError('NOT_FOUND');
  const { principal } = session;
  const customerId = principal.type === 'endUserAdmin' ? principal.facts.organisationId : customer;
  const { page, pageSize } = parameters;
  const { Items, Total } = await ask(asked, 'customers.services', {
    customerId,
    page,
    pageSize,
    ...(codes.length > 0 && { products: codes.map(code => `${code.serviceId}-${code.subId}`).join() }),
    ...(user !== '' && { user }),
  });
  return { Customer: customerId, Items, Total, ...(Total === 1 && { Only: Items[0] }) };
}
