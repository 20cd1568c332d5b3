import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
let reseller: string;
setUp(async () => {
  reseller = await sandbox.signIn('reseller@northwind.test');
});

type Query = Readonly<Record<string, string | number>>;
const subject = async (query: Query, token = reseller) => {
  const asked = new URLSearchParams({ action: 'Add', ...query } as Record<string, string>);
  const { status, body } = await sandbox.call(token, 'GET', `/api/orders/subject?${asked}`);
  return { status, ...body.Result };
};
const post = (path: string, body?: unknown, token = reseller) =>
  sandbox.call(token, 'POST', path, body, { 'idempotency-key': randomUUID() });

async function newCustomer(): Promise<string> {
  const body = {
    Name: `Subject ${randomUUID().slice(0, 8)}`,
    Domain: 's.test',
    ContactName: 'S',
    ContactEmail: 's@s.test',
  };
  return (await post('/api/customers', body)).body.Result.organisationId;
}
const terms = { TermId: 'monthly', BillingId: 'monthly' };
const add = (CustomerId: string, ServiceId: number, Fields: object, more: object = {}) =>
  post('/api/orders', { CustomerId, ServiceId, SubId: 1, Action: 'Add', Quantity: 2, ...terms, Fields, ...more });
const signatures = { serviceId: 17, subId: 1 };
const domain = { Domain: 's.test' };

/** Services of a customer, each with its id. */
const servicesOf = async (customer: string) =>
  (await sandbox.call(reseller, 'GET', `/api/customers/${customer}/services`)).body.Result.Items;

test('the subject of an order has names, and no refusal where it can be placed', async () => {
  const customerId = await newCustomer();
  const { Customer, User, Product, InstanceId, Refusal } = await subject({ customerId, ...signatures });
  assert.equal(Customer.Id, customerId);
  assert.match(Customer.Name, /^Subject /);
  assert.deepEqual([User, Product.Name, InstanceId, Refusal], [null, 'Mail Signatures', null, null]);
  const whole = await subject({ customerId });
  assert.deepEqual([whole.Product, whole.Refusal], [null, null]);
});

test('a user, a service and a product that are not of the customer are not found, nor is a customer of others', async () => {
  const [one, other] = [await newCustomer(), await newCustomer()];
  await add(one, 17, domain);
  await sandbox.tickOnce();
  const [held] = await servicesOf(one);
  const ofOne = { action: 'Modify', instanceId: held.Id };
  assert.equal((await subject({ customerId: one, ...ofOne })).Product.Name, 'Mail Signatures');
  const [user] = (await sandbox.call(reseller, 'GET', '/api/customers/10001/users')).body.Result.Items;
  const users = { userId: user.UserId, serviceId: 1, subId: 1 };
  assert.equal((await subject({ customerId: '10001', ...users })).status, 200);
  for (const query of [
    { customerId: '99999', ...signatures },
    { customerId: other, ...ofOne },
    { customerId: other, ...users },
    { customerId: one, ...signatures, serviceId: 999 },
    { customerId: one, ...ofOne, serviceId: 12, subId: 1 },
    { customerId: one, action: 'Modify' },
  ])
    assert.equal((await subject(query as Query)).status, 404, JSON.stringify(query));
  const rival = await sandbox.signIn('rival@southridge.test');
  assert.equal((await subject({ customerId: one, ...signatures }, rival)).status, 404);
  const buyer = await sandbox.signIn('buyer@zephyrcycles.test');
  assert.equal((await subject({ customerId: one, ...signatures }, buyer)).status, 404);
});

