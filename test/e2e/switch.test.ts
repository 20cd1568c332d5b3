import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { axe, newPage, takePicture } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { signInAs, signInContext } from '../fixtures/sign-in.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const panel = '**/customers/customer/10001';
const portal = withBrowserPortal();

/** Types username and password of who may switch user, up to the question. */
async function atTheChoice(t: TestContext): Promise<Page> {
  const page = await newPage(t, portal.browser, { viewport: { width: 1440, height: 900 } });
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill('switcher@contoso.test');
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(seedPassword);
  await page.getByTestId('password').press('Enter');
  await page.getByRole('dialog', { name: 'Select portal' }).waitFor();
  return page;
}

/** The address of a jump, as the script prints it. */
async function printJump(as: string): Promise<string> {
  const args = ['--import', 'tsx', 'scripts/sandbox-jump.ts', '--as', as];
  const env = { ...process.env, DATA_DIR: join(portal.schemas, '../data'), PUBLIC_URL: portal.url };
  return (await promisify(execFile)(process.execPath, args, { env, timeout: 60_000 })).stdout.trim();
}

const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.SCREENSHOTS === '1') await takePicture(page, name);
};

test('who may switch user chooses a portal, goes to the mailbox and back; the other tab follows', async t => {
  const page = await atTheChoice(t);
  const dialog = page.getByRole('dialog', { name: 'Select portal' });
  await page.keyboard.press('Escape');
  await dialog.waitFor();
  assert.equal(await dialog.getByRole('radio', { name: 'Admin control panel' }).isChecked(), true);
  assert.equal(await dialog.getByRole('radio', { name: 'Master control panel' }).count(), 0);
  await axe(page);
  await picture(page, 'switch-user-popup');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(panel);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByTestId('latest-activity').waitFor();

  await page.getByTestId('menu-account').click();
  await page.getByTestId('switch-user').click();
  const question = page.getByRole('alertdialog');
  await question.getByText('You are in the admin control panel. Switch to the mailbox control panel?').waitFor();
  await question.getByRole('button', { name: 'Stay here' }).click();
  await page.getByTestId('menu-account').click();
  await page.getByTestId('switch-user').click();
  await question.getByRole('button', { name: 'Switch' }).click();
  await page.waitForURL('**/end-user');
  await page.getByTestId('switched').waitFor();
  await page.getByTestId('mailbox').getByText('switcher@contoso.test').waitFor();
  await axe(page);
  await picture(page, 'switched');
  // Its own page is none of an end user's, who is led to their own.
  await other.waitForURL('**/end-user');

  await page.getByTestId('switch-back-now').click();
  await question.getByText('Switch back to the admin control panel?').waitFor();
  await question.getByRole('button', { name: 'Switch' }).click();
  await page.waitForURL(panel);
  await page.getByTestId('latest-activity').waitFor();
  assert.equal(await page.getByTestId('switched').count(), 0);
});

test('the confirmation page asks as the menu does, leads back, and switches there and back', async t => {
  const page = await atTheChoice(t);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(panel);
  const confirmation = `${portal.url}/switch-mailbox-confirmation`;
  await page.goto(confirmation);
  await page.getByText('You are in the admin control panel. Switch to the mailbox control panel?').waitFor();
  await picture(page, 'switch-confirmation');
  await page.getByTestId('stay').click();
  await page.waitForURL(panel);
  await page.goto(confirmation);
  await page.getByTestId('confirm-go').click();
  await page.waitForURL('**/end-user');
  await page.getByTestId('activity').click();
  await page.getByText('Nothing has happened yet').waitFor();
  await picture(page, 'no-activity');
  await page.goto(confirmation);
  await page.getByText('Switch back to the admin control panel?').waitFor();
  await page.getByTestId('confirm-switch-back').click();
  await page.waitForURL(panel);
});

