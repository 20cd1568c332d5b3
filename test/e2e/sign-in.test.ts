import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { newPage } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { accounts, signInAs } from '../fixtures/sign-in.ts';

// Failed sign-ins count per account and address: no other file must share them.
const portal = withPortalBefore(withSandbox());

const continueButton = (page: Page) => page.getByRole('button', { name: 'Continue' });
const pathOf = (page: Page): string => new URL(page.url()).pathname;

async function toPasswordStage(page: Page, username: string, query = ''): Promise<void> {
  await page.goto(`${portal.url}/login${query}`);
  await page.getByTestId('username').fill(username);
  await continueButton(page).click();
  await page.getByRole('heading', { level: 1, name: 'Enter your password' }).waitFor();
}

/** Submits a password and waits for the answer. */
async function tryPassword(page: Page, password: string): Promise<void> {
  const answered = page.waitForResponse(/\/auth\/sign-in$/);
  await page.getByTestId('password').fill(password);
  await continueButton(page).click();
  await answered;
}

test('the password stage shows the username without letting it be changed, and Edit carries it and the query back', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/customers?status=Failed`);
  await page.waitForURL('**/login?return=*');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await page.getByTestId('username').and(page.locator(':focus')).waitFor();
  await page.getByTestId('username').fill(accounts.reseller);
  await page.getByTestId('username').press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Enter your password' }).waitFor();
  const username = page.getByTestId('username');
  assert.equal(await username.inputValue(), accounts.reseller);
  assert.equal(await username.isEditable(), false);
  await page.getByTestId('password').and(page.locator(':focus')).waitFor();

  // Nothing that is said about the empty password moves the link away while it is pressed.
  await page.getByTestId('edit-username').click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  const query = new URL(page.url()).searchParams;
  assert.equal(query.get('username'), accounts.reseller);
  assert.equal(query.get('return'), '/customers?status=Failed');
  assert.equal(await page.getByTestId('username').inputValue(), accounts.reseller);
});

test('the password stage without a username leads back to the first stage with the same query', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/sign-in?return=%2Fcustomers`);
  assert.equal(page.url(), `${portal.url}/login?return=%2Fcustomers`);
});

test('the password can be shown and hidden again', async t => {
  const page = await newPage(t, portal.browser);
  await toPasswordStage(page, accounts.reseller);
  const password = page.getByTestId('password');
  const toggle = page.getByRole('button', { name: 'Show password' });
  await password.fill('secret');
  assert.equal(await password.getAttribute('type'), 'password');
  await toggle.click();
  assert.equal(await password.getAttribute('type'), 'text');
  assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
  await toggle.click();
  assert.equal(await password.getAttribute('type'), 'password');
  assert.equal(await password.inputValue(), 'secret');
});

test('while signing in, the button says so with a spinner and sends nothing twice', async t => {
  const page = await newPage(t, portal.browser);
  await toPasswordStage(page, accounts.reseller);
  let sent = 0;
  let release = (): void => undefined;
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/auth/sign-in', async route => {
    sent += 1;
    await held;
    await route.continue();
  });
  await page.getByTestId('password').fill(seedPassword);
  await page.getByTestId('password').press('Enter');
  const busy = page.getByRole('button', { name: 'Signing in' });
  await busy.waitFor();
  assert.equal(await busy.getAttribute('aria-busy'), 'true');
  assert.equal(await busy.locator('.spinner').count(), 1);
  await busy.dispatchEvent('click');
  await page.getByTestId('password').press('Enter');
  release();
  await page.waitForURL('**/dashboard');
  assert.equal(sent, 1);
});

test('an unknown username is said at its field', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill('nobody@nowhere.test');
  await continueButton(page).click();
  await page.getByText("We don't recognise that username.").first().waitFor();
  assert.equal(await page.getByTestId('username').getAttribute('aria-invalid'), 'true');
  assert.equal(pathOf(page), '/login');
});

test('a wrong password is said in an alert that cannot be dismissed, and the username stays', async t => {
  const page = await newPage(t, portal.browser);
  await toPasswordStage(page, accounts.engineer);
  await tryPassword(page, 'wrong');
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /The username or password is wrong\./);
  assert.equal(await alert.getByRole('button').count(), 0);
  assert.equal(await page.getByTestId('username').inputValue(), accounts.engineer);
});

