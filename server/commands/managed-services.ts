import { productCodes, productsNamed } from '../../shared/catalogue/codes.ts';
import { PortalError } from '../errors.ts';
import { ask } from './ask.ts';
import type { Asked } from './portal-answer.ts';

type Held = { readonly Items: readonly object[] };
type Segment = { readonly customer: string; readonly user: string | undefined; readonly service: string | undefined };

/** Takes `{customer}`, `{customer}+{service}` or `{customer}+{user}+{service}` apart; a user may have a plus. */
export function ownerOf(segment: string): Segment {
  const [customer = '', ...rest] = segment.split('+');
  const service = rest.pop();
  return { customer, user: rest.length > 0 ? rest.join('+') : undefined, service };
}

/**
 * The services of a customer that an address of managing, upgrading or deleting means (document 1, section 2.4); `Only`
 * is there when it is one. Throws NOT_FOUND for a name that no product has.
 */
export async function managedServices(asked: Asked) {
  const { session, parameters } = asked;
  const text = (name: string) => String(parameters[name] ?? '');
  const { customer, user = text('user'), service } = ownerOf(text('customer'));
  const name = text('product') || text('name');
  const codes =
    service === undefined ? productsNamed(name) : productCodes.filter(code => String(code.serviceId) === service);
  if (codes.length === 0 && (name !== '' || service !== undefined)) throw new PortalError('NOT_FOUND');
  const { principal } = session;
  const customerId = principal.type === 'endUserAdmin' ? principal.facts.organisationId : customer;
  const { Items } = await ask<Held>(asked, 'customers.services', {
    customerId,
    pageSize: 100,
    ...(codes.length > 0 && { products: codes.map(code => `${code.serviceId}-${code.subId}`).join() }),
    ...(user !== '' && { user }),
  });
  return { Customer: customerId, Items, ...(Items.length === 1 && { Only: Items[0] }) };
}
