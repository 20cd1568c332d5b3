import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

test('what happened everywhere is found from the menu, narrowed by whom and what, kept in the address, and opens at its customer', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/dashboard');
  await page.getByTestId('menu-account').click();
  await page.getByRole('menuitem', { name: 'Activity' }).click();
  const table = page.getByTestId('activity-table');
  await table.getByRole('row').nth(10).waitFor();
  await page.getByRole('tab', { name: 'Failed' }).click();
  await page.waitForURL('**/activity?show=Failed');
  await table.getByText('Service activation failed').first().waitFor();
  await page.getByLabel('What', { exact: true }).selectOption('Service deletion failed');
  await table.getByText('Service activation failed').first().waitFor({ state: 'detached' });
  await page.reload();
  const customer = table.getByRole('row').nth(1).getByRole('link');
  const name = await customer.innerText();
  await customer.click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByTestId('activity-timeline').getByText('Service deletion failed').first().waitFor();
  await page.goBack();
  await page.getByLabel('Search what happened').fill('nothing of this kind');
  await page.getByText('Nothing like that has happened').waitFor();
  assert.match(page.url(), /action=Service/);
});
