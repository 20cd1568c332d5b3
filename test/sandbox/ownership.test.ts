import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerCalls as calls } from '../fixtures/customer-calls.ts';
import { isOfResource } from '../fixtures/declared-resources.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let rival: string;
let reseller: string;
let admin: string;
setUp(async () => {
  rival = await sandbox.signIn('rival@southridge.test');
  reseller = await sandbox.signIn('reseller@northwind.test');
  admin = await sandbox.signIn('admin@contoso.test');
});

type Customer = { OrganisationId: string; CustomerId: string; Name: string };
const user = { FirstName: 'R', LastName: 'C', Email: 'r.c@southridge.test', Type: 'endUser' };
const get = async (token: string, path: string) => (await sandbox.call(token, 'GET', path)).body.Result;
const contoso = async (): Promise<Customer> => (await get(reseller, '/api/customers?search=contoso')).Items[0];

test('another reseller’s customer cannot be told from one that is not there, whatever the call and the id', async () => {
  const { OrganisationId, CustomerId } = await contoso();
  const instanceId = (await get(reseller, '/api/customers/10001/services')).Items[0].Id;
  const absent: unknown[] = [];
  for (const [method, path, body] of calls('99999', '1', '1'))
    absent.push((await sandbox.call(rival, method, path, body)).body);
  // What is no id at all goes the same way in every call: a few tell it.
  for (const [key, some] of [
    [OrganisationId, absent.length],
    [CustomerId, absent.length],
    ...['00000000-0000-4000-8000-000000000000', 'nonsense', '-1', '1e3'].map(key => [key, 3] as const),
  ] as const) {
    for (const [index, [method, path, body]] of calls(key, '20002', instanceId).slice(0, some).entries()) {
      const foreign = await sandbox.call(rival, method, path, body);
      assert.deepEqual([foreign.status, foreign.body], [404, absent[index]], `${method} ${path}`);
    }
  }
});

/** Routes that name a customer and are no matter of this table, and why. */
const others: Readonly<Record<string, string>> = {
  'GET /billing/customers/{customerId}': 'the account of the other reseller asks the monolith, which is in the table',
  'GET /api/customers/{customerId}/user-imports/template': 'says nothing of the customer',
  'POST /api/customers/{customerId}/user-imports': 'takes a file: test/sandbox/user-imports.test.ts',
  ...Object.fromEntries(
    ['whitelist', 'blacklist'].map(list => [
      `POST /api/customers/{customerId}/email-security/domains/{filteredId}/${list}/rule-file`,
      'takes a file: test/sandbox/rule-files.test.ts',
    ]),
  ),
};

test('every route that names a customer is in the table above, or of a declared resource', async () => {
  const { paths } = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const known = calls('10001', '20002', '30001').map(([method, path]) => `${method} ${path.split('?')[0]}`);
  const missing = Object.entries(paths)
    .filter(([path]) => /\{(?:customerId|organisationId)\}/.test(path) && !isOfResource(path))
    .flatMap(([path, methods]) => Object.keys(methods).map(method => ({ method: method.toUpperCase(), path })))
    .filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      return !known.some(call => pattern.test(call)) && !(`${method} ${path}` in others);
    });
  assert.deepEqual(
    missing.map(({ method, path }) => `${method} ${path}`),
    [],
  );
});

test('nothing of what a stranger tried has happened', async () => {
  const { CustomerId } = await contoso();
  const { Items } = await get(reseller, `/api/customers/${CustomerId}/activity`);
  assertEvery(Items, (item: { Actor: string }) => item.Actor !== 'Rhys Colville');
  assert.equal((await get(reseller, `/api/customers/${CustomerId}`)).Name, 'Contoso');
});

test('lists, suggestions and figures of two resellers have nothing in common', async () => {
  const names = async (token: string) =>
    (await get(token, '/api/customers?pageSize=100')).Items.map(({ Name }: Customer) => Name);
  const [mine, theirs] = [await names(reseller), await names(rival)];
  assert.deepEqual([mine.length, theirs.length], [40, 12]);
  assert.deepEqual(
    mine.filter((name: string) => theirs.includes(name)),
    [],
  );
  assert.deepEqual((await get(rival, '/api/customers?search=contoso')).Counts.All, 0);
  assert.deepEqual(await get(rival, '/api/customers/suggestions?search=contoso'), []);
  assert.equal((await get(rival, '/api/dashboard/summary')).Customers, 12);
  const { Items } = await get(rival, '/api/dashboard/attention');
  assert.deepEqual(
    [...new Set(Items.map((item: { CustomerName: string }) => item.CustomerName))],
    ['Bellweather Events'],
  );
});

test('a customer’s administrator sees one organisation, the own one', async () => {
  const list = await get(admin, '/api/customers');
  assert.deepEqual([list.Items.length, list.Items[0].Name, list.Total, list.Counts.All], [1, 'Contoso', 1, 1]);
  assert.equal((await get(admin, '/api/customers/suggestions'))[0].Name, 'Contoso');
  assert.equal((await sandbox.call(admin, 'GET', '/api/customers/10001')).status, 200);
  for (const path of ['/api/customers/10002', '/api/customers/10002/users', '/api/customers/10002/services']) {
    assert.equal((await sandbox.call(admin, 'GET', path)).status, 404);
  }
  assert.equal((await sandbox.call(admin, 'POST', '/api/customers/10002/users', user)).status, 404);
});

test('an end user reads and changes the own user and no other', async () => {
  const token = await sandbox.signIn('user@contoso.test');
  const own = '/api/customers/10001/users/20002';
  assert.equal((await get(token, own)).Email, 'user@contoso.test');
  const change = { FirstName: 'Una', LastName: 'Marsh', Phone: '01214960123', JobTitle: 'Head of events' };
  assert.equal((await sandbox.call(token, 'PUT', own, change)).status, 200);
  assert.equal((await get(token, own)).JobTitle, 'Head of events');
  assert.equal((await sandbox.call(token, 'GET', '/api/customers/10001/users/20001')).status, 403);
  assert.equal((await sandbox.call(token, 'GET', '/api/customers/10002/users/20002')).status, 404);
});

test('notes about a user are for the reseller’s people only', async () => {
  const path = '/api/customers/10001/users/20002';
  assert.equal(typeof (await get(reseller, path)).Notes, 'string');
  assert.equal('Notes' in (await get(admin, path)), false);
});

test('a notification of somebody else is not there', async () => {
  const [first] = await get(reseller, '/api/notifications');
  const { status } = await sandbox.call(rival, 'PATCH', '/api/notifications', { Id: first.Id, Status: 'read' });
  assert.equal(status, 404);
  assert.equal((await get(reseller, '/api/notifications'))[0].Status, first.Status);
});