test('after three failures the page asks whether one is a robot, and so does a fresh page', async t => {
  const page = await newPage(t, portal.browser);
  const robot = page.getByTestId('not-robot');
  await toPasswordStage(page, accounts.rival);
  for (let failure = 1; failure <= 3; failure += 1) {
    assert.equal(await robot.count(), 0, `after ${failure - 1} failures`);
    await tryPassword(page, `wrong ${failure}`);
  }
  await robot.waitFor();

  // A page that was not there asks at once, and not after a right password.
  const fresh = await newPage(t, portal.browser);
  await toPasswordStage(fresh, accounts.rival);
  await fresh.getByTestId('not-robot').waitFor();
  await fresh.getByTestId('password').fill(seedPassword);
  await continueButton(fresh).click();
  // What is missing is said where it is missing, and the focus goes there.
  await fresh.getByText('Confirm this to continue, after three failed attempts.').waitFor();
  await fresh.getByTestId('not-robot').and(fresh.locator(':focus')).waitFor();
  assert.equal(pathOf(fresh), '/sign-in');

  await fresh.getByTestId('not-robot').check();
  await fresh.getByTestId('password').fill(seedPassword);
  await continueButton(fresh).click();
  await fresh.waitForURL('**/dashboard');

  // Having signed in, one starts anew.
  await signInAs(await newPage(t, portal.browser), portal.url, accounts.rival);
});

test('invalid submissions count in the browser, and the third asks for the answer before anything is sent', async t => {
  const page = await newPage(t, portal.browser);
  let sent = 0;
  page.on('request', request => {
    if (request.url().endsWith('/auth/sign-in')) sent += 1;
  });
  const robot = page.getByTestId('not-robot');
  await toPasswordStage(page, accounts.endUser);
  for (let failure = 1; failure <= 3; failure += 1) {
    assert.equal(await robot.count(), 0);
    await continueButton(page).click();
    await page.getByText('Password is required').waitFor();
  }
  await robot.waitFor();
  // A wrong password, of which the server counts but one, does not take the question back.
  await robot.check();
  await tryPassword(page, 'wrong');
  await robot.uncheck();
  sent = 0;
  await page.getByTestId('password').fill(seedPassword);
  await continueButton(page).click();
  await page.getByText('Confirm this to continue, after three failed attempts.').waitFor();
  assert.equal(sent, 0);
  await robot.check();
  await continueButton(page).click();
  await page.waitForURL('**/end-user');
  assert.equal(sent, 1);
});

