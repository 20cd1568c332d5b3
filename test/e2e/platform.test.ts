import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { resellerRights, seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { axe, newPage, takePicture } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const dashboard = 'https://single.fernhill.test/dashboard';
const sandbox = withSandbox();
const portal = withBrowserPortal(() => ({
  ...unhurried,
  CLOUD_API_URL: sandbox.url,
  SINGLE_EXPERIENCE_URL: dashboard,
}));

const inDark = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

/** The entries of the open menu, each with where it leads outside. */
const entriesOf = (page: Page) =>
  page
    .getByRole('menuitem')
    .evaluateAll(found =>
      found.map(one => [one.getAttribute('data-testid'), one.getAttribute('target') && one.getAttribute('href')]),
    );

async function picture(page: Page, name: string): Promise<void> {
  await axe(page);
  if (process.env.SCREENSHOTS === '1') await takePicture(page, name);
}

async function openMenu(page: Page, testId: string): Promise<void> {
  await page.getByTestId(testId).click();
  await page.getByRole('menuitem').first().waitFor();
}

/** On a phone these entries stand in the sheet of the main menu. */
async function openDrawer(page: Page): Promise<void> {
  await page.getByTestId('open-drawer').click();
  assert.equal(await page.getByTestId('platform').isVisible(), false);
}

/** Lets somebody of a reseller have a mailbox of their own and the right to switch to it. */
async function giveMailbox(username: string): Promise<void> {
  const user = await sandbox.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'switcher@contoso.test')
    .executeTakeFirstOrThrow();
  const { id } = await sandbox.db
    .updateTable('accounts')
    .set({ user_id: user.id })
    .where('username', '=', username)
    .returning('id')
    .executeTakeFirstOrThrow();
  await sandbox.db
    .updateTable('account_permissions')
    .set({ permissions: [...resellerRights.permissions, 'hostedExchange'] })
    .where('account_id', '=', id)
    .execute();
}

const openAs = (t: TestContext, username: string, path: string, options = {}) =>
  openPageAs(t, portal, username, path, options);

test('a menu beside the logo leads to the portals that the account is linked to, each in a tab of its own', async t => {
  const page = await openAs(t, 'reseller@northwind.test', '/customers');
  await openMenu(page, 'platform');
  const linked = [
    ['comms', 'https://comms.fernhill.test'],
    ['hardware', 'https://hardware.fernhill.test'],
  ];
  assert.deepEqual(await entriesOf(page), linked);
  await picture(page, 'systems-1440');

  const phone = await openAs(t, 'reseller@northwind.test', '/customers', inDark);
  await openDrawer(phone);
  for (const [name, address] of linked)
    assert.equal(await phone.getByTestId(`drawer-${name}`).getAttribute('href'), address);
  await picture(phone, 'systems-390-dark');

  // "Hidden for end-user admins" (document 1, section 2.6).
  const administrator = await openAs(t, 'admin@contoso.test', '/customers/customer/10001');
  await administrator.getByTestId('nav-provision').waitFor();
  assert.equal(await administrator.getByTestId('platform').count(), 0);
});

test('who has single experience finds the dashboard, the portals and the mailbox beside the logo', async t => {
  const username = 'single@northwind.test';
  await giveMailbox(username);
  let page = await newPage(t, portal.browser, {
    viewport: { width: 1440, height: 900 },
    allow: [/single\.fernhill\.test/],
  });
  /** Leaves for the dashboard, whose address is nobody's here, and comes back by another tab. */
  const leaveAndReturn = async (press: () => Promise<void>) => {
    await Promise.all([page.waitForRequest(dashboard), press()]);
    const other = await page.context().newPage();
    await page.close();
    page = other;
    await page.goto(`${portal.url}/customers`);
  };
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill(username);
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(seedPassword);
  await page.getByTestId('password').press('Enter');
  const choice = () => page.getByRole('dialog', { name: 'Select portal' });
  const goOn = () => choice().getByRole('button', { name: 'Continue' }).click();
  await leaveAndReturn(goOn);
  await openMenu(page, 'platform');
  assert.deepEqual(
    (await entriesOf(page)).map(([name]) => name),
    ['single-dashboard', 'comms', 'hardware', 'to-mailbox'],
  );
  await picture(page, 'platform-1440');
  await page.getByTestId('to-mailbox').click();
  await choice().waitFor();
  await picture(page, 'platform-choice');
  // It cannot be left without a choice; who chooses the panel stays where they are.
  await page.keyboard.press('Escape');
  await goOn();
  await choice().waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).pathname, '/customers');
  await openMenu(page, 'platform');
  await leaveAndReturn(() => page.getByTestId('single-dashboard').click());

  await page.setViewportSize(inDark.viewport);
  await page.emulateMedia({ colorScheme: 'dark' });
  await openDrawer(page);
  await picture(page, 'platform-390-dark');
  await page.getByTestId('drawer-to-mailbox').click();
  await page.getByRole('radio', { name: 'Mailbox control panel' }).check();
  await goOn();
  await page.waitForURL('**/end-user');
  await page.getByTestId('switched').waitFor();
  assert.equal(await page.getByTestId('platform').count(), 0);
});
