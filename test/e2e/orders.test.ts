import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const reseller = 'reseller@northwind.test';
const contoso = '/customers/customer/10001';
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

test('an order that cannot be placed says why in place of its form, and leads to what is held and to the customer', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}/add-service/hosted-exchange`);
  await heading(page, 'Add Hosted Exchange for Contoso').waitFor();
  const refused = page.getByTestId('order-refused');
  await refused.getByText('Hosted Exchange has already been added.').waitFor();
  assert.equal(await page.getByTestId('order').count(), 0);
  await page.getByTestId('to-service').click();
  await heading(page, 'Hosted Exchange for Contoso').waitFor();
  await page.goBack();
  await page.getByTestId('to-customer').click();
  await heading(page, 'Contoso').waitFor();

  await page.goto(`${portal.url}/customers/customer/10008/add-service/share-point`);
  await refused.getByText('This customer is suspended.').waitFor();
  assert.equal(await page.getByTestId('order').count(), 0);
});

test('an order keeps what is typed: cancel does not ask, Back goes one step back, and no step is left behind it', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add');
  const name = uniqueName('Cancel');
  const customer = await addCustomer(page, portal.url, name);
  const order = `${portal.url}/customers/customer/${customer}/add-service/share-point`;
  const domain = page.getByTestId('order-details-Domain');
  await page.goto(order);
  await page.getByTestId('cancel-order').click();
  await heading(page, name).waitFor();
  await page.goBack();
  await domain.fill('cancel.test');
  await page.waitForResponse(reply => reply.url().includes('order-add.step') && reply.ok());
  await page.getByTestId('cancel-order').click();
  await heading(page, name).waitFor();

  await page.goto(order);
  await page.getByText(/^What you typed on .+ is here again/).waitFor();
  assert.equal(await domain.inputValue(), 'cancel.test');
  await page.getByTestId('order-details-submit').click();
  await page.getByTestId('order-check-submit').waitFor();
  await page.goBack();
  assert.equal(await domain.inputValue(), 'cancel.test');
  await page.goForward();
  await page.getByTestId('order-check-submit').waitFor();
  await page.getByTestId('order-check-cancel').click();
  assert.equal(await domain.inputValue(), 'cancel.test');
  await page.getByTestId('order-details-submit').click();
  await page.getByTestId('order-check-submit').click();
  await page.getByText(/^Order \S+ was placed$/).waitFor();
  await page.waitForURL('**/services/*');
  await page.goBack();
  await heading(page, name).waitFor();
});

test('cancel leads from a change to its service', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}/services/30001`);
  await page.getByTestId('modify-service').click();
  await heading(page, 'Change Hosted Exchange for Contoso').waitFor();
  await page.getByTestId('cancel-change').click();
  await heading(page, 'Hosted Exchange for Contoso').waitFor();
});

test('a new customer made on the way is what the product is added for', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const name = uniqueName('Onward');
  await page.getByTestId('menu-new').click();
  await page.getByTestId('new-product').click();
  await page.getByTestId('product-first-1-1').click();
  await page.getByRole('combobox', { name: 'Select or add a customer' }).fill(name);
  await page.getByTestId('add-new-customer').click();
  assert.equal(await page.getByTestId('customer-name').inputValue(), name);
  await page.getByTestId('customer-domain').fill('onward.test');
  await page.getByTestId('contact-name').fill('Ona Ward');
  await page.getByTestId('contact-email').fill('ona@onward.test');
  await page.getByTestId('add-customer-first-form-submit').click();
  await heading(page, `Add Hosted Exchange for ${name}`).waitFor();
  // The form of the customer is behind: going back leads to the customer.
  await page.goBack();
  await heading(page, name).waitFor();
});

test('the customers with a product say which product, and a service of another customer is not found', async t => {
  const page = await openPageAs(t, portal, reseller, '/services/17/1');
  await heading(page, 'Customers with Mail Signatures').waitFor();
  for (const address of ['/services/999/1', '/customers/customer/10012/services/30001']) {
    await page.goto(portal.url + address);
    await page.waitForURL('**/not-found');
  }
});
