import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

const contoso = '/customers/customer/10001';
const screenOf = (client: Client, path: string) => client.get(`/ui/screen?path=${encodeURIComponent(path)}`);

test('the dashboard, the customers and the services say one figure per month, and that it is the recurring one', async () => {
  const [dashboard, customers, services] = await Promise.all([
    screenOf(reseller, '/dashboard'),
    screenOf(reseller, '/customers'),
    screenOf(reseller, '/services'),
  ]);
  for (const { text } of [dashboard, customers, services]) assert.match(text, /"Per month, recurring"/);
  const total = dashboard.body.data.summary.Result.MonthlySpend;
  assert.ok(total > 0);
  assert.equal(customers.body.data.customers.Result.MonthlySpend, total);
  const rows: readonly { readonly MonthlySpend: string }[] = services.body.data.services.Result.Items;
  assert.equal(Math.round(rows.reduce((sum, row) => sum + Number(row.MonthlySpend), 0) * 100), Math.round(total * 100));
});

test('the dashboard compares the recurring figure with the same one as the last month ended, and calls nothing charged so far', async () => {
  const { text } = await screenOf(reseller, '/dashboard');
  assert.doesNotMatch(text, /so far/);
  assert.match(text, /since the end of last month/);
});

test('what a customer used by meter stands beside what recurs, and leads to the usage that it adds up', async () => {
  const { body, text } = await screenOf(reseller, contoso);
  const metered = body.data.customer.Result.MeteredLast7Days;
  assert.ok(metered > 0);
  assert.match(text, /"Metered, last 7 days"/);
  assert.match(text, /tab=usage/);
  const usage = await reseller.get('/ui/data/usage.report?customerId=10001&days=7');
  const days: readonly string[] = usage.body.Result.Values[0].Values;
  assert.equal(days.length, 7);
  assert.equal(Math.round(days.reduce((sum, day) => sum + Number(day), 0) * 100), Math.round(metered * 100));
  const dashboard = await screenOf(reseller, '/dashboard');
  assert.ok(Number(dashboard.body.data.summary.Result.MeteredLast7Days) >= Number(metered));
});

test('of callers without prices neither figure, nor a word about them, is in the bytes', async () => {
  await sql`
    update account_permissions set views = array_append(views, 'home')
    from accounts where accounts.id = account_id and username = 'engineer@northwind.test'`.execute(sandbox.db);
  const engineer = await portal.signIn('engineer@northwind.test');
  const administrator = await portal.signIn('admin@contoso.test');
  for (const [client, path] of [
    [engineer, '/dashboard'],
    [engineer, '/customers'],
    [engineer, contoso],
    [administrator, contoso],
    [administrator, `${contoso}?tab=services`],
  ] as const) {
    const { status, text } = await screenOf(client, path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(text, /Metered|MonthlySpend|MonthlyPrice|recurring|shown=yes/, path);
  }
  for (const path of ['customers.list', 'customers.get?customerId=10001', 'dashboard.summary']) {
    const { status, text } = await engineer.get(`/ui/data/${path}`);
    assert.equal(status, 200, path);
    assert.doesNotMatch(text, /Metered|MonthlySpend/, path);
  }
});