test('a jump is made by a press, says all the while who is who, and signs out to the login page', async t => {
  const page = await newPage(t, portal.browser, { viewport: { width: 390, height: 844 } });
  await page.goto(await printJump('admin@contoso.test'));
  await page.getByTestId('jump').waitFor();
  await picture(page, 'jump');
  await page.getByTestId('jump').click();
  await page.waitForURL(panel);
  await page.getByText('You are signed in as Ada Whitfield by reseller@northwind.test.').waitFor();
  await axe(page);
  await picture(page, 'jumped-390');
  await page.setViewportSize({ width: 1440, height: 900 });
  await picture(page, 'jumped-1440');
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.waitForURL('**/login');
  await page.goto(await printJump('user@contoso.test').then(link => link.replace(/cmtoken=./, 'cmtoken=_')));
  await page.getByTestId('jump').click();
  await page.getByText('This link has been used or is too old.').waitFor();
  await page.getByTestId('back-to-login').click();
  await page.waitForURL('**/login');
});

test('the address of a jump that lacks a part says so, offers nothing to press and leads back to the sign-in', async t => {
  const page = await newPage(t, portal.browser);
  for (const query of ['', '?adminid=1', '?cmtoken=none', '?cmtoken=&adminid=1']) {
    await page.goto(`${portal.url}/jump${query}`);
    await page.getByTestId('jump-incomplete').getByText('This link is incomplete').waitFor();
    assert.equal(await page.getByTestId('jump').count(), 0, query);
  }
  await page.getByTestId('back-to-login').click();
  await page.waitForURL('**/login');
});

test('signing out asks first while a new customer is typed', async t => {
  const page = await newPage(t, portal.browser, { viewport: { width: 1440, height: 900 } });
  await signInContext(page.context(), portal.url, 'reseller@northwind.test');
  await page.goto(`${portal.url}/customers/add`);
  await page.getByTestId('customer-name').fill('Half a customer');
  const signOut = async () => {
    await page.getByTestId('menu-account').click();
    await page.getByTestId('sign-out').click();
  };
  await signOut();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button').first().click();
  assert.equal(await page.getByTestId('customer-name').inputValue(), 'Half a customer');
  await signOut();
  await question.getByRole('button').last().click();
  await page.waitForURL('**/login');
});

test('quick links are chosen where signing out always asks, and stand on the dashboard', async t => {
  const page = await openPageAs(t, portal, 'rival@southridge.test', '/dashboard');
  await page.getByTestId('quick-add-customer').waitFor();
  await page.getByTestId('configure-quick-links').click();
  await page.getByTestId('quick-links-form').waitFor();
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.getByText('What you have begun on this page is not saved.').waitFor();
  await page.getByTestId('question-no').click();
  await page.getByTestId('choose-add-customer').uncheck();
  await page.getByTestId('profile').check();
  await page.getByTestId('quick-links-form-submit').click();
  await page.waitForURL('**/dashboard');
  await page.getByTestId('quick-profile').waitFor();
  assert.equal(await page.getByTestId('quick-add-customer').count(), 0);
});

test('a reseller who must sign sees the agreement, wherever they go, and can only sign it or sign out', async t => {
  const page = await newPage(t, portal.browser, { viewport: { width: 1440, height: 900 } });
  await signInAs(page, portal.url, 'mustsign@northwind.test');
  await page.waitForURL('**/account-setting/terms-conditions/0/true/true');
  await page.getByRole('heading', { level: 1, name: 'Reseller agreement' }).waitFor();
  await page.goto(`${portal.url}/customers`);
  await page.getByTestId('signatory').waitFor();
  assert.match(page.url(), /terms-conditions\/0\/true\/true$/);
  await picture(page, 'must-sign');
  await page.getByTestId('signatory').fill('');
  await page.getByTestId('sign-agreement-form').getByRole('button', { name: 'Sign' }).click();
  await page.getByText('Your full name is required').waitFor();
  await page.getByTestId('menu-account').click();
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Sign out']);
});
