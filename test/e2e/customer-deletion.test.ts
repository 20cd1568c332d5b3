import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';
const portal = withBrowserPortal();

const popup = (page: Page) => page.getByRole('dialog');
const confirmation = (page: Page) => popup(page).getByTestId('confirmation');

async function openFromCustomer(page: Page): Promise<void> {
  await page.getByTestId('customer-more').press('Enter');
  await page.getByRole('menuitem', { name: 'Delete customer' }).press('Enter');
  await popup(page).waitFor();
}

test('a customer that holds nothing is deleted by keyboard: the safe button first, then its name, the list and a toast', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const name = uniqueName('Leaving');
  const id = await addCustomer(page, portal.url, name);
  await openFromCustomer(page);
  await page.getByRole('dialog', { name: `Delete ${name}?` }).waitFor();
  await popup(page).getByText('This cannot be undone.').waitFor();
  const buttons = await popup(page).locator('.form__actions button').allTextContents();
  assert.deepEqual(buttons, ['Cancel', 'Delete customer']);
  await popup(page).getByRole('button', { name: 'Cancel' }).press('Enter');
  await popup(page).waitFor({ state: 'hidden' });
  await page.getByRole('heading', { level: 1, name }).waitFor();

  await openFromCustomer(page);
  await confirmation(page).fill(`${name}x`);
  await confirmation(page).press('Enter');
  await popup(page).getByText(`Must be "${name}"`).first().waitFor();
  await confirmation(page).fill(name);
  await confirmation(page).press('Enter');
  await page.waitForURL('**/customers');
  await page.getByText(`${name} was deleted.`).waitFor();
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  await page.getByText('No customers match').waitFor();
  await page.goto(`${portal.url}/customers/customer/${id}`);
  await page.getByText('Page not found').first().waitFor();
});

test('a customer of the list is deleted at its row, and the list stays where it was', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const name = uniqueName('Listed');
  await addCustomer(page, portal.url, name);
  const at = `/customers?search=${encodeURIComponent(name)}`;
  await page.goto(portal.url + at);
  await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete customer' }).press('Enter');
  await confirmation(page).fill(name);
  await popup(page).getByRole('button', { name: 'Delete customer' }).press('Enter');
  await page.getByText(`${name} was deleted.`).waitFor();
  await page.getByText('No customers match').waitFor();
  assert.equal(new URL(page.url()).searchParams.get('search'), name);
});

test('what keeps a customer is told line by line, each leads to the thing, and nothing can be deleted', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001');
  await openFromCustomer(page);
  await popup(page).getByText('This customer cannot be deleted yet.').waitFor();
  assert.equal(await confirmation(page).count(), 0);
  await popup(page)
    .getByRole('link', { name: /^\d+ users have a mailbox$/ })
    .waitFor();
  await popup(page)
    .getByRole('link', { name: /^\d+ services are active$/ })
    .press('Enter');
  await page.waitForURL('**/customers/customer/10001?tab=services&servicesStatus=Active');
  await popup(page).waitFor({ state: 'hidden' });
  await page.getByTestId('services-table').waitFor();
});

test('the question of a deletion fits a phone and both themes', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await addCustomer(page, portal.url, uniqueName('Phone'));
  await openFromCustomer(page);
  await confirmation(page).waitFor();
  await inspect(page, 'delete-customer');
});

test('a service that is ordered while the question is open is shown in its place', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const id = await addCustomer(page, portal.url, uniqueName('Racing'));
  await openFromCustomer(page);
  await confirmation(page).waitFor();
  const other = await openPageAs(t, portal, reseller, `/customers/customer/${id}/add-service/share-point`);
  await other.getByTestId('order-details-submit').click();
  await other.getByTestId('order-check-submit').click();
  await popup(page)
    .getByRole('link', { name: /^1 service / })
    .waitFor();
  assert.equal(await confirmation(page).count(), 0);
});

test('what comes between the check and the press is refused by the cloud, in words, and nothing is deleted', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001', { allow: [/409/] });
  // What the check said before the services were ordered.
  await page.route('**/ui/data/customers.canDelete*', route =>
    route.fulfill({ json: { Succeed: true, Result: { CanDelete: true, Users: 0, Reasons: [] } } }),
  );
  await openFromCustomer(page);
  await confirmation(page).fill('Contoso');
  await confirmation(page).press('Enter');
  await popup(page)
    .getByText(/Contoso cannot be deleted: \d+ services are active/)
    .waitFor();
  assert.equal(await confirmation(page).inputValue(), 'Contoso');
  await page.goto(`${portal.url}/customers/customer/10001`);
  await page.getByRole('heading', { level: 1, name: 'Contoso' }).waitFor();
});

test('whoever may not edit customers has no way to delete one', async t => {
  const page = await openPageAs(t, portal, 'engineer@northwind.test', '/customers/customer/10001');
  await page.getByTestId('customer-tabs').waitFor();
  assert.equal(await page.getByText('Delete customer').count(), 0);
  const reply = await page.evaluate(async () => (await fetch('/ui/data/customers.canDelete?customerId=10001')).status);
  assert.equal(reply, 403);
});