test('signing in returns to the address that one wanted, with its query', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/customers?status=Failed`);
  await page.getByTestId('username').fill(accounts.reseller);
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(seedPassword);
  await page.getByTestId('password').press('Enter');
  await page.waitForURL('**/customers?status=Failed');
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  assert.equal(await page.getByRole('tab', { name: /^Failed/ }).getAttribute('aria-selected'), 'true');
});

const foreign = [
  'https://evil.test/',
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '/%2f%2fevil.test',
  '/\t/evil.test',
  'javascript:alert(1)',
  '/login',
];
for (const address of foreign) {
  test(`the return address ${JSON.stringify(address)} is not followed`, async t => {
    const page = await newPage(t, portal.browser);
    await toPasswordStage(page, accounts.reseller, `?${new URLSearchParams({ return: address })}`);
    await page.getByTestId('password').fill(seedPassword);
    await continueButton(page).click();
    await page.waitForURL('**/dashboard');
    assert.equal(page.url(), `${portal.url}/dashboard`);
  });
}

test('who is signed in is led from the sign-in pages to the landing', async t => {
  const page = await newPage(t, portal.browser);
  await signInAs(page, portal.url, accounts.reseller);
  for (const address of ['/login', `/sign-in?username=${accounts.reseller}`, '/']) {
    await page.goto(portal.url + address);
    assert.equal(pathOf(page), '/dashboard', address);
  }
});

test('after signing out the old cookie is worth nothing and Back shows nothing private', async t => {
  const page = await newPage(t, portal.browser);
  const context = page.context();
  await signInAs(page, portal.url, accounts.reseller);
  await page.goto(`${portal.url}/customers`);
  await page.getByTestId('customers-table').waitFor();
  const [old] = await context.cookies();
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.waitForURL('**/login');
  assert.deepEqual(await context.cookies(), []);

  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  assert.equal(await page.getByTestId('customers-table').count(), 0);
  assert.doesNotMatch(await page.content(), /Contoso|Priya Raman/);

  assert.ok(old);
  const reply = await fetch(`${portal.url}/ui/data/customers.list`, {
    headers: { cookie: `${old.name}=${old.value}` },
  });
  assert.equal(reply.status, 401);
});

test('when the session ends while a form is half typed, signing in again brings back the address and the text', async t => {
  const page = await newPage(t, portal.browser);
  await signInAs(page, portal.url, accounts.reseller);
  await page.goto(`${portal.url}/customers/add?from=story`);
  await page.getByTestId('customer-name').fill('Half a name');
  await page.getByTestId('contact-phone').fill('not a phone');

  const other = await page.context().newPage();
  await other.goto(`${portal.url}/customers`);
  await other.getByTestId('menu-account').click();
  await other.getByTestId('sign-out').click();
  await other.waitForURL('**/login');

  await page.waitForURL('**/login?return=*');
  await page.getByText('Your session has ended.').waitFor();
  await page.getByTestId('username').fill(accounts.reseller);
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(seedPassword);
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...sessionStorage })), /Demo-portal/);
  await page.getByTestId('password').press('Enter');
  await page.waitForURL('**/customers/add?from=story');
  assert.equal(await page.getByTestId('customer-name').inputValue(), 'Half a name');
  assert.equal(await page.getByTestId('contact-phone').inputValue(), 'not a phone');
});

test('what was typed before the session ended is not shown to another user', async t => {
  const page = await newPage(t, portal.browser);
  await signInAs(page, portal.url, accounts.reseller);
  await page.goto(`${portal.url}/customers/add`);
  await page.getByTestId('customer-name').fill('Secret plan');
  await page.getByTestId('customer-domain').fill('secret.test');
  await page.getByTestId('contact-name').fill('Nobody');
  await page.getByTestId('contact-email').fill('nobody@secret.test');
  await page.context().clearCookies();
  // Whatever the page asks next ends it: the press, or something that it reads by itself.
  const gone = page.waitForURL('**/login?return=*');
  const press = page.getByRole('button', { name: 'Add customer' }).click();
  // The button may have gone before.
  press.catch(() => undefined);
  await gone;
  await page.getByTestId('username').fill(accounts.rival);
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(seedPassword);
  await continueButton(page).click();
  await page.waitForURL('**/customers/add');
  assert.equal(await page.getByTestId('customer-name').inputValue(), '');
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...sessionStorage })), /Secret plan/);
});

test('the session cookie is bound to its host and hidden from scripts, and no token of the cloud reaches the browser', async t => {
  const page = await newPage(t, portal.browser);
  const seen: Promise<string>[] = [];
  page.on('response', response => {
    if (new URL(response.url()).pathname.startsWith('/assets/')) return;
    const body = response.text().catch(() => '');
    seen.push(Promise.all([response.allHeaders(), body]).then(parts => JSON.stringify(parts)));
  });
  page.on('websocket', socket => {
    socket.on('framereceived', ({ payload }) => seen.push(Promise.resolve(String(payload))));
  });
  await signInAs(page, portal.url, accounts.reseller);
  await page.getByTestId('nav-customers').click();
  await page
    .getByTestId('customers-table')
    .getByRole('link', { name: /Contoso/ })
    .click();
  await page.getByTestId('customer-contact').waitFor();
  await page.getByTestId('bell').click();

  const cookies = await page.context().cookies();
  assert.deepEqual(
    cookies.map(({ name, httpOnly, secure, sameSite, path }) => ({ name, httpOnly, secure, sameSite, path })),
    ['__Host-portal', 'portal-organisation'].map(name => ({
      ...{ name, httpOnly: true, secure: true, sameSite: 'Lax', path: '/' },
    })),
  );
  assert.equal(await page.evaluate(() => document.cookie), '');
  const told = await Promise.all(seen);
  assert.ok(told.length > 5);
  for (const one of told) assert.doesNotMatch(one, /eyJ[\w-]+\.|Bearer |access_token|refresh_token/);
});
