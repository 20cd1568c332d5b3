import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'admin@contoso.test']);
const as = (person: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[person] ?? '', method, path, body);

test('only one who may make administrators makes one', async () => {
  const path = '/api/customers/10001/users';
  const body = { FirstName: 'A', LastName: 'B', Email: 'second.admin@contoso.test', Type: 'endUserAdmin' };
  const rights = { views: ['customers', 'customerUsers'], permissions: [] };
  assert.equal((await as('reseller', 'PUT', '/api/permissions/admin@contoso.test', rights)).status, 200);
  assert.equal((await as('admin', 'POST', path, body)).status, 403);
  const more = { ...rights, permissions: ['createCustomerAdmin'] };
  assert.equal((await as('reseller', 'PUT', '/api/permissions/admin@contoso.test', more)).status, 200);
  assert.equal((await as('admin', 'POST', path, body)).status, 201);
});

test('a right that is taken away is gone with the next call', async () => {
  const none = { views: [], permissions: [] };
  assert.equal((await as('engineer', 'GET', '/api/customers')).status, 200);
  assert.equal((await as('reseller', 'PUT', '/api/permissions/ENGINEER@northwind.test', none)).status, 200);
  assert.equal((await as('engineer', 'GET', '/api/customers')).status, 403);
});

test('permissions are changed only by known names, for others, within the own reseller', async () => {
  const change = (person: string, name: string, body: object) =>
    as(person, 'PUT', `/api/permissions/${name}`, body).then(({ status }) => status);
  const none = { views: [], permissions: [] };
  assert.equal(await change('reseller', 'engineer@northwind.test', { views: ['everything'], permissions: [] }), 400);
  assert.equal(await change('reseller', 'reseller@northwind.test', none), 409);
  const rival = await sandbox.signIn('rival@southridge.test');
  const theirs = await sandbox.call(rival, 'PUT', '/api/permissions/engineer@northwind.test', none);
  assert.equal(theirs.status, 404);
  assert.equal(await change('reseller', 'nobody@northwind.test', none), 404);
});

test('a customer administrator who is given the right makes no customers of the reseller all the same', async () => {
  const rights = { views: ['customers', 'manageUsers'], permissions: ['addOrEditCustomers'] };
  await as('reseller', 'PUT', '/api/permissions/admin@contoso.test', rights);
  const body = {
    ...{ Name: 'Contoso Two', Domain: 'x.test', ContactName: 'X', ContactEmail: 'x@x.test', Phone: '' },
  };
  assert.equal((await as('admin', 'POST', '/api/customers', body)).status, 403);
  assert.equal((await as('admin', 'PUT', '/api/permissions/user@contoso.test', rights)).status, 403);
});

test('prices are in the replies for engineers too: hiding them is the portal’s', async () => {
  assert.equal((await as('engineer', 'GET', '/api/account-settings/display')).body.Result.HidePricing, true);
  await as('reseller', 'PUT', '/api/permissions/engineer@northwind.test', { views: ['customers'], permissions: [] });
  const { Items } = (await as('engineer', 'GET', '/api/customers?pageSize=1')).body.Result;
  assert.equal(typeof Items[0].MonthlySpend, 'string');
});

test('flags may be overridden for one account', async () => {
  const flag = async (person: string) =>
    (await as(person, 'GET', '/api/permissions')).body.Result.featureFlags.find(
      (one: { featureName: string }) => one.featureName === 'LiveChat',
    ).enabled;
  assert.equal(await flag('reseller'), true);
  assert.equal(await flag('engineer'), false);
});
