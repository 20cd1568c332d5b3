import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPage } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs, openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withPortalBefore(withSandbox());
const person = (name: string) => `/account-setting/manage-access/${encodeURIComponent(name)}`;

test('somebody leaves in one press, is signed out at once, and is back as before in another', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', person('engineer@northwind.test'));
  const theirs = await openListeningPageAs(t, portal, 'engineer@northwind.test', '/customers');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByTestId('person-more').click();
  await page.getByTestId('leave-person').click();
  const popup = page.getByRole('dialog', { name: 'Ewan Fraser leaves' });
  await popup.getByText('They are suspended at once and cannot sign in any more.').waitFor();
  await popup.getByText(/open sign-ins? ends? at once/).waitFor();
  await popup.getByText(/Roles: Engineer\./).waitFor();
  await popup.getByTestId('take-roles').check();
  await popup.getByRole('button', { name: 'Let leave', exact: true }).click();
  await page.getByText('Ewan Fraser has left, and is signed out everywhere.').waitFor();
  await theirs.waitForURL('**/login?*');
  await page.getByText('Disabled', { exact: true }).first().waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  await page.getByTestId('undo-leaving').click();
  await page.getByTestId('question-yes').click();
  await page.getByText('Ewan Fraser is back, as before.').waitFor();
  await page.getByTestId('person-facts').getByText('Engineer', { exact: true }).first().waitFor();
  await page.getByTestId('has-left').waitFor({ state: 'detached' });
});

test('a sign-in name is changed, and the new one lets its owner in', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', person('link@northwind.test'));
  await page.getByTestId('person-more').click();
  await page.getByTestId('rename-person').click();
  await page.getByTestId('new-sign-in-name').fill('engineer@northwind.test');
  const change = page.getByRole('button', { name: 'Change name', exact: true });
  await change.click();
  await page.getByText('Somebody signs in with this name already.').waitFor();
  await page.getByTestId('new-sign-in-name').fill('lina.keane@northwind.test');
  await change.click();
  await page.waitForURL('**/manage-access/lina.keane%40northwind.test');
  await page.getByTestId('person-facts').getByText('lina.keane@northwind.test').waitFor();
  const theirs = await newPage(t, portal.browser);
  await theirs.goto(`${portal.url}/login`);
  await theirs.getByTestId('username').fill('lina.keane@northwind.test');
  await theirs.getByTestId('username').press('Enter');
  await theirs.getByTestId('password').fill('Demo-portal-2026');
  await theirs.getByTestId('password').press('Enter');
  await theirs.waitForURL('**/customers');
});
