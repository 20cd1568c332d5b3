import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Client, type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

let sandbox: StartedSandbox;
let portal: StartedPortal;
let reseller: Client;
let engineer: Client;

before(async () => {
  sandbox = await startSandbox();
  portal = await startPortal({ cloudUrl: sandbox.url });
  reseller = await portal.signIn('reseller@northwind.test');
  engineer = await portal.signIn('engineer@northwind.test');
});
after(async () => {
  await portal?.close();
  await sandbox?.close();
});

/** Where an address of the list of customers leads to; undefined where it stays. */
const leadsTo = async (browser: Client, query: string): Promise<string | undefined> =>
  (await browser.get(`/ui/screen?path=${encodeURIComponent(`/customers?${query}`)}`)).body.redirect;

test('a link whose values the data can be asked with stays as it is', async () => {
  for (const query of [
    'page=2',
    'page=',
    'sort=-Name&status=Active',
    `search=${'x'.repeat(200)}`,
    'sort=-MonthlySpend',
    'more=1',
  ])
    assert.equal(await leadsTo(reseller, query), undefined, query);
});

test('a link loses the values that the data cannot be asked with, and nothing else', async () => {
  assert.equal(await leadsTo(reseller, 'page=abc&status=Active'), '/customers?status=Active');
  assert.equal(await leadsTo(reseller, 'page=0&more=1&sort=Secret'), '/customers?more=1');
  assert.equal(await leadsTo(reseller, `search=${'x'.repeat(201)}`), '/customers');
  const page = await reseller.get('/customers?page=abc&status=Active');
  assert.deepEqual([page.status, page.headers.get('location')], [302, '/customers?status=Active']);
});

test('a link that sorts by a field of others loses that as if the field did not exist', async () => {
  for (const sort of ['MonthlySpend', '-MonthlySpend', 'Nothing'])
    assert.equal(await leadsTo(engineer, `sort=${sort}&status=Active`), '/customers?status=Active', sort);
});
