import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
let admin: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
  admin = await sandbox.signIn('admin@contoso.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const get = async (path: string, who = token) => (await sandbox.call(who, 'GET', path)).body.Result;
const write = (method: string, path: string, body?: unknown) => sandbox.call(token, method, path, body);
const sum = (rows: Row[], name: string) => Math.round(rows.reduce((total, row) => total + row[name] * 100, 0));

test('the services of a reseller add up to what its customers hold', async () => {
  const { Items, Total } = await get('/api/services');
  const customers = (await get('/api/customers?pageSize=100')).Items;
  assert.equal(sum(Items, 'MonthlySpend'), sum(customers, 'MonthlySpend'));
  const instances = sum(Items, 'Active') + sum(Items, 'Changing') + sum(Items, 'Failed');
  assert.equal(instances, sum(customers, 'Services'));
  assert.equal(Total, Items.length);
  for (const { ServiceId, SubId, Customers } of notEmpty<Row>(Items).slice(0, 3)) {
    const holders = await get(`/api/services/${ServiceId}/${SubId}/customers?pageSize=1000`);
    assert.equal(new Set(holders.Items.map(({ CustomerId }: Row) => CustomerId)).size, Customers);
  }
  const failing = (Items as Row[]).find(({ Failed }) => Failed > 0) ?? assert.fail('no service failed');
  for (const status of ['Active', 'Changing', 'Failed']) {
    const list = `/api/services/${failing.ServiceId}/${failing.SubId}/customers?pageSize=1000&status=${status}`;
    const found = await get(list);
    assert.deepEqual([found.Items.length, found.Total], [failing[status], failing[status]]);
    assert.deepEqual(
      found.Items.filter(({ StatusGroup }: Row) => StatusGroup !== status),
      [],
    );
  }
});

test('they are filtered by status, type and text, and sorted', async () => {
  const failed = (await get('/api/services?status=Failed')).Items;
  assertEvery(failed, ({ Failed }: Row) => Failed > 0);
  const security = (await get('/api/services?type=security')).Items;
  assertEvery(security, ({ Type }: Row) => Type === 'security');
  assert.deepEqual(
    (await get('/api/services?search=VOICE')).Items.map(({ Name }: Row) => Name),
    ['Hosted Voice'],
  );
  const sorted = notEmpty<Row>((await get('/api/services?sort=-MonthlySpend')).Items);
  const spends = sorted.map(({ MonthlySpend }) => MonthlySpend);
  assert.deepEqual(
    spends,
    [...spends].sort((one, other) => other - one),
  );
});

test('a customer’s administrator sees the services of the own organisation', async () => {
  const { Items } = await get('/api/services', admin);
  const contoso = await get('/api/customers/10001');
  assert.equal(sum(Items, 'MonthlySpend'), Math.round(contoso.MonthlySpend * 100));
  const holders = await get('/api/services/1/1/customers', admin);
  assert.deepEqual(
    holders.Items.map(({ Name }: Row) => Name),
    ['Contoso'],
  );
});

test('the services of a customer are filtered, with the counts of each status', async () => {
  const all = await get('/api/customers/10001/services');
  assert.deepEqual(all.Counts, { All: 6, Active: 5, Changing: 1, Failed: 0 });
  const changing = await get('/api/customers/10001/services?status=Changing');
  assert.deepEqual([changing.Total, changing.Items[0].Name, changing.Counts.All], [1, 'Mail Signatures', 6]);
  const security = await get('/api/customers/10001/services?type=security');
  assert.deepEqual(
    security.Items.map(({ Name }: Row) => Name),
    ['Email Security', 'Endpoint Security'],
  );
  assert.equal((await get('/api/customers/10001/services?search=EXCHANGE')).Total, 1);
});

test('activity says what was before and after, and who really did it', async () => {
  await write('POST', '/api/customers/10005/name', { NewName: 'Dunmore Freight' });
  const [renamed] = (await get('/api/customers/10005/activity')).Items;
  assert.deepEqual([renamed.Before, renamed.After, renamed.RealActor], ['Dunmore Logistics', 'Dunmore Freight', '']);
  const { Items } = await get('/api/customers/10001/users');
  const user = Items[0].UserId ?? Items[0].Id;
  const profile = { FirstName: 'Ada', LastName: 'Whitfield', Phone: '', JobTitle: 'Owner' };
  assert.equal((await write('PUT', `/api/customers/10001/users/${user}`, profile)).status, 200);
  const [changed] = (await get('/api/customers/10001/activity')).Items;
  assert.match(changed.After, /Job title: Owner/);
  assert.doesNotMatch(changed.Before, /Owner/);
});

test('activity is filtered by actor, action, days and text', async () => {
  const path = '/api/customers/10001/activity?pageSize=1000';
  const all = await get(path);
  const [latest] = all.Items;
  const day = latest.At.slice(0, 10);
  for (const [query, matches] of [
    ['&actor=Cloud', (row: Row) => row.Actor === 'Cloud'],
    ['&action=Service%20ordered', (row: Row) => row.Action === 'Service ordered'],
    [`&from=${day}`, (row: Row) => row.At >= day],
    [`&to=${day}`, (row: Row) => row.At.slice(0, 10) <= day],
    ['&search=EXCHANGE', (row: Row) => /exchange/i.test(JSON.stringify(row))],
  ] as const) {
    const { Items, Total } = await get(path + query);
    assert.deepEqual(Items, all.Items.filter(matches), query);
    assert.equal(Total, Items.length);
    assert.ok(Total > 0, query);
  }
  for (const wrong of ['from=yesterday', 'to=2027-13-01', `search=${'x'.repeat(201)}`])
    assert.equal((await sandbox.call(token, 'GET', `${path}&${wrong}`)).status, 400, wrong);
});

test('what is done in the name of another bears the name of who did it', async () => {
  const { id } = await sandbox.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'engineer@northwind.test')
    .executeTakeFirstOrThrow();
  await sandbox.db.updateTable('grants').set({ actor_id: id }).execute();
  // Greyfriars Housing is suspended.
  assert.equal((await write('POST', '/api/customers/10008/reactivate')).status, 200);
  await sandbox.db.updateTable('grants').set({ actor_id: null }).execute();
  const { Items } = await get('/api/customers/10008/activity?actor=engineer@northwind.test');
  const [{ Action, Actor, RealActor, Before, After }] = Items;
  assert.deepEqual(
    [Items.length, Action, Actor, RealActor, Before, After],
    [1, 'Customer reactivated', 'Priya Raman', 'engineer@northwind.test', 'Suspended', 'Active'],
  );
});
