import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { axe, newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { freePort } from '../fixtures/free-port.ts';
import { setUp } from '../fixtures/set-up.ts';
import { accounts, signInContext } from '../fixtures/sign-in.ts';
import { openListeningPage } from '../fixtures/signed-in-page.ts';
import { inTime } from '../fixtures/wait.ts';

const chosen = 'Harbour-lantern-84';
let port: number;
let outbox: string;
setUp(async () => {
  port = await freePort();
  outbox = `http://127.0.0.1:${port}/outbox`;
});
const portal = withBrowserPortal(() => ({ ...unhurried, SANDBOX_PORT: String(port) }));

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

async function toPasswordStage(page: Page, username: string): Promise<void> {
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill(username);
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').waitFor();
}

/** Types a new password twice and presses the button. */
async function choose(page: Page, password: string, again = password): Promise<void> {
  await page.getByTestId('new-password').fill(password);
  await page.getByTestId('new-password-again').fill(again);
  await button(page, 'Change password').click();
}

test('a forgotten password: a link is asked for, mailed, followed once, and the new password signs in', async t => {
  const page = await newPage(t, portal.browser);
  await toPasswordStage(page, accounts.endUser);
  await page.getByTestId('forgot').click();
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor();
  const userName = page.getByTestId('user-name');
  assert.equal(await userName.inputValue(), accounts.endUser);
  await userName.fill('');
  await button(page, 'Send link').click();
  await page.getByText('Please enter your login name or email address!').waitFor();
  await userName.fill(accounts.endUser);
  await button(page, 'Send link').click();
  await page.getByText('Check your email').waitFor();
  await page.getByTestId('back-to-sign-in').and(page.locator(':focus')).waitFor();
  await axe(page);

  const mails = await (await fetch(outbox)).text();
  const link = /href="([^"]+\/change-password\/endUser\/user%40contoso\.test\/[^"]+)"/.exec(mails)?.[1] ?? '';
  assert.ok(link.startsWith(portal.url), link);
  await page.goto(link);
  const strength = page.getByTestId('strength');
  await strength.getByText('At least 10 characters').waitFor();
  await page.getByTestId('new-password').fill('Password1');
  await strength.getByText('Weak').first().waitFor();
  await axe(page);
  await page.getByTestId('new-password').fill(chosen);
  await strength.getByText('Strong').first().waitFor();
  assert.equal(await strength.getByRole('listitem').filter({ hasText: ', Met' }).count(), 3);
  assert.match((await strength.getByRole('status').textContent()) ?? '', /^Strength: Strong\.$/);
  await page.getByTestId('new-password').fill('');
  await strength.getByRole('listitem').filter({ hasText: ', Not met yet' }).nth(2).waitFor();

  await choose(page, 'Password1');
  await page.getByText('Must be harder to guess').waitFor();
  await choose(page, chosen, 'something else');
  await page.getByText('Must be the same as the new password').waitFor();
  await choose(page, chosen);
  await page.waitForURL('**/login?*');
  await page.getByText('Your password was changed. Sign in with the new one.').waitFor();
  assert.equal(await page.getByTestId('username').inputValue(), accounts.endUser);
  const cookies = (await page.context().cookies()).map(({ name }) => name);
  assert.ok(!cookies.includes('__Host-portal'));
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(chosen);
  await page.getByTestId('password').press('Enter');
  await page.waitForURL('**/end-user');

  const stranger = await newPage(t, portal.browser);
  await stranger.goto(link);
  await stranger.getByTestId('new-password').waitFor();
  await choose(stranger, 'Harbour-lantern-85');
  await stranger.getByText('This link has been used before, or is too old.').waitFor();
});

test('who must choose a new password does so after signing in, and is led back to the sign-in', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/change-password`);
  await page.waitForURL('**/login');
  const name = 'reset@northwind.test';
  await toPasswordStage(page, name);
  await page.getByTestId('password').fill(seedPassword);
  await page.getByTestId('password').press('Enter');
  await page.waitForURL('**/change-password?*');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor();
  assert.equal(await page.getByTestId('username').inputValue(), name);
  await page.getByTestId('existing-password').fill('wrong');
  await choose(page, chosen);
  await page.getByText('Current password was incorrect.').waitFor();
  await page.getByTestId('existing-password').and(page.locator(':focus')).waitFor();
  await page.getByTestId('existing-password').fill(seedPassword);
  await choose(page, chosen);
  await page.waitForURL('**/sign-in?*');
  await page.getByText('Your password was changed.').waitFor();
  await page.getByTestId('password').fill(chosen);
  await page.getByTestId('password').press('Enter');
  await page.waitForURL('**/customers');
});

test('who is signed in changes the password from the account menu and stays; every other browser is signed out', async t => {
  const other = await newPage(t, portal.browser);
  await signInContext(other.context(), portal.url, accounts.reseller);
  const own = await newPage(t, portal.browser);
  await signInContext(own.context(), portal.url, accounts.reseller);
  await openListeningPage(own, `${portal.url}/customers`);
  await openListeningPage(other, `${portal.url}/customers`);
  await own.getByTestId('menu-account').click();
  await own.getByTestId('change-password').click();
  await own.getByTestId('existing-password').fill(seedPassword);
  await own.getByTestId('new-password').fill(chosen);
  await own.getByTestId('strength').getByText('Strong').first().waitFor();
  const [before] = await own.context().cookies();
  const comesBack = inTime('The next socket', new Promise(resolve => own.once('websocket', resolve)));
  await choose(own, chosen);
  await own.getByText('Your password was changed.').waitFor();
  await own.getByRole('dialog').waitFor({ state: 'detached' });
  await other.waitForURL('**/login?return=*');
  const [after] = await own.context().cookies();
  assert.ok(before && after && before.value !== after.value);
  await comesBack;
  await own.getByTestId('nav-dashboard').click();
  await own.waitForURL('**/dashboard');
  await own.getByRole('heading', { level: 1 }).waitFor();
});
