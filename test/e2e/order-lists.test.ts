import assert from 'node:assert/strict';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();
const reseller = 'reseller@northwind.test';

/** Orders Team Sites for a new customer; gives the number of the order. */
async function order(page: Page, customer: string): Promise<string> {
  const id = await addCustomer(page, portal.url, customer);
  await page.goto(`${portal.url}/customers/customer/${id}/add-service/share-point`);
  await page.getByTestId('order-details-submit').click();
  await page.getByTestId('order-check-submit').click();
  const said = await page.getByText(/Order ORD-\d+ was placed/).innerText();
  // The way leads on to the service, which takes the focus.
  await page.getByTestId('instance-status').waitFor();
  return /ORD-\d+/.exec(said)?.[0] ?? assert.fail(said);
}

test('all orders are in one list: found by number, narrowed by state, exported, and each opens its service', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const customer = uniqueName('Listed');
  const number = await order(page, customer);
  await page.getByTestId('nav-provision').click();
  await page.getByTestId('nav-orders').click();
  await page.getByRole('heading', { level: 1, name: 'Orders', exact: true }).waitFor();
  const table = page.getByTestId('orders-table');
  await table.getByRole('rowheader').first().getByText(number).waitFor();
  await page.getByTestId('search-orders').fill(number);
  await page.waitForURL('**search=**');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  await page.getByTestId('export-orders').click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('csv-orders').click()]);
  const lines = (await readText(await file.createReadStream())).trim().split('\n');
  assert.equal(lines.length, 2);
  assert.ok(lines[1]?.includes(number) && lines[1].includes(customer), lines[1]);
  // A list that is narrowed is an address.
  await page.goto(`${portal.url}/orders?status=Failed&search=${number}`);
  await page.getByText('No order matches').waitFor();
  await page.goto(`${portal.url}/orders?search=${number}`);
  await table.getByRole('rowheader').first().getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: `Team Sites for ${customer}`, exact: true }).waitFor();

  await page.goto(`${portal.url}/orders?search=${number}`);
  await table.getByRole('button', { name: `Actions for ${number}` }).click();
  await page.getByRole('menuitem', { name: 'Orders of this customer' }).click();
  await page.getByRole('heading', { level: 1, name: `Orders of ${customer}`, exact: true }).waitFor();
  await page.getByTestId('all-orders').click();
  await page.getByRole('heading', { level: 1, name: 'Orders', exact: true }).waitFor();
});

test('the list of orders has no price for who sees none, on a phone as well', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const number = await order(page, uniqueName('Priced'));
  await page.goto(`${portal.url}/orders?search=${number}`);
  await page.getByTestId('orders-table').getByText('£2.75').waitFor();

  const engineer = await openPageAs(t, portal, 'engineer@northwind.test', '/customers', {
    viewport: { width: 390, height: 844 },
  });
  const [reply] = await Promise.all([
    engineer.waitForResponse(response => response.url().includes('/orders') && response.request().method() === 'GET'),
    engineer.goto(`${portal.url}/orders?search=${number}`),
  ]);
  await engineer.getByTestId('orders-table').getByText(number).waitFor();
  for (const bytes of [await reply.text(), await engineer.content()])
    assert.doesNotMatch(bytes, /MonthlyPrice|FirstCharge|£/);
  assert.equal(await engineer.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});