test('what is refused beforehand is what the order is refused for, in the same words', async () => {
  const customerId = await newCustomer();
  await add(customerId, 17, domain);
  await add(customerId, 2, domain, { Quantity: 13 });
  await sandbox.tickOnce();
  const [failed] = (await servicesOf(customerId)).filter(({ Status }: { Status: string }) => Status !== 'Active');
  assert.equal(failed.Status, 'ActivationFailed');
  const [active] = (await servicesOf(customerId)).filter(({ Status }: { Status: string }) => Status === 'Active');
  const suspended = await newCustomer();
  await add(suspended, 17, domain);
  await sandbox.tickOnce();
  assert.equal((await post(`/api/customers/${suspended}/suspend`)).status, 200);
  const [kept] = await servicesOf(suspended);
  const order = { Quantity: 2, ...terms, Fields: domain };
  for (const [query, instance, why] of [
    [{ customerId, ...signatures }, active.Id, 'Mail Signatures has already been added.'],
    [{ customerId, serviceId: 2, subId: 1 }, failed.Id, 'Team Sites has failed here and must be settled first.'],
    [{ customerId: suspended, serviceId: 2, subId: 1 }, null, 'This customer is suspended.'],
    [
      { customerId: suspended, ...signatures, action: 'Modify', instanceId: kept.Id },
      kept.Id,
      'This customer is suspended.',
    ],
    [
      { customerId, serviceId: 2, subId: 1, action: 'Modify', instanceId: failed.Id },
      failed.Id,
      'Only an active service can be modified.',
    ],
  ] as const) {
    const told = await subject(query);
    assert.deepEqual([told.Refusal, told.InstanceId], [why, instance]);
    const { customerId: CustomerId, serviceId: ServiceId, subId: SubId } = query;
    const Action = 'action' in query ? query.action : 'Add';
    const body = {
      CustomerId,
      ServiceId,
      SubId,
      Action,
      ...('instanceId' in query && { InstanceId: query.instanceId }),
    };
    const reply = await post('/api/orders', { ...body, ...order });
    assert.deepEqual([reply.status, reply.body.Messages], [409, [why]]);
  }
});

test('a product that a single user cannot have, a service without an upgrade and one that has not failed say so', async () => {
  const [user] = (await sandbox.call(reseller, 'GET', '/api/customers/10001/users')).body.Result.Items;
  const voice = await subject({ customerId: '10001', userId: user.UserId, serviceId: 13, subId: 1 });
  assert.equal(voice.Refusal, 'Hosted Voice cannot be added for a single user.');
  assert.equal(voice.User.Name, user.DisplayName);
  const customerId = await newCustomer();
  await add(customerId, 17, domain);
  await sandbox.tickOnce();
  const [held] = await servicesOf(customerId);
  const upgrade = await subject({ customerId, action: 'Upgrade', instanceId: held.Id });
  assert.equal(upgrade.Refusal, 'There is nothing that Mail Signatures can be upgraded to.');
  const retry = await subject({ customerId, action: 'Retry', instanceId: held.Id });
  assert.equal(retry.Refusal, 'Only what has failed can be tried again.');
});

test('a service is read, tried again and deleted at the address of its customer alone', async () => {
  const [one, other] = [await newCustomer(), await newCustomer()];
  await add(one, 17, domain);
  await sandbox.tickOnce();
  const [{ Id }] = await servicesOf(one);
  const at = (customer: string, rest = '') => `/api/customers/${customer}/services/${Id}${rest}`;
  assert.equal((await sandbox.call(reseller, 'GET', at(one))).status, 200);
  assert.equal((await sandbox.call(reseller, 'GET', at(other))).status, 404);
  assert.equal((await post(at(other, '/retry'))).status, 404);
  assert.equal((await post(at(other, '/delete'), { Confirmation: 'Mail Signatures' })).status, 404);
  assert.equal((await servicesOf(one))[0].Status, 'Active');
});

test('the customers with a product come with its name; of a product that is none nothing is told', async () => {
  const { body } = await sandbox.call(reseller, 'GET', '/api/services/17/1/customers');
  assert.equal(body.Result.Product.Name, 'Mail Signatures');
  assert.equal((await sandbox.call(reseller, 'GET', '/api/services/999/1/customers')).status, 404);
});
