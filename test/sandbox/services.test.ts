import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { refreshCustomer } from '../../server/sandbox/customers/refresh.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { startSandbox, withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let now = new Date();
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const sandbox = withSandbox({ now: () => now });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const get = async (path: string) => (await sandbox.call(token, 'GET', path)).body.Result;
const customerNamed = async (name: string) =>
  (await get(`/api/customers?search=${encodeURIComponent(name)}`)).Items[0] as Row;

/** Makes the one changing service of a customer due, whatever the clock says. */
async function makeDue(name: string): Promise<Row> {
  const { CustomerId } = await customerNamed(name);
  await sandbox.db
    .updateTable('jobs')
    .set({ due: new Date(0) })
    .where('state', '=', 'running')
    .where('instance_id', 'in', ({ selectFrom }) =>
      selectFrom('service_instances').select('id').where('customer_id', '=', CustomerId),
    )
    .execute();
  return await customerNamed(name);
}

test('a customer’s services add up to the customer’s own figures, deleted and replaced ones apart', async () => {
  let services = 0;
  for (const { OrganisationId, Services, MonthlySpend } of notEmpty<Row>(
    (await get('/api/customers?pageSize=100')).Items,
  )) {
    const { Items, Total } = await get(`/api/customers/${OrganisationId}/services?pageSize=100`);
    assert.deepEqual([Items.length, Total], [Services, Services]);
    const spend = Items.reduce((sum: number, row: Row) => sum + Number(row.MonthlyPrice), 0);
    assert.equal(Math.round(spend * 100), Math.round(MonthlySpend * 100));
    assert.ok(!Items.some((row: Row) => ['Deleted', 'Upgraded'].includes(row.Status)));
    services += Items.length;
  }
  assert.ok(services > 0);
});

test('nothing changes before it is due', async () => {
  const start = now;
  now = new Date(0);
  const before = await get('/api/dashboard/attention');
  await sandbox.tickOnce();
  now = start;
  assert.deepEqual(await get('/api/dashboard/attention'), before);
});

test('a due activation becomes active, with its activity, notifications and counts', async () => {
  const before = await makeDue('Brightwater');
  const { Counts } = await get('/api/customers');
  assert.equal(before.Status, 'Activating');
  now = later(1);
  await sandbox.tickOnce();
  const after = await customerNamed('Brightwater');
  assert.deepEqual([after.Status, after.Services, after.LastChange], ['Active', before.Services, now.toISOString()]);
  assert.equal((await get('/api/customers')).Counts.Changing, Counts.Changing - 1);
  const [event] = (await get(`/api/customers/${after.OrganisationId}/activity`)).Items;
  assert.deepEqual(
    [event.Actor, event.ActorType, event.Action, event.Target],
    ['Cloud', 'system', 'Service activated', 'Cloud Backup'],
  );
  for (const name of ['reseller@northwind.test', 'engineer@northwind.test']) {
    const theirs = await sandbox.signIn(name);
    const [told] = (await sandbox.call(theirs, 'GET', '/api/notifications')).body.Result;
    assert.deepEqual(
      [told.Message, told.ServiceName, told.Category, told.Status, told.Created],
      ['Cloud Backup is active for Brightwater Dental Group', 'Cloud Backup', 'success', 'new', now.toISOString()],
    );
  }
});

test('a due activation that fails says why, and the customer needs attention', async () => {
  await makeDue('Kestrel');
  now = later(1);
  await sandbox.tickOnce();
  const { OrganisationId, Status } = await customerNamed('Kestrel');
  assert.equal(Status, 'ActivationFailed');
  const { Items } = await get(`/api/customers/${OrganisationId}/services`);
  const failed = Items.find((row: Row) => row.Status === 'ActivationFailed');
  assert.deepEqual(
    [failed.Name, failed.StatusGroup, failed.Reason],
    ['Hosted Voice', 'Failed', 'The number port was refused.'],
  );
  const [first] = (await get('/api/dashboard/attention')).Items;
  assert.deepEqual(
    [first.CustomerName, first.ServiceName, first.Reason],
    ['Kestrel Freight', 'Hosted Voice', failed.Reason],
  );
  const [told] = await get('/api/notifications');
  assert.equal(told.Content, 'Hosted Voice could not be activated for Kestrel Freight. The number port was refused.');
});

test('a due deletion takes the service, its price and its users’ share of it away', async () => {
  const before = await makeDue('Juniper');
  const deleting = (await get(`/api/customers/${before.OrganisationId}/services`)).Items.find(
    (row: Row) => row.Status === 'Deleting',
  );
  await sandbox.tickOnce();
  const after = await customerNamed('Juniper');
  assert.equal(after.Services, before.Services - 1);
  assert.equal(Math.round(after.MonthlySpend * 100), Math.round((before.MonthlySpend - deleting.MonthlyPrice) * 100));
  const held = await sandbox.db
    .selectFrom('user_services')
    .where('instance_id', '=', deleting.Id)
    .selectAll()
    .execute();
  assert.deepEqual(held, []);
});

test('a suspended customer stays suspended while its services change', async () => {
  const { CustomerId } = await makeDue('Netherby');
  await sandbox.db.updateTable('customers').set({ suspended: true }).where('id', '=', CustomerId).execute();
  await sandbox.tickOnce();
  assert.equal((await customerNamed('Netherby')).Status, 'Suspended');
});

