import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { axe, newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { firstServerMessage } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

/** Types a username into the portal, and a password into the page of the provider that it leads to. */
async function signOn(t: TestContext, username: string, query = ''): Promise<Page> {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/login${query}`);
  await page.getByTestId('username').fill(username);
  await page.getByTestId('username').press('Enter');
  await page.getByRole('heading', { name: 'Fernhill sign-in' }).waitFor();
  await page.getByLabel('Password').and(page.locator(':focus')).fill(seedPassword);
  return page;
}

test('single sign-on leads by the provider to the address that was asked for, and signing out signs out there too', async t => {
  const page = await signOn(t, 'sso@northwind.test', '?return=%2Fcustomers%3Fstatus%3DActive');
  await axe(page);
  await page.getByLabel('Password').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The email address or password is wrong.').waitFor();
  await page.getByLabel('Password').fill(seedPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/customers?status=Active');
  await page.getByTestId('customers-table').getByRole('rowheader').first().waitFor();

  const told: Promise<string>[] = [];
  page.on('request', request => told.push(Promise.resolve(`${request.url()} ${request.postData() ?? ''}`)));
  page.on('response', async response => {
    told.push(response.allHeaders().then(JSON.stringify));
    told.push(response.text().catch(() => ''));
  });
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.getByRole('heading', { name: 'Sign out of Fernhill sign-in' }).waitFor();
  await axe(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  const bytes = (await Promise.all(told)).join('\n');
  assert.match(bytes, /\/session\/end\?[\s\S]*Sign out of Fernhill sign-in/);
  assert.doesNotMatch(bytes, /eyJ[\w-]+\.|id_token/);
  await page.getByTestId('username').fill('sso@northwind.test');
  await page.getByTestId('username').press('Enter');
  await page.getByLabel('Password').waitFor();
});

test('who belongs to no organisation is told so over the sign-in, and tries another account', async t => {
  const page = await signOn(t, 'sso-none@northwind.test');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your account isn’t linked to an organisation' });
  await dialog.waitFor();
  await axe(page);
  assert.equal(await page.getByText('Username is required').count(), 0);
  await dialog.getByRole('button', { name: 'Sign in with another account' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(page.url(), `${portal.url}/login`);
  await page.getByTestId('username').fill('reseller@northwind.test');
  await page.keyboard.press('Enter');
  await page.getByTestId('password').waitFor();
});

test('who has to use Microsoft may choose another account, or continues with the organisation', async t => {
  const page = await signOn(t, 'sso-required@northwind.test', '?return=%2Fcustomers');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign in with Microsoft' });
  await dialog.getByRole('button', { name: 'Choose another account or organisation' }).click();
  await page.getByRole('button', { name: 'Continue as sso-required@northwind.test' }).waitFor();
  await axe(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  const failed = page.getByRole('dialog', { name: 'We couldn’t sign you in' });
  await failed.getByText('Signing in was cancelled or refused at your provider.').waitFor();
  await failed.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('button', { name: 'Continue with SSO' }).click();
  await page.waitForURL('**/customers');
});

test('a work account is linked with a password once, and then signs in alone', async t => {
  const page = await newPage(t, portal.browser);
  const goToProvider = async (): Promise<void> => {
    await page.goto(`${portal.url}/login?return=%2Fcustomers`);
    await page.getByTestId('office').click();
    await page.getByRole('heading', { name: 'Work account' }).waitFor();
    await page.getByLabel('Email address').fill('link@northwind.test');
    await page.getByLabel('Password').fill(seedPassword);
    await page.keyboard.press('Enter');
  };
  await goToProvider();
  await page.waitForURL('**/link-account');
  await page.getByTestId('link-account-form').waitFor();
  await inspect(page, 'link-account');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByTestId('username').fill('link@northwind.test');
  await page.getByTestId('password').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('The supplied details are incorrect.').waitFor();
  await page.getByTestId('password').fill(seedPassword);
  // A socket that is refused because its session has just ended would stand in the console.
  const heard = firstServerMessage(page);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/customers');
  await heard;
  // Who is no longer signed in there is not asked.
  await page.context().clearCookies({ name: /^sandbox-session/ });
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.waitForURL('**/login');
  await goToProvider();
  await page.waitForURL('**/customers');
});

test('where no work account waits, linking says so when it is opened, and leads back to the sign-in', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/link-account`);
  await page.getByTestId('nothing-to-link').waitFor();
  assert.equal(await page.getByTestId('link-account-form').count(), 0);
  await page.getByTestId('back-to-login').click();
  await page.waitForURL('**/login');
  await page.getByTestId('username').waitFor();
});

test('a session of single sign-on that is over in the middle of work comes back by itself, with what was typed', async t => {
  const page = await signOn(t, 'sso@northwind.test', '?return=%2Fsupport%2Fcallback');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/support/callback');
  await page.getByLabel('What is it about?').fill('A half-written question');
  const asked: string[] = [];
  page.on('request', request => {
    if (request.isNavigationRequest()) asked.push(new URL(request.url()).pathname);
  });
  await page.context().clearCookies({ name: '__Host-portal' });
  const loaded = page.waitForEvent('load');
  await page.getByTestId('open-palette').click();
  await page.keyboard.type('contoso');
  await loaded;
  await page.waitForURL('**/support/callback');
  await page.getByLabel('What is it about?').waitFor();
  assert.equal(await page.getByLabel('What is it about?').inputValue(), 'A half-written question');
  assert.deepEqual([asked[0], asked.includes('/oidc/auth'), asked.at(-1)], ['/login', true, '/support/callback']);
});
