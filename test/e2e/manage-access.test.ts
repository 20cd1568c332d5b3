import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { freePort } from '../fixtures/free-port.ts';
import { inspect } from '../fixtures/inspect.ts';
import { setUp } from '../fixtures/set-up.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { openListeningPage, openListeningPageAs } from '../fixtures/signed-in-page.ts';

let port: number;
setUp(async () => {
  port = await freePort();
});
const portal = withBrowserPortal(() => ({ ...unhurried, SANDBOX_PORT: String(port) }));

/** Goes through both steps of the sign-in, whose user name is filled in. */
async function signIn(page: Page): Promise<void> {
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill('Harbour-lantern-84');
  await page.getByTestId('password').press('Enter');
}

test('from a phone an engineer is invited to two customers, sees these alone, loses prices and a role while a page is open, and is signed out at once when disabled', async t => {
  const page = await openListeningPageAs(t, portal, accounts.reseller, '/dashboard');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByTestId('menu-account').click();
  await page.getByTestId('manage-users').click();
  await page.getByTestId('add-engineer').click();
  await page.getByTestId('engineer-name').fill('Leo Marsh');
  await page.getByTestId('email').fill('leo@northwind.test');
  await page.getByLabel('Certain customers').check();
  const ticks = page.getByTestId('limit-customers');
  for (const name of ['Contoso', 'Ashdown']) {
    await ticks.getByRole('searchbox').fill(name);
    await ticks.getByRole('checkbox', { name }).first().check();
  }
  await ticks.getByText('2 customers ticked').waitFor();
  await inspect(page, 'invite-engineer');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('They see 2 of 40 customers.').waitFor();
  await page.getByRole('button', { name: 'Send invitation', exact: true }).click();
  await page.waitForURL('**/manage-access/leo%40northwind.test');
  await page.getByRole('heading', { level: 1, name: 'Leo Marsh' }).waitFor();
  await page.getByText('Invited', { exact: true }).first().waitFor();
  await axe(page);

  await page.getByTestId('change-limit').click();
  await page.getByText('Sees 2 of 40 customers now.').waitFor();
  await page.getByLabel('Word in the name').fill('dental');
  await axe(page);
  await page.getByTestId('customer-limit-form').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/^Now: 2 customers\. Then: \d+ of 40\./).waitFor();
  await page.getByTestId('question-no').click();
  await page.getByTestId('customer-limit-form').getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByTestId('limit-facts').getByText('Certain customers').waitFor();

  const mails = await (await fetch(`http://127.0.0.1:${port}/outbox`)).text();
  const link = /href="([^"]+\/accept-invitation\/[^"]+)"/.exec(mails)?.[1] ?? '';
  const invited = await newPage(t, portal.browser);
  await invited.goto(link);
  await invited.getByRole('heading', { level: 1, name: 'Welcome: choose your password' }).waitFor();
  await invited.getByTestId('new-password').fill('Harbour-lantern-84');
  await invited.getByTestId('new-password-again').fill('Harbour-lantern-84');
  await invited.getByRole('button', { name: 'Choose password', exact: true }).click();
  await invited.waitForURL('**/login?*');
  await signIn(invited);
  await invited.waitForURL('**/customers');
  await invited.getByTestId('customers-table').waitFor();
  await invited.getByText('Contoso', { exact: true }).first().waitFor();
  assert.equal(await invited.getByTestId('customers-table').locator('tbody tr').count(), 2);

  const spend = invited.getByRole('columnheader', { name: 'Per month' });
  await spend.waitFor({ state: 'detached' });
  await openListeningPage(invited, `${portal.url}/customers`);
  await page.goto(`${portal.url}/account-setting/display-settings`);
  const row = page.getByRole('row', { name: /Leo Marsh/ });
  for (const [verb, state] of [
    ['show', 'attached'],
    ['hide', 'detached'],
  ] as const) {
    await row.getByRole('button').click();
    await page.getByTestId(`row-${verb}-prices`).click();
    await page.getByTestId('question-yes').click();
    await spend.waitFor({ state });
  }

  await page.goto(`${portal.url}/account-setting/manage-access/leo@northwind.test/rolesEditor`);
  await page.getByTestId('given-table').getByRole('row', { name: 'Engineer' }).getByRole('button').click();
  await page.getByTestId('take-role').click();
  await page.getByRole('button', { name: 'Take the role away' }).click();
  await invited.getByTestId('customers-table').waitFor({ state: 'detached' });

  await page.goto(`${portal.url}/account-setting/manage-access/leo@northwind.test`);
  await page.getByTestId('person-more').click();
  await page.getByTestId('disable-person').click();
  await page.getByTestId('question-yes').click();
  await page.getByText('Leo Marsh was disabled and signed out everywhere.').waitFor();
  await page.getByText('Disabled', { exact: true }).first().waitFor();
  await invited.waitForURL('**/login?*');
  await invited.getByTestId('username').fill('leo@northwind.test');
  await signIn(invited);
  await invited.getByText('The username or password is wrong.').waitFor();
});
