import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { inspect } from '../fixtures/inspect.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortalBefore(cloud);

async function newCount(): Promise<number> {
  const token = await cloud.signIn('reseller@northwind.test');
  return (await cloud.call(token, 'GET', '/api/notifications/new-count')).body.Result;
}

const bellSays = (page: Page, count: number): Promise<void> =>
  page
    .getByTestId('bell')
    .and(page.getByRole('button', { name: new RegExp(`, ${count} new$`) }))
    .waitFor();

test('the notification of a failed activation says so by sign and word, leads to the service, and is read then', async t => {
  const start = '/customers/customer/10003/add-service/share-point';
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', start);
  await page.getByTestId('order-details-Quantity').fill('13');
  await page.getByTestId('order-details-Domain').fill('contoso.test');
  await page.getByTestId('order-details-submit').click();
  await page.getByTestId('order-check-submit').click();
  await page.getByTestId('instance-status').getByText('Activating').waitFor();
  const service = new URL(page.url()).pathname;
  await page.getByTestId('logo').click();
  await page.getByTestId('bell').waitFor();
  const before = await newCount();
  await bellSays(page, before);
  await cloud.tickOnce();
  // Seeded changes may have become due too.
  const after = await newCount();
  assert.ok(after > before, `${before}, then ${after}`);
  await bellSays(page, after);

  await page.getByTestId('bell').click();
  const note = page
    .getByTestId('bell-list')
    .getByRole('listitem')
    .filter({ hasText: 'Team Sites could not be' })
    .first();
  await note.getByText('Problem').waitFor();
  const link = note.getByTestId('bell-link');
  assert.match((await link.textContent()) ?? '', /^Team Sites could not be activated for /);
  assert.equal(await link.getAttribute('href'), service);
  await link.focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('instance-status').getByText('Activation failed').waitFor();
  await page.getByTestId('instance-failed').getByText('There was no room for all of them just now.').waitFor();
  await bellSays(page, after - 1);
  assert.equal(await page.getByTestId('bell-list').count(), 0, 'the panel has gone');

  await page.getByTestId('bell').click();
  await page.getByTestId('bell-all-notes').click();
  await page.waitForURL('**/notifications');
  await page.getByRole('tab', { name: 'Read 19' }).click();
  const row = page.getByTestId('notifications-table').getByRole('row').filter({ hasText: 'Team Sites' }).first();
  await row.getByText('There was no room for all of them just now.').waitFor();
  await row.getByRole('link').first().click();
  await page.waitForURL(`**${service}`);
});

test('the page of notifications filters by state and category, and marks one or all as read', async t => {
  const path = '/notifications?status=all&category=danger';
  const page = await openListeningPageAs(t, portal, 'engineer@northwind.test', path);
  const table = page.getByTestId('notifications-table');
  await table.getByRole('rowheader').first().waitFor();
  const rows = await table.locator('tbody tr').allTextContents();
  assert.deepEqual(
    notEmpty(rows).filter(text => !text.includes('Problem')),
    [],
  );
  await page.goto(`${portal.url}/notifications`);
  const bell = page.getByTestId('bell').and(page.getByRole('button', { name: /\d+ new$/ }));
  await bell.waitFor();
  const fresh = Number(/(\d+) new$/.exec((await bell.getAttribute('aria-label')) ?? '')?.[1]);
  assert.ok(fresh >= 3, String(fresh));
  await page.getByRole('tab', { name: `New ${fresh}` }).waitFor();
  await table
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByTestId('row-mark-read').click();
  await page.getByRole('tab', { name: `New ${fresh - 1}` }).waitFor();
  await page.getByTestId('mark-all-read').click();
  await page.getByText('No new notifications').waitFor();
  await page.getByRole('tab', { name: 'New 0' }).waitFor();
  assert.equal(await page.getByTestId('mark-all-read').count(), 0, 'nothing is left to mark');
});

test('on a phone every notification is read whole, however long it is, and links are large enough for a finger', async t => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/notifications?status=all', phone);
  const titles = page.getByTestId('notifications-table').getByRole('rowheader').getByRole('link');
  await titles.nth(5).waitFor();
  const cut = await titles.evaluateAll(links =>
    links.filter(link => link.scrollWidth > link.clientWidth).map(link => link.textContent),
  );
  assert.deepEqual(cut, []);
  assert.ok((await titles.allTextContents()).some(title => title.length > 40));
  await page.goto(`${portal.url}/orders`);
  const customers = page.getByTestId('orders-table').getByRole('cell').getByRole('link');
  await customers.nth(5).waitFor();
  const heights = await customers.evaluateAll(links => links.map(link => link.getBoundingClientRect().height));
  assert.ok(Math.min(...heights) >= 24, String(Math.min(...heights)));
});

test('how one is told is chosen from the bell, on a phone', async t => {
  const phone = { viewport: { width: 390, height: 844 } };
  const page = await openListeningPageAs(t, portal, 'engineer@northwind.test', '/customers', phone);
  await page.getByTestId('bell').click();
  await page.getByTestId('bell-settings').click();
  await page.getByRole('heading', { level: 1, name: 'How you are told' }).waitFor();
  await axe(page);
  await inspect(page, 'notification-ways');
  assert.equal(await page.getByTestId('success-bell').isChecked(), true);
  await page.getByTestId('success-bell').uncheck();
  await page.getByTestId('danger-digest').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('You are told like this from now on.').waitFor();
  await page.reload();
  await page.getByTestId('danger-digest').and(page.locator(':checked')).waitFor();
  assert.equal(await page.getByTestId('success-bell').isChecked(), false);
});
