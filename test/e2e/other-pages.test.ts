import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspect, inspectPages } from '../fixtures/inspect.ts';
import { inspectedPages } from '../fixtures/inspected-pages.ts';
import { publicPages } from '../fixtures/public-pages.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

for (const [username, places] of Object.entries(inspectedPages.others!)) {
  test(`the pages of ${username} are accessible and fit, light and dark, wide and on a phone`, t =>
    inspectPages(t, portal, username, places));
}

for (const { name, path, ready } of publicPages) {
  test(`the page ${name} is accessible and fits, light and dark, wide and on a phone`, async t => {
    const page = await newPage(t, portal.browser);
    await page.goto(portal.url + path);
    await page.getByTestId(ready).waitFor();
    await inspect(page, name);
  });
}

test('errors of a form are accessible', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers/add');
  await page.getByTestId('customer-name').fill('🚀');
  await page.getByTestId('add-customer-form').getByRole('button', { name: 'Add customer' }).click();
  await page.getByText('The customer name has invalid characters.').waitFor();
  await inspect(page, 'add-customer-errors');
});

test('the page sign-in is accessible and fits, light and dark, wide and on a phone', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill('reseller@northwind.test');
  await page.keyboard.press('Enter');
  await page.getByTestId('password').waitFor();
  await inspect(page, 'sign-in');
});

test('the page switch-mailbox-confirmation is accessible and fits, light and dark, wide and on a phone', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill('switcher@contoso.test');
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(seedPassword);
  await page.getByTestId('password').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/customers/customer/10001');
  await page.goto(`${portal.url}/switch-mailbox-confirmation`);
  await page.getByTestId('switch-confirmation').waitFor();
  await inspect(page, 'switch-confirmation');
});
