import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { axe, hasTestIds, hidesNoFocus } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const box = (page: Page, name: string) => page.getByRole('listbox', { name });
const options = (page: Page, name: string) => box(page, name).getByRole('option');
/** A day as British English writes it. */
const dayBefore = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10).split('-').reverse().join('/');

/** Opens the permissions of the first user of a customer that a search finds. */
async function openPermissions(page: Page, words: string) {
  await page.getByTestId('users-search').fill(words);
  await page.getByTestId('users-table').getByRole('link', { name: words }).first().click();
  await page.getByTestId('change-permissions').click();
  await box(page, 'No permissions').waitFor();
}

test('permissions of one of 5,000 mailboxes are given by the keys alone, and taken again', async t => {
  const page = await openPageAs(t, portal, 'rival@southridge.test', '/customers/customer/10052?tab=users');
  await openPermissions(page, 'Amelia A. Hart');
  const list = box(page, 'No permissions');
  assert.ok((await options(page, 'No permissions').count()) < 60);
  await Promise.all([axe(page), hasTestIds(page), hidesNoFocus(page)]);
  await list.focus();
  await page.keyboard.press('End');
  const last = list.locator('.is-active');
  assert.equal(await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize'));
  assert.ok(Number(await last.getAttribute('aria-setsize')) > 4900);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(/^4,9\d\d entries moved to Full access\.$|^5,0\d\d entries moved to Full access\.$/).waitFor();
  await page.getByRole('button', { name: 'Update permissions' }).press('Enter');
  await page.getByText(/were updated\.$/).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByTestId('change-permissions').click();
  await page.getByText('Nobody').first().waitFor();
  await page.getByRole('checkbox', { name: 'Select all: Full access' }).check();
  await page.getByTestId('users-with-full-access-to-UsersWithNoPermissions').click();
  // What differs is not left unasked.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByRole('button', { name: 'Update permissions' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByTestId('change-permissions').click();
  await options(page, 'No permissions').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('lists can be used on a phone; without distribution groups they are read only', async t => {
  const page = await openPageAs(
    t,
    portal,
    'reseller@northwind.test',
    '/customers/customer/10001/distribution-groups',
    phone,
  );
  await page.getByRole('button', { name: 'Actions for Directors' }).click();
  await page.getByTestId('row-members').click();
  await options(page, 'Not in the group').first().tap();
  await axe(page);
  await page.getByRole('button', { name: 'Move to Members' }).tap();
  await page.getByText('1 entry moved to Members.').waitFor();
  await page.getByRole('button', { name: 'Save members' }).tap();
  await page.getByText('The members of Directors were saved.').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);

  await page.goto(`${portal.url}/customers/customer/10037?tab=users`);
  await page.getByTestId('users-table').getByRole('link').first().click();
  await page.getByTestId('change-permissions').click();
  await page.getByTestId('no-groups-exist').waitFor();
  assert.equal(await page.getByTestId('users-with-no-permissions-all').isDisabled(), true);
  await options(page, 'No permissions').first().tap({ force: true });
  assert.equal(await page.locator('[role=option][aria-selected=true]').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Update permissions' }).isDisabled(), true);
  await axe(page);
});

test('mail is recovered in three steps: dates that are kept, a summary with the password again, and that it began', async t => {
  const page = await openPageAs(
    t,
    portal,
    'reseller@northwind.test',
    '/customers/user-details?organisation=10001&user=20001',
  );
  await page.getByTestId('user-more').click();
  await page.getByTestId('recover-mail').click();
  const next = page.getByRole('button', { name: 'Next' });
  await next.waitFor();
  const [start, end] = ['start', 'end'].map(name => page.getByTestId(`${name}-date`)) as [Locator, Locator];
  await eventually(
    () => start.evaluate(element => element === document.activeElement),
    'the first field has the focus',
  );
  const times = page.getByRole('combobox', { name: /: time$/ });
  assert.equal(await next.isDisabled(), true);
  // The numbers of the steps stay in one line each, also on a phone.
  await page.setViewportSize(phone.viewport);
  const numbers = await page
    .locator('.steps > li')
    .evaluateAll(steps => steps.map(step => Number.parseFloat(getComputedStyle(step, '::before').width)));
  assert.ok(numbers.length === 3 && Math.max(...numbers) - Math.min(...numbers) < 2, numbers.join());
  await page.setViewportSize({ width: 1440, height: 900 });
  await start.fill(`${dayBefore(20)} 10:00`);
  await end.fill('31/02/2026');
  await times.last().selectOption('09:30');
  await times.last().blur();
  await page.getByText(/^Must be from \d\d\/\d\d\/\d{4} \d\d:\d\d to/).waitFor();
  await page.getByText('Must be a date and a time on a quarter of an hour').waitFor();
  assert.equal(await next.isDisabled(), true);
  // A day alone is no moment yet, and 96 quarters of it can be chosen.
  await end.fill(dayBefore(2));
  await eventually(async () => (await times.last().locator('option').count()) === 97);
  await start.fill(`${dayBefore(1)} 14:15`);
  assert.equal(await times.first().inputValue(), '14:15');
  await next.click();
  await page.getByText('Must not be before the start').waitFor();
  await axe(page);
  // A day that the calendar picks keeps the time.
  await page.getByTestId('start-date-pick').click();
  await page.getByTestId('start-date-pick-calendar').waitFor();
  for (let days = 0; days < 5; days += 1) await page.keyboard.press('ArrowLeft');
  await axe(page);
  await page.keyboard.press('Enter');
  await page.getByTestId('start-date-pick-calendar').waitFor({ state: 'detached' });
  assert.deepEqual([await start.inputValue(), await times.first().inputValue()], [dayBefore(6), '14:15']);
  await next.click();
  const password = page.getByTestId('recovery-password');
  await password.fill('not this one');
  await page.getByRole('button', { name: 'Start recovery' }).click();
  await page.getByText('The password is wrong.').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0, 'it is said at the field alone');
  await axe(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await next.waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.equal(await start.inputValue(), dayBefore(6));
  await next.click();
  assert.equal(await password.inputValue(), '');
  await password.fill(seedPassword);
  await page.getByRole('button', { name: 'Start recovery' }).click();
  await page.getByTestId('recovery-started-text').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Back' }).count(), 0);
  await axe(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
