import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { axe, newPage, takePicture } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { signInAs } from '../fixtures/sign-in.ts';
import { openListeningPage, openListeningPageAs } from '../fixtures/signed-in-page.ts';

const username = 'codes@northwind.test';
const portal = withBrowserPortal();

async function picture(page: Page, name: string): Promise<void> {
  await axe(page);
  if (process.env.SCREENSHOTS === '1') await takePicture(page, name);
}

test('an unknown session is ended from the profile, and what was typed there is kept for the next sign-in', async t => {
  const other = await openListeningPageAs(t, portal, username, '/support/callback');
  await other.getByLabel('What is it about?').fill('A half-written question');

  const page = await newPage(t, portal.browser, { viewport: { width: 1440, height: 900 } });
  await signInAs(page, portal.url, username);
  await page.getByTestId('menu-account').click();
  await page.getByTestId('my-profile').click();
  await page.getByTestId('profile-facts').getByText('Cora Odell').waitFor();
  await page.getByTestId('tab-sessions').click();
  await page.waitForURL('**/account-setting/profile?tab=sessions');
  const rows = page.getByTestId('sessions-table').getByRole('row');
  await rows.nth(2).waitFor();
  assert.equal(await page.getByText('This one').count(), 1);
  await rows.filter({ hasText: 'Another' }).first().getByRole('button').click();
  await page.getByTestId('end-session').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
  await page.getByText('was signed out.').waitFor();

  await other.waitForURL('**/login**');
  await other.getByTestId('username').fill(username);
  await other.getByTestId('username').press('Enter');
  await other.getByTestId('password').fill(seedPassword);
  await other.getByTestId('password').press('Enter');
  await other.waitForURL('**/support/callback');
  await other.getByLabel('What is it about?').waitFor();
  assert.equal(await other.getByLabel('What is it about?').inputValue(), 'A half-written question');

  await page.goto(`${portal.url}/account-setting/profile/sessions`);
  await page.getByTestId('end-others').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click();
  await other.waitForURL('**/login**');
  await page.getByTestId('end-others').waitFor({ state: 'detached' });
  await page.getByTestId('tab-log').click();
  await page.getByTestId('log-table').getByText('All other sessions ended').first().waitFor();
});

test('a time zone is found with the keyboard, and every open page of the person shows its times at once', async t => {
  const other = await openListeningPageAs(t, portal, username, '/account-setting/profile?tab=log');
  const page = await openListeningPageAs(t, portal, username, '/account-setting/profile', {
    viewport: { width: 1440, height: 900 },
  });
  const inLondon = await other.getByTestId('log-table').locator('time').first().innerText();
  await page.getByTestId('choose-time-zone').click();
  await page.getByTestId('time-zone').fill('kathm');
  await page.getByTestId('time-zone-Asia/Katmandu').or(page.getByTestId('time-zone-Asia/Kathmandu')).waitFor();
  await page.getByTestId('time-zone').press('ArrowDown');
  await picture(page, 'choose-time-zone-light-1440');
  await page.getByTestId('time-zone').press('Enter');
  await page.getByTestId('use-time-zone').click();
  await page.getByText('Your time zone is saved.').waitFor();
  await page.getByTestId('time-zone-facts').getByText('On pages and in files').waitFor();
  const shown = other.getByTestId('log-table').locator('time').first();
  const minutes = (text: string) => {
    const [, hours = 0, past = 0] = (/(\d\d):(\d\d)/.exec(text) ?? []).map(Number);
    return hours * 60 + past;
  };
  await eventually(async () => (await shown.innerText()) !== inLondon, 'the other page has the times of Kathmandu');
  const later = minutes(await shown.innerText()) - minutes(inLondon);
  assert.equal(((later + 1440) % 60) % 60, 45);
  await page.getByTestId('use-browser-time-zone').click();
  await eventually(
    async () => (await shown.innerText()) === inLondon,
    'the other page has the times of the device again',
  );
});

