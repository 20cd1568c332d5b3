import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);

const kestrel = '/ui/screen?path=/customers/customer/10012';
const priceWords = /MonthlySpend|MonthlyPrice|OneOff|NextTerm|"Cost"|recurring/;

test('of two administrators of one customer, who differ in HidePricing alone, one is sent prices and one none', async () => {
  const seeing = await portal.signIn('prices@kestrelfreight.test');
  const other = await portal.signIn('noprices@kestrelfreight.test');
  const [shown, hidden] = await Promise.all([seeing.get(kestrel), other.get(kestrel)]);
  assert.deepEqual([shown.status, hidden.status], [200, 200]);
  assert.match(shown.text, priceWords);
  assert.ok(Number(shown.body.data.customer.Result.MonthlySpend) > 0);
  assert.doesNotMatch(hidden.text, priceWords);
  assert.equal((await seeing.get('/ui/data/customers.costs')).status, 200);
  assert.equal((await other.get('/ui/data/customers.costs')).status, 403);
});

test('an engineer sees prices once the display settings do not hide them, and not before; a reseller whatever they say', async () => {
  const set = (username: string, hide_pricing: boolean) =>
    sandbox.db.updateTable('accounts').set({ hide_pricing }).where('username', '=', username).execute();
  const pricesOf = async (username: string) => (await portal.signIn(username)).get(kestrel);
  await set('engineer@northwind.test', true);
  assert.doesNotMatch((await pricesOf('engineer@northwind.test')).text, priceWords);
  await set('engineer@northwind.test', false);
  assert.match((await pricesOf('engineer@northwind.test')).text, priceWords);
  await set('reseller@northwind.test', true);
  assert.match((await pricesOf('reseller@northwind.test')).text, priceWords);
});
