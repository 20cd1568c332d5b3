import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();
const reseller = 'reseller@northwind.test';

const words = (page: Page) => page.getByTestId('palette-words');

/** Where the box stands that one types into, from the top of the window. */
const topOf = async (page: Page): Promise<number> => Math.round((await words(page).boundingBox())?.y ?? -1);

test('the palette finds customers, users and services by group, its box stays where it is, and a hit brings its actions', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await page.getByTestId('customers-table').waitFor();
  await page.keyboard.press('Control+k');
  await words(page).waitFor();
  await page.getByTestId('palette-dashboard').waitFor();
  const top = await topOf(page);
  await page.keyboard.type('contos');
  const group = (name: string) => page.getByRole('group', { name, exact: true });
  await group('Customers').getByRole('option', { name: 'Contoso' }).waitFor();
  await group('Actions').getByRole('option', { name: 'Add product to Contoso' }).waitFor();
  assert.equal(await topOf(page), top);
  await Promise.all([axe(page), hasTestIds(page)]);
  await words(page).fill('una marsh');
  await group('Users').getByRole('option', { name: 'Una Marsh' }).waitFor();
  assert.equal(await topOf(page), top);
  await words(page).fill('voice');
  await group('Services').getByRole('option', { name: 'Hosted Voice', exact: true }).waitFor();
  await words(page).fill('contoso');
  await page.getByRole('option', { name: 'Services of Contoso' }).click();
  await page.waitForURL('**/customers/customer/10001?tab=services');
});

test('while it searches it says so, and finds an invoice by its number and an administrator’s own people', async t => {
  const page = await openPageAs(t, portal, reseller, '/billing/invoices');
  const invoice = page.getByTestId('invoices-list').getByRole('rowheader').first();
  const number = (await invoice.innerText()).split('\n')[0] as string;
  await page.keyboard.press('Control+k');
  await page.route('**/ui/data/search.find*', async route => {
    await page.getByRole('status').getByText('Searching…').waitFor();
    assert.equal(await page.getByText('Nothing matches').count(), 0);
    await route.continue();
  });
  await words(page).fill(number);
  await page.getByRole('group', { name: 'Invoices' }).getByRole('option', { name: number }).click();
  await page.waitForURL(`**/invoice-detail/${number}`);

  const admin = await openPageAs(t, portal, 'admin@contoso.test', '/customers/customer/10001');
  await admin.getByRole('heading', { level: 1 }).waitFor();
  await admin.keyboard.press('Control+k');
  await words(admin).fill('una marsh');
  await admin.getByRole('group', { name: 'Users' }).getByRole('option', { name: 'Una Marsh' }).waitFor();
});

test('what was opened last is offered first, and the action of a hit is done by the keys alone', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await page.getByTestId('customers-table').waitFor();
  await page.keyboard.press('Control+k');
  await words(page).fill('dunmore');
  await page.getByTestId('palette-found-customers').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Dunmore Logistics' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'Dunmore Logistics' }).waitFor();
  await words(page).fill('dunmore');
  await page.getByRole('option', { name: 'Add product to Dunmore Logistics' }).waitFor();
  const options = await page.getByRole('option').allInnerTexts();
  const steps = options.findIndex(text => text.includes('Add product to Dunmore Logistics'));
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByTestId('popup-select-service').waitFor();
});

test('Ctrl+K that is pressed before the page’s own code is there is not lost', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await page.route('**/signed-in*.js', async route => {
    await page.keyboard.press('Control+k');
    await route.continue();
  });
  await page.goto(`${portal.url}/customers`);
  await words(page).waitFor();
});

test('a question mark lists the shortcuts, letters work on the rows, and can be switched off', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const links = page.getByTestId('customers-table').getByRole('rowheader').getByRole('link');
  const hasFocus = (index: number) => links.nth(index).and(page.locator(':focus')).waitFor();
  await links.first().waitFor();
  await page.keyboard.press('j');
  await hasFocus(0);
  await page.keyboard.press('j');
  await hasFocus(1);
  await page.keyboard.press('j');
  await hasFocus(2);
  await page.keyboard.press('k');
  await hasFocus(1);
  await page.keyboard.press('x');
  await page.getByTestId('customers-table-select-row').nth(1).and(page.locator(':checked')).waitFor();
  const toActions = page.getByTestId('customers-table-bulk').getByRole('button').first();
  await toActions.waitFor();
  await page.keyboard.press('a');
  await toActions.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('Next row').waitFor();
  await axe(page);
  await page.getByTestId('shortcuts-letters').uncheck();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await links.nth(1).focus();
  await page.keyboard.press('?');
  await page.keyboard.press('j');
  await page.keyboard.press('Control+k');
  await words(page).waitFor();
  assert.equal(await list.count(), 0);
});
