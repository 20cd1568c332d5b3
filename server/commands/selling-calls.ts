import type { Operation, Scalar } from '../../shared/language/types.ts';
import type { Credentials } from '../cloud/call.ts';
import type { Services } from './context.ts';
import { Declined } from './delivered-call.ts';

const names = (list: readonly string[]) => Object.fromEntries(list.map(name => [name, { type: 'string' as const }]));
const get = (path: string, ...list: string[]): Operation => ({
  service: 'cloud',
  method: 'GET',
  path,
  with: names(list),
});
const post = (path: string, ...list: string[]): Operation => ({ ...get(path, ...list), method: 'POST' });

/** What the flows of selling ask of the cloud (document 1, section 7). */
export const sellingCalls = {
  products: get('/api/marketplace/services'),
  customerProducts: get('/api/customers/{customerId}/marketplace-services', 'customerId'),
  userProducts: get('/api/customers/{customerId}/users/{userId}/marketplace-services', 'customerId', 'userId'),
  ownProducts: get('/api/marketplace/end-user-admin/services'),
  product: get('/api/marketplace/services/{serviceId}/{subId}', 'serviceId', 'subId'),
  customers: get('/api/marketplace/services/{serviceId}/{subId}/customers', 'serviceId', 'subId', 'search'),
  partner: get('/api/cloud-office/has-partner-id', 'customerId'),
  mayAgree: get('/api/agreements/can-agree'),
  signed: get('/api/agreements/signed/{serviceId}', 'serviceId'),
  linked: get('/api/agreements/linked', 'serviceId', 'subId'),
  sign: post('/api/agreements/{agreementId}/sign', 'agreementId'),
  signatureImage: post('/api/agreements/signature-image'),
  quote: post('/api/orders/quote'),
  order: { ...post('/api/orders'), once: true },
  bulk: { ...post('/api/orders/bulk'), once: true },
  instance: get('/api/service-instances/{instanceId}', 'instanceId'),
  retry: { ...post('/api/service-instances/{instanceId}/retry', 'instanceId'), once: true },
} as const satisfies Record<string, Operation>;

export type Asking = {
  readonly services: Pick<Services, 'cloud'>;
  readonly credentials: Credentials | undefined;
  readonly press?: string | undefined;
};

/** Asks the cloud in the caller's name; gives its Result. Throws Declined where it says no, or a PortalError. */
export async function askCloud<T>(
  { services, credentials, press }: Asking,
  operation: Operation,
  parameters: Readonly<Record<string, Scalar>> = {},
  body?: unknown,
): Promise<T> {
  const { status, envelope } = await services.cloud.call({ operation, parameters, body, credentials, press });
  if (!envelope.Succeed) throw new Declined(status, envelope);
  return envelope.Result as T;
}
