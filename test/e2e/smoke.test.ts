import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { accounts, signInAs } from '../fixtures/sign-in.ts';

const portal = withBrowserPortal();

test('a reseller signs in, finds a customer and signs out', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(portal.url);
  await page.waitForURL('**/login**');

  await signInAs(page, portal.url, accounts.reseller);
  await page.goto(`${portal.url}/customers`);
  const table = page.getByRole('table');
  await table.getByRole('row').nth(1).waitFor();

  const name = (await table.getByRole('rowheader').first().getByRole('link').textContent()) ?? '';
  await page.getByRole('searchbox').first().fill(name);
  await page.waitForURL(address => address.searchParams.get('search') === name);
  await table.getByRole('link', { name }).first().click();
  await page.waitForURL('**/customers/customer/**');
  assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), name);
});
