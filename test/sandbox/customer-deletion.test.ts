import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { daysAgo, focusFile } from '../fixtures/focus-file.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const call = (method: string, path: string, body?: object) => sandbox.call(token, method, path, body);
const get = async (path: string) => (await call('GET', path)).body.Result;
const check = (customer: string) => get(`/api/customers/${customer}/can-delete`);
const remove = (customer: string, name: string) =>
  call('POST', `/api/customers/${customer}/delete`, { Confirmation: name });

async function addCustomer(name: string): Promise<string> {
  const body = { Name: name, Domain: 'gone.test', ContactName: 'Nell Hobbs', ContactEmail: 'nell@gone.test' };
  return (await call('POST', '/api/customers', body)).body.Result.organisationId;
}
async function addUser(customer: string, email: string): Promise<string> {
  const body = { FirstName: 'Una', LastName: 'Gone', Email: email, Type: 'endUser', Password: 'Long-enough-4711' };
  const { status, body: reply } = await call('POST', `/api/customers/${customer}/users`, body);
  assert.equal(status, 201, JSON.stringify(reply));
  return reply.Result.userId;
}
async function orderTeamSites(customer: string): Promise<void> {
  const { status, body } = await call('POST', '/api/orders', {
    ...{ CustomerId: customer, ServiceId: 2, SubId: 1, TermId: 'monthly', BillingId: 'monthly' },
    ...{ Action: 'Add', Quantity: 1, Fields: { Domain: 'gone.test' } },
  });
  assert.equal(status, 201, JSON.stringify(body));
}

test('a customer that holds nothing is deleted with its users, and everything of it is 404 then', async () => {
  const { Customers, Users } = await get('/api/dashboard/summary');
  const customer = await addCustomer('Gone Gladly');
  const user = await addUser(customer, 'una@gone.test');
  const session = await sandbox.signIn('una@gone.test', 'Long-enough-4711');
  assert.deepEqual(await check(customer), { CanDelete: true, Users: 1, Reasons: [] });
  const { status, body } = await remove(customer, 'Gone Gladly');
  assert.deepEqual([status, body], [200, { Succeed: true, Messages: ['The customer was deleted.'] }]);

  const paths = ['', '/services', '/users', `/users/${user}`, '/activity', '/costs', '/renewals', '/can-delete'];
  const statuses = await Promise.all(
    paths.map(async path => (await call('GET', `/api/customers/${customer}${path}`)).status),
  );
  assertEvery(statuses, one => one === 404);
  assert.equal((await remove(customer, 'Gone Gladly')).status, 404);
  assert.deepEqual((await get('/api/customers?search=gone+gladly')).Items, []);
  assert.equal((await call('GET', `/api/orders?customerId=${customer}`)).status, 404);
  assert.equal((await sandbox.call(session, 'GET', '/api/end-user/services')).status, 401);
  await assert.rejects(sandbox.signIn('una@gone.test', 'Long-enough-4711'));
  const after = await get('/api/dashboard/summary');
  assert.deepEqual([after.Customers, after.Users], [Customers, Users]);
  assert.ok(await addCustomer('Gone Gladly'), 'the name is free again');
});

test('what keeps a customer is told by code and number, and refused in words', async () => {
  const { Reasons, CanDelete } = await check('10001');
  const { Counts } = await get('/api/customers/10001/services');
  assert.equal(CanDelete, false);
  const countOf = (code: string) => Reasons.find(({ Code }: { Code: string }) => Code === code)?.Count ?? 0;
  assert.deepEqual(
    [countOf('ActiveServices'), countOf('ChangingServices'), countOf('FailedServices')],
    [Counts.Active, Counts.Changing, Counts.Failed],
  );
  assert.ok(countOf('ActiveServices') > 0 && countOf('Mailboxes') > 0, JSON.stringify(Reasons));
  const { status, body } = await remove('10001', 'Contoso');
  assert.equal(status, 409);
  assert.match(body.Messages[0], /^Contoso cannot be deleted: \d+ services are active, .*\d+ users have a mailbox/);
  assert.equal((await call('GET', '/api/customers/10001')).status, 200);
});

test('a service that is ordered after the check keeps the customer, until it is deleted again', async () => {
  const customer = await addCustomer('Ordered Late');
  assert.equal((await check(customer)).CanDelete, true);
  await orderTeamSites(customer);
  const refused = await remove(customer, 'Ordered Late');
  assert.deepEqual(
    [refused.status, refused.body.Messages],
    [409, ['Ordered Late cannot be deleted: 1 service is being changed, 1 order is under way.']],
  );
  const tickUntil = async (code: string | undefined) => {
    for (let turn = 0; turn < 10; turn++) {
      await sandbox.tickOnce();
      const [first] = (await check(customer)).Reasons;
      if (first?.Code === code) return;
    }
    assert.fail(`${code}: ${JSON.stringify(await check(customer))}`);
  };
  await tickUntil('ActiveServices');
  const [{ Id }] = (await get(`/api/customers/${customer}/services`)).Items;
  await call('POST', `/api/customers/${customer}/services/${Id}/delete`, { Confirmation: 'Team Sites' });
  await tickUntil(undefined);
  assert.equal((await remove(customer, 'Ordered Late')).status, 200);
});