test('an app is set up in the profile, a recovery code signs in and is missed, and a reset completes', async t => {
  const page = await newPage(t, portal.browser, {
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // Reading the clipboard waits for ever where another page has the focus of the browser.
  await page.addInitScript(() => {
    const { clipboard } = navigator;
    // An empty page has none.
    if (!clipboard) return;
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = text => write(text).then(() => void Object.assign(window, { copied: text }));
  });
  await signInAs(page, portal.url, username);
  await openListeningPage(page, `${portal.url}/account-setting/profile?tab=security`);
  await page.getByTestId('set-up-mfa').click();
  await page.getByTestId('own-password').fill('wrong');
  await page.getByTestId('own-password').press('Enter');
  await page.getByText('The password is wrong.').waitFor();
  await page.getByTestId('own-password').fill(seedPassword);
  await page.getByTestId('own-password').press('Enter');
  const key = (await page.getByTestId('mfa-key').locator('dd').innerText()).replaceAll(/\s/g, '');
  await page.getByTestId('own-mfa-cancel').click();
  await page.getByText('Nothing changes').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Go on' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up sign-in codes' });
  await dialog.getByTestId('mfa-more').click();
  await page.getByText('If you lose your phone').waitFor();
  await page.getByTestId('close-more').click();
  await page.getByTestId('continue').click();
  await page.getByTestId('mfa-code').fill(codeAt(key, Date.now()));
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByTestId('recovery-codes').waitFor();
  await picture(page, 'popup-recovery-codes');
  const codes = await page.getByTestId('recovery-codes').getByRole('listitem').allInnerTexts();
  assert.equal(codes.length, 10);
  await page.getByTestId('copy-codes').click();
  await page.getByText('The codes were copied.').waitFor();
  assert.equal(await page.evaluate(() => (window as unknown as { copied?: string }).copied), codes.join('\n'));
  await page.getByTestId('codes-kept').click();
  await page.getByTestId('mfa-facts').getByText('10').waitFor();

  const phone = await newPage(t, portal.browser, { viewport: { width: 390, height: 844 } });
  await phone.goto(`${portal.url}/login?return=${encodeURIComponent('/account-setting/profile?tab=security')}`);
  await phone.getByTestId('username').fill(username);
  await phone.getByTestId('username').press('Enter');
  await phone.getByTestId('password').fill(seedPassword);
  await phone.getByTestId('password').press('Enter');
  await phone.getByTestId('use-recovery').click();
  await phone.getByTestId('recovery-code').fill('nothing');
  await phone.getByRole('button', { name: 'Verify' }).click();
  await phone.getByText('A recovery code has twelve letters and digits').waitFor();
  await picture(phone, 'popup-recovery-code');
  await phone.getByTestId('recovery-code').fill((codes[0] ?? '').toLowerCase());
  await phone.getByRole('button', { name: 'Verify' }).click();
  await phone.getByTestId('used-codes-text').waitFor();
  await picture(phone, 'profile-used-codes');

  await page.getByTestId('new-recovery-codes').click();
  await page.getByTestId('own-password').fill(seedPassword);
  await page.getByTestId('mfa-code').fill(codeAt(key, Date.now() + 30_000));
  await page.getByTestId('new-recovery-codes-form').getByRole('button', { name: 'Make new codes' }).click();
  await page.getByTestId('recovery-codes').waitFor();
  const fresh = await page.getByTestId('recovery-codes').getByRole('listitem').allInnerTexts();
  await page.getByTestId('codes-kept').click();
  await phone.waitForURL('**/login**');

  await page.getByTestId('reset-mfa').click();
  await page.getByTestId('own-password').fill(seedPassword);
  await page.getByLabel('A recovery code').check();
  await page.getByTestId('recovery-code').fill(fresh[3] ?? '');
  await picture(page, 'popup-reset-mfa');
  await page.getByTestId('reset-mfa-form').getByRole('button', { name: 'Reset' }).click();
  await page.getByText('The authenticator app was reset.').waitFor();
  await page.getByTestId('set-up-mfa').waitFor();
});
