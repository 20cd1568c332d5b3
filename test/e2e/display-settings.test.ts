import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const portal = withPortalBefore(withSandbox());
const phone = { viewport: { width: 390, height: 844 } };

test('prices are shown to one engineer, who has them at once on an open page, and hidden again', async t => {
  const theirs = await openListeningPageAs(t, portal, 'engineer@northwind.test', '/customers');
  await theirs.getByTestId('customers-table').waitFor();
  const spend = theirs.getByRole('columnheader', { name: 'Per month' });
  await spend.waitFor({ state: 'detached' });

  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting', phone);
  await axe(page);
  await page.getByRole('link', { name: 'Display settings' }).click();
  const row = page.getByRole('row', { name: /Ewan Fraser/ });
  await row.getByText('Does not see prices').waitFor();
  await row.getByRole('button').click();
  await page.getByTestId('row-show-prices').click();
  await page.getByText('They see at once what you pay').waitFor();
  await page.getByTestId('question-yes').click();
  await page.getByText('Ewan Fraser sees prices now.').waitFor();
  await row.getByText('Sees prices', { exact: true }).waitFor();
  await spend.waitFor();

  await row.getByRole('button').click();
  await page.getByTestId('row-hide-prices').click();
  await page.getByTestId('question-yes').click();
  await row.getByText('Does not see prices').waitFor();
  await spend.waitFor({ state: 'detached' });
});

test('prices are shown to one administrator of a customer, on the page that is open there', async t => {
  const organisation = '/customers/customer/10012';
  const theirs = await openListeningPageAs(t, portal, 'noprices@kestrelfreight.test', organisation, phone);
  await theirs.getByRole('heading', { level: 1 }).waitFor();
  const spend = theirs.getByText('Per month, recurring', { exact: true });
  assert.equal(await spend.count(), 0);
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting/display-settings');
  await page.getByTestId('team-filter').getByText('administrators').click();
  await page.waitForURL('**team=customers**');
  await page.getByTestId('search-staff').fill('noprices');
  const row = page.getByRole('row', { name: /noprices@/ });
  await row.getByRole('button').click();
  await page.getByTestId('row-show-prices').click();
  await page.getByTestId('question-yes').click();
  await page.getByText('sees prices now.').waitFor();
  await spend.waitFor();
});

test('announcements are hidden by their reader, and shown again', async t => {
  const page = await openListeningPageAs(t, portal, 'single@northwind.test', '/account-setting/display-settings');
  const announcement = page.getByTestId('announcement-later');
  await announcement.waitFor();
  const up = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Account settings' });
  await page.getByTestId('hide-announcements').click();
  await page.getByTestId('show-announcements').waitFor();
  await up.click();
  await announcement.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Display settings' }).click();
  await page.getByTestId('show-announcements').click();
  await page.getByTestId('hide-announcements').waitFor();
  await up.click();
  await announcement.waitFor();
});
