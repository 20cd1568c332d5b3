import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Envelope } from '../../shared/contract/envelope.ts';
import { focusFile } from '../fixtures/focus-file.ts';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

const report = '/customers/customer/10001?tab=usage&shown=yes';
const usage = '/ui/data/usage.report?customerId=10001&by=resource&days=14';

async function download(browser: Client, path: string) {
  const hash = await browser.hashOf('/customers/customer/{orgId}');
  return browser.get(`/ui/files/${hash}/usage.csv?path=${encodeURIComponent(path)}`);
}

/** First data of a page. */
async function dataOf(browser: Client, path: string): Promise<Readonly<Record<string, Envelope>>> {
  const { screen } = await browser.page(path);
  return 'data' in screen ? screen.data : {};
}

test('the page of a report brings its figures along, and the address of its tab is the spec’s', async () => {
  const data = await dataOf(reseller, `${report}&by=meter`);
  assert.ok(data.usage?.Succeed && data.subscriptions?.Succeed);
  const alias = await reseller.get('/customers/customer/10001/view/usage');
  assert.match(alias.headers.get('location') ?? alias.text, /tab=usage/);
});

test('the usage is drawn at once, and nothing of the other tabs is read for it', async () => {
  const data = await dataOf(reseller, '/customers/customer/10001?tab=usage');
  assert.deepEqual(Object.keys(data).toSorted(), ['customer', 'resourceGroups', 'subscriptions', 'usage']);
});

test('who sees no prices has no report: not in the layout, nor by any call', async () => {
  for (const username of ['engineer@northwind.test', 'admin@contoso.test']) {
    const browser = await portal.signIn(username);
    // What other tabs read waits for none of the tabs by their names, of which this is one.
    const shown = JSON.stringify((await browser.page(report)).screen).replaceAll('"usage"', '');
    assert.doesNotMatch(shown, /usage|Spend per day|rg-data/i, username);
    assert.equal((await browser.get(usage)).status, 403, username);
    assert.equal((await download(browser, report)).status, 404, username);
  }
});

test('a customer’s administrator who sees prices sees the own usage, whatever customer is named', async () => {
  const account = sandbox.db.updateTable('accounts').where('username', '=', 'admin@contoso.test');
  await account.set({ hide_pricing: false }).execute();
  const admin = await portal.signIn('admin@contoso.test');
  const own = await admin.get('/ui/data/usage.report?by=group');
  assert.equal(own.status, 200);
  assert.ok(own.body.Result.Values.some((series: { Symbol: string }) => series.Symbol === 'rg-dev'));
  const named = await admin.get('/ui/data/usage.report?by=group&customerId=10005');
  assert.doesNotMatch(named.text, /rg-tracking/);
});

test('what a report cannot be asked is refused', async () => {
  for (const query of ['days=8', 'by=colour', `subscription=${'x'.repeat(201)}`])
    assert.equal((await reseller.get(`/ui/data/usage.report?customerId=10001&${query}`)).status, 400, query);
  assert.equal((await reseller.get('/ui/data/usage.report?customerId=10001&subscription=🚀')).status, 404);
});

test('the figures are exported as they are shown, and names that a spreadsheet would run are neutralised', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const names = ['=1+1', '@SUM(A1)', 'مورد', '🚀'];
  const file = focusFile(names.map(ResourceName => ({ ResourceName, ResourceId: `id ${ResourceName}` })));
  const csv = { 'content-type': 'text/csv' };
  assert.equal((await sandbox.call(token, 'POST', '/api/customers/10030/usage/files', file, csv)).status, 200);
  const path = '/customers/customer/10030?tab=usage&shown=yes&by=resource';
  const { status, text } = await download(reseller, path);
  const lines = text.trimEnd().split('\r\n');
  assert.equal(status, 200);
  assert.equal(lines[0]?.replace('\ufeff', ''), 'Date,Name,Spend (GBP)');
  assert.equal(lines.length, 1 + 7 * names.length);
  assert.deepEqual(
    lines
      .filter(line => line.endsWith(',1.10'))
      .map(line => line.split(',')[1])
      .toSorted(),
    [`'=1+1`, `'@SUM(A1)`, 'مورد', '🚀'].toSorted(),
  );
  const inTotal = await download(reseller, path.replace('&by=resource', ''));
  assert.match(inTotal.text, /^\ufeff?Date,Spend \(GBP\)\r\n(.*,\r\n){6}\d\d\/\d\d\/\d{4},4\.40\r\n$/);
});