test('usage that no invoice has charged keeps its customer, on whatever day it was', async () => {
  for (const [name, day] of [
    ['Used Long Ago', '2020-02-29T00:00:00Z'],
    ['Used Tomorrow', daysAgo(-1)],
  ] as const) {
    const customer = await addCustomer(name);
    const file = focusFile([{ BilledCost: '500.00', ChargePeriodStart: day }]);
    const path = `/api/customers/${customer}/usage/files`;
    assert.equal((await sandbox.call(token, 'POST', path, file, { 'content-type': 'text/csv' })).status, 200);
    const refused = await remove(customer, name);
    assert.deepEqual(
      [refused.status, refused.body.Messages],
      [409, [`${name} cannot be deleted: 1 charge is still to be billed.`]],
    );
  }
});

test('a service that has ended keeps its customer until its last days are on an invoice', async () => {
  const customer = await addCustomer('Still To Pay');
  await orderTeamSites(customer);
  const isOfCustomer = sql<boolean>`customer_id = (select id from customers where organisation_id = ${customer})`;
  await sandbox.db
    .deleteFrom('jobs')
    .where(sql<boolean>`instance_id in (select id from service_instances where ${isOfCustomer})`)
    .execute();
  await sandbox.db
    .updateTable('orders')
    .set({ status: 'Done', cancel_free_until: sql`created` })
    .where(isOfCustomer)
    .execute();
  const changes = [
    { status: 'Active', created: sql<Date>`now() - interval '40 days'` },
    // A day ahead, so that there is a day to be billed on the first of a month as well.
    { status: 'Deleted', last_change: sql<Date>`now() + interval '1 day'` },
  ] as const;
  for (const change of changes)
    await sandbox.db.updateTable('service_instances').set(change).where(isOfCustomer).execute();
  assert.deepEqual(await check(customer), { CanDelete: false, Users: 0, Reasons: [{ Code: 'ToBeBilled', Count: 1 }] });
  const refused = await remove(customer, 'Still To Pay');
  assert.match(refused.body.Messages[0], /1 charge is still to be billed\.$/);
  await sql`
    insert into billing_runs (reseller_id, period)
    select reseller_id, date_trunc('month', now() at time zone 'UTC') from customers
    where organisation_id = ${customer}`.execute(sandbox.db);
  assert.equal((await remove(customer, 'Still To Pay')).status, 200);
});

test('of a deletion and an order at once one alone succeeds', async () => {
  const customer = await addCustomer('Two At Once');
  const order = call('POST', '/api/orders', {
    ...{ CustomerId: customer, ServiceId: 2, SubId: 1, TermId: 'monthly', BillingId: 'monthly' },
    ...{ Action: 'Add', Quantity: 1, Fields: { Domain: 'gone.test' } },
  });
  const [ordered, removed] = await Promise.all([order, remove(customer, 'Two At Once')]);
  const outcome = [ordered.status, removed.status].join(' ');
  assert.ok(['201 409', '404 200'].includes(outcome), outcome);
});

test('its name must be typed as it is', async () => {
  const customer = await addCustomer('Typed Name');
  const { status, body } = await remove(customer, 'typed name');
  assert.deepEqual([status, body.Errors.Confirmation], [400, ['Must be "Typed Name"']]);
  assert.equal((await remove(customer, ' Typed Name ')).status, 200);
});

test('only the reseller of a customer who may edit customers deletes it', async () => {
  const customer = await addCustomer('Not For All');
  const statusOf = async (username: string, at = customer) => {
    const by = await sandbox.signIn(username);
    const path = `/api/customers/${at}`;
    const checked = await sandbox.call(by, 'GET', `${path}/can-delete`);
    const removed = await sandbox.call(by, 'POST', `${path}/delete`, { Confirmation: 'Not For All' });
    return [checked.status, removed.status];
  };
  assert.deepEqual(await statusOf('rival@southridge.test'), [404, 404]);
  assert.deepEqual(await statusOf('engineer@northwind.test'), [403, 403]);
  await sandbox.db
    .updateTable('account_permissions')
    .set({ permissions: ['addOrEditCustomers'] })
    .where('account_id', '=', db => db.selectFrom('accounts').select('id').where('username', '=', 'admin@contoso.test'))
    .execute();
  assert.deepEqual(await statusOf('admin@contoso.test', '10001'), [403, 403], 'not even the own one');
});