test('two ticks at the same time end a change once', async () => {
  const { OrganisationId } = await makeDue('Alder Grove');
  await Promise.all([sandbox.tickOnce(), sandbox.tickOnce()]);
  const { Items } = await get(`/api/customers/${OrganisationId}/activity?pageSize=100`);
  const ended = Items.filter(
    (row: Row) => row.Target === 'Office Suite Business' && row.Action === 'Service activated',
  );
  assert.equal(ended.length, 1);
});

test('attention lists failed before changing, the newest first', async () => {
  const { Items, Total } = await get('/api/dashboard/attention');
  assert.equal(Items.length, Total);
  const keys = notEmpty<Row>(Items).map(row => `${row.StatusGroup} ${row.LastChange}`);
  assert.deepEqual(keys, [...keys].sort().reverse());
});

test('the counters are what counting gives', async () => {
  const counted = await sql`
    select reseller_id, status_group, count(*) as customers, sum(users) as users, sum(monthly_spend) as monthly_spend
    from customers group by 1, 2 order by 1, 2`.execute(sandbox.db);
  const kept = await sandbox.db
    .selectFrom('customer_counts')
    .select(['reseller_id', 'status_group', 'customers', 'users', 'monthly_spend'])
    .where('customers', '>', 0)
    .orderBy('reseller_id')
    .orderBy('status_group')
    .execute();
  assert.deepEqual(kept, counted.rows);
});

test('the months of a year stand in order; the last is the current one, with the figure of today', async () => {
  const { Items } = await get('/api/dashboard/months');
  assert.equal(Items.length, 12);
  const [months, spend] = [Items.map((row: Row) => row.Month), Items.map((row: Row) => row.MonthlySpend)];
  assert.deepEqual([months, spend], [months.toSorted(), spend.toSorted((a: number, b: number) => a - b)]);
  const summary = await get('/api/dashboard/summary');
  assert.deepEqual(spend.slice(-2), [summary.SpendLastMonth, summary.MonthlySpend]);
});

test('figures of the last month stand beside today’s, and a month that ends is written down', async () => {
  const start = now;
  const summary = await get('/api/dashboard/summary');
  assert.ok(
    summary.CustomersLastMonth < summary.Customers && Number(summary.SpendLastMonth) < Number(summary.MonthlySpend),
  );
  assert.ok(Number(summary.MeteredLast7Days) > 0 && Number(summary.MeteredWeekBefore) > 0, JSON.stringify(summary));
  now = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  await sandbox.tickOnce();
  token = await sandbox.signIn('reseller@northwind.test');
  const next = await get('/api/dashboard/summary');
  now = start;
  token = await sandbox.signIn('reseller@northwind.test');
  assert.deepEqual([next.CustomersLastMonth, next.UsersLastMonth], [next.Customers, next.Users]);
});

test('an end user sees the own services and mailbox', async () => {
  const una = await sandbox.signIn('user@contoso.test');
  const services = (await sandbox.call(una, 'GET', '/api/end-user/services')).body.Result.Items;
  const exchange = services.find((row: Row) => row.Name === 'Hosted Exchange');
  assert.match(exchange.Detail, /^\d+(\.\d)? GB of \d+ GB$/);
  const one = await sandbox.call(una, 'GET', `/api/end-user/services/${exchange.Id}`);
  const { Summary, Created, LastChange, ...same } = one.body.Result;
  assert.deepEqual(same, exchange);
  assert.ok(Summary !== '' && Date.parse(Created) <= Date.parse(LastChange));
  const own = services.map((row: Row) => Number(row.Id));
  const { id } = await sandbox.db
    .selectFrom('service_instances')
    .select('id')
    .where('id', 'not in', own)
    .executeTakeFirstOrThrow();
  for (const other of [id, 'x'])
    assert.equal((await sandbox.call(una, 'GET', `/api/end-user/services/${other}`)).status, 404, String(other));
  const mailbox = (await sandbox.call(una, 'GET', '/api/end-user/mailbox')).body.Result;
  assert.deepEqual(
    mailbox.Aliases.map((row: Row) => [row.Alias, row.DelayedDomain]),
    [
      ['bookings@contoso.test', false],
      ['una.marsh@contoso.test', false],
      ['una@contoso-events.test', true],
    ],
  );
});

test('what was changing when the cloud stopped goes on after a restart', async () => {
  const first = await startSandbox();
  const due = await first.db.selectFrom('jobs').where('state', '=', 'running').select('instance_id as id').execute();
  assert.ok(due.length > 0);
  await first.app.close();
  const second = await startSandbox({ storage: first.storage, now: () => later(30 * 86_400) });
  await second.tickOnce();
  const ids = due.map(row => row.id);
  const rows = await second.db.selectFrom('service_instances').where('id', 'in', ids).selectAll().execute();
  assertEvery(rows, ({ status }) => !['Activating', 'Deleting'].includes(status));
  await second.close();
  await first.close();
});

test('refreshing a customer whose rows have not changed changes nothing', async () => {
  const before = await sandbox.db.selectFrom('customers').selectAll().orderBy('organisation_id').execute();
  await sandbox.db.transaction().execute(async trx => {
    for (const { id, last_change } of before) await refreshCustomer(trx, id, last_change);
  });
  const after = await sandbox.db.selectFrom('customers').selectAll().orderBy('organisation_id').execute();
  assert.deepEqual(
    after.filter(row => row.name !== 'Netherby Farm Foods'),
    before.filter(row => row.name !== 'Netherby Farm Foods'),
  );
});
