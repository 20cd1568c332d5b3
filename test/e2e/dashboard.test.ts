import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortalBefore(cloud);
const reseller = 'reseller@northwind.test';

/** Makes an activation of Team Sites fail that another domain mends; gives the customer's name. */
async function failActivation(customer: string): Promise<string> {
  const token = await cloud.signIn(reseller);
  const order = { CustomerId: customer, Action: 'Add', ServiceId: 2, SubId: 1, Quantity: 2 };
  const terms = { TermId: 'monthly', BillingId: 'monthly', Fields: { Domain: 'fail.test' } };
  const key = { 'idempotency-key': randomUUID() };
  const placed = await cloud.call(token, 'POST', '/api/orders', { ...order, ...terms }, key);
  assert.ok(placed.body.Succeed, JSON.stringify(placed.body));
  await cloud.tickOnce();
  return (await cloud.call(token, 'GET', `/api/customers/${customer}`)).body.Result.Name;
}

const failureOf = (page: Page, customer: string) =>
  page.getByTestId('failed-services').getByRole('listitem').filter({ hasText: customer });

/** Waits until the service that is shown works, with what is due done. */
async function becomesActive(page: Page): Promise<void> {
  await page.getByTestId('instance-status').getByText('Activating').waitFor();
  await cloud.tickOnce();
  await page.getByTestId('instance-status').getByText('Active', { exact: true }).waitFor();
}

test('a failed activation is fixed from the dashboard in two clicks and one field', async t => {
  const customer = await failActivation('10007');
  const page = await openListeningPageAs(t, portal, reseller, '/dashboard');
  const failure = failureOf(page, customer);
  await failure.getByText('What the order names does not answer.').waitFor();
  await Promise.all([axe(page), hasTestIds(page)]);
  await failure.getByTestId('fix-service').click();
  await page.getByTestId('order-mend-Domain').fill('mended.test');
  await page.getByTestId('order-mend-submit').click();
  await becomesActive(page);
  await page.goto(`${portal.url}/dashboard`);
  await page.getByTestId('attention').waitFor();
  await failureOf(page, 'Eastcote').waitFor();
  assert.equal(await failure.count(), 0);
});

test('the same is done by the keys alone', async t => {
  const customer = await failActivation('10009');
  const page = await openListeningPageAs(t, portal, reseller, '/dashboard');
  await failureOf(page, customer).getByTestId('fix-service').press('Enter');
  const domain = page.getByTestId('order-mend-Domain');
  await domain.press('Control+a');
  await page.keyboard.type('keys.test');
  await page.keyboard.press('Enter');
  await becomesActive(page);
});

test('the same is done on a phone, where nothing is wider than the page', async t => {
  const customer = await failActivation('10011');
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const page = await openListeningPageAs(t, portal, reseller, '/dashboard', phone);
  const failure = failureOf(page, customer);
  await failure.waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await failure.getByTestId('fix-service').tap();
  await page.getByTestId('order-mend-Domain').fill('phone.test');
  await page.getByTestId('order-mend-submit').tap();
  await becomesActive(page);
});

test('a failure is tried again in place, on the dashboard and on the customer’s overview', async t => {
  const customer = await failActivation('10012');
  const page = await openListeningPageAs(t, portal, reseller, '/customers/customer/10012');
  const failure = page.getByTestId('failed-services').getByRole('listitem').filter({ hasText: 'Team Sites' });
  await failure.getByText('What the order names does not answer.').waitFor();
  await page.getByTestId('costs-table').getByRole('row', { name: 'Team Sites' }).getByText('Not charged').waitFor();
  await axe(page);
  await failure.getByTestId('retry').click();
  await page.getByText('Team Sites is being tried again.').waitFor();
  await failure.waitFor({ state: 'detached' });
  await cloud.tickOnce();
  await page.goto(`${portal.url}/dashboard`);
  // The demo has failures of its own, of other services.
  const again = failureOf(page, customer).filter({ hasText: 'Team Sites' });
  await again.getByTestId('retry').click();
  await page.getByText('Team Sites is being tried again.').waitFor();
  await again.waitFor({ state: 'detached' });
  await page.getByTestId('in-progress').getByText(`Team Sites for ${customer}`).waitFor();
});

test('the figures of the months stand as a chart or as a table, never as both', async t => {
  const page = await openListeningPageAs(t, portal, reseller, '/dashboard');
  await page.getByTestId('months-chart-plot').waitFor();
  assert.equal(await page.getByTestId('months-table').count(), 0);
  await page.getByTestId('months-view').getByText('Table').click();
  await page.getByTestId('months-table').getByRole('row').nth(12).waitFor();
  assert.equal(await page.getByTestId('months-chart-plot').count(), 0);
  await axe(page);
});

test('a reseller without customers is shown first steps, which lead to what to do', async t => {
  const page = await openListeningPageAs(t, portal, 'empty@eastmoor.test', '/dashboard');
  await page.getByTestId('first-steps').getByText('You have no customers yet.').waitFor();
  await page.getByTestId('no-months').getByText('what they cost each month stands here').waitFor();
  assert.equal(await page.getByTestId('months-chart').count(), 0, 'no axis without figures');
  assert.equal(await page.getByTestId('months-view').count(), 0);
  await page.getByTestId('step-customer').click();
  await page.waitForURL('**/customers/add');
});
