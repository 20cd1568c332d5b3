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

/** Orders a product for a customer, lets it become what it will, and opens the page of the service. */
async function openService(
  t: Parameters<typeof openListeningPageAs>[0],
  customer: string,
  order: object,
): Promise<Page> {
  const token = await cloud.signIn(reseller);
  const body = { CustomerId: customer, Action: 'Add', Quantity: 2, TermId: 'annual', BillingId: 'monthly', ...order };
  const placed = await cloud.call(token, 'POST', '/api/orders', body, { 'idempotency-key': randomUUID() });
  assert.ok(placed.body.Succeed, JSON.stringify(placed.body));
  await cloud.tickOnce();
  const path = `/customers/customer/${customer}/services/${placed.body.Result.InstanceId}`;
  return openListeningPageAs(t, portal, reseller, path);
}

test('an upgrade asks what it leads to, then what that asks, and is placed for the customer', async t => {
  const fields = { Domain: 'upward.test', AdminEmail: 'ada@upward.test' };
  const page = await openService(t, '10007', { ServiceId: 8, SubId: 1, Fields: fields });
  await page.getByTestId('upgrade-service').click();
  const product = page.getByTestId('order-product-Product');
  await product.waitFor();
  const name = (await product.locator('option:checked').textContent()) ?? '';
  assert.ok(name.length > 0, 'the first product is chosen');
  await Promise.all([axe(page), hasTestIds(page)]);
  await page.getByTestId('order-product-submit').click();
  await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
  const quantity = page.getByTestId('order-details-Quantity');
  assert.equal(await quantity.inputValue(), '2', 'it begins with what the service has');
  await quantity.fill('4');
  await page.getByTestId('order-details-submit').click();
  const check = page.getByTestId('order-check');
  await check.getByText('Cancel free until').waitFor();
  await check.getByText('upward.test', { exact: true }).waitFor();
  await axe(page);
  // What was typed is there again when one comes back to it.
  await page.getByTestId('order-check-cancel').click();
  assert.equal(await quantity.inputValue(), '4');
  await page.getByTestId('order-details-cancel').click();
  await page.getByTestId('order-product-submit').click();
  assert.equal(await quantity.inputValue(), '4');
  await page.getByTestId('order-details-submit').click();
  await page.getByTestId('order-check-submit').click();
  await page.getByText(/Order ORD-\d+ was placed/).waitFor();
  await page.getByTestId('instance-status').getByText('Activating').waitFor();
});

test('what an order named wrongly is put right where it failed, and tried again', async t => {
  const order = { ServiceId: 2, SubId: 1, TermId: 'monthly', Fields: { Domain: 'fail.test' } };
  const page = await openService(t, '10006', order);
  const status = page.getByTestId('instance-status');
  await status.getByText('Activation failed').waitFor();
  const domain = page.getByTestId('order-mend-Domain');
  assert.equal(await domain.inputValue(), 'fail.test');
  await domain.fill('no domain');
  await page.getByTestId('order-mend-submit').click();
  await page
    .getByTestId('order')
    .getByText(/domain/i)
    .last()
    .waitFor();
  await domain.fill('contoso.test');
  await page.getByTestId('order-mend-submit').click();
  await status.getByText('Activating').waitFor();
  await cloud.tickOnce();
  await status.getByText('Active', { exact: true }).waitFor();
});
