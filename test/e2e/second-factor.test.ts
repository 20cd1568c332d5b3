import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { axe, newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { codeAt } from '../fixtures/one-time-code.ts';

const key = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const portal = withBrowserPortal();

/** Types username and password, as far as they lead. */
async function signIn(t: TestContext, username: string, path = ''): Promise<Page> {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/login${path}`);
  await page.getByTestId('username').fill(username);
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(seedPassword);
  await page.getByTestId('password').press('Enter');
  return page;
}

test('a code of the app is asked for after the password, a wrong one is said, the right one leads on', async t => {
  const page = await signIn(t, 'mfa@northwind.test', '?return=%2Fcustomers%3Fstatus%3DActive');
  const code = page.getByTestId('mfa-code');
  await code.and(page.locator(':focus')).waitFor();
  await axe(page);
  const verify = page.getByRole('button', { name: 'Verify' });
  assert.equal(await verify.isDisabled(), true);
  await code.fill('  ');
  assert.equal(await verify.isDisabled(), true);
  await code.fill('no code');
  await verify.click();
  await page.getByText('Must contain only digits').waitFor();
  await code.fill('000000');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('This code is wrong or has been used.').waitFor();
  await page.getByTestId('use-recovery').click();
  await page.getByTestId('use-app').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByTestId('use-recovery').and(page.locator(':focus')).waitFor();
  await code.fill(codeAt(key, Date.now()));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.waitForURL('**/customers?status=Active');
});

test('the first press on the other way to sign in goes there, and says nothing of the code that was not typed', async t => {
  const page = await signIn(t, 'mfa@northwind.test');
  await page.getByTestId('mfa-code').and(page.locator(':focus')).waitFor();
  await page.getByTestId('use-recovery').click();
  await page.getByTestId('recovery-code').waitFor();
  assert.equal(await page.getByText('is required').count(), 0);
});

test('whoever cancels between password and code is still at the password', async t => {
  const page = await signIn(t, 'mfa@northwind.test');
  await page.getByTestId('mfa-code').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByTestId('password').waitFor();
  assert.deepEqual(
    (await page.context().cookies()).map(({ name }) => name),
    [],
  );
});

test('an app is set up by picture or key in groups of four, its first code brings recovery codes to keep, and signs in', async t => {
  const page = await signIn(t, 'newmfa@northwind.test');
  const dialog = page.getByRole('dialog', { name: 'Set up sign-in codes' });
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  await axe(page);
  const shown = (await page.getByTestId('mfa-key').locator('dd').innerText()).trim();
  assert.match(shown, /^(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  await page.keyboard.press('Escape');
  await dialog.waitFor();

  await page.getByTestId('mfa-cancel').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go on' }).click();
  await page.getByTestId('continue').click();
  await page.getByTestId('mfa-code').fill('123 456');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByTestId('continue').click();
  await page.getByTestId('mfa-code').fill(codeAt(shown.replaceAll(' ', ''), Date.now()));
  await page.getByRole('button', { name: 'Verify' }).click();
  const given = page.getByRole('dialog', { name: 'Your recovery codes' });
  await given.getByTestId('recovery-codes').waitFor();
  const codes = await given.getByTestId('recovery-codes').getByRole('listitem').allInnerTexts();
  assert.equal(codes.length, 10);
  await axe(page);
  await page.keyboard.press('Escape');
  const [download] = await Promise.all([page.waitForEvent('download'), given.getByTestId('save-codes').click()]);
  assert.equal(download.suggestedFilename(), 'recovery-codes.txt');
  const saved = await text(await download.createReadStream());
  assert.deepEqual(saved.match(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/gm), codes);
  await given.getByTestId('codes-kept').click();
  await page.waitForURL('**/customers');
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
});
