import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const choose = (page: Page, filter: string, option: string) => page.getByTestId(filter).selectOption({ label: option });
const legend = (page: Page) => page.getByRole('list', { name: 'Spend per day' }).getByRole('listitem');
const rows = (page: Page) => page.getByTestId('usage-table').getByRole('row');

test('a report is chosen, shown, kept in the address over reload and Back, and exported', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers/customer/10001');
  await page.getByTestId('tab-usage').click();
  await page.getByText('Choose what to look at, then Show.').waitFor();
  assert.equal(await page.getByTestId('usage-chart').count(), 0);
  await page.getByTestId('usage-show').click();
  const chart = page.getByTestId('usage-chart');
  const plot = chart.getByRole('img', { name: 'Spend per day' });
  await plot.locator('.recharts-bar-rectangle path').nth(6).waitFor();
  assert.deepEqual([await legend(page).count(), await rows(page).count()], [1, 8]);

  await choose(page, 'usage-subscription', 'Production');
  await page.getByText('Choose what to look at, then Show.').waitFor();
  await choose(page, 'usage-by', 'By resource');
  await choose(page, 'usage-days', 'Last 14 days');
  await page.getByTestId('usage-show').click();
  await plot.locator('.recharts-line-curve').nth(5).waitFor();
  assert.match(await legend(page).last().innerText(), /^Other/);
  await page.getByTestId('usage-table').getByText('1–25 of 84').waitFor();

  await page.reload();
  await plot.locator('.recharts-line-curve').nth(5).waitFor();
  for (const [filter, option] of [
    ['usage-subscription', 'Production'],
    ['usage-by', 'By resource'],
    ['usage-days', 'Last 14 days'],
  ] as const)
    await page
      .getByTestId(filter)
      .and(page.locator(':has(option:checked)'))
      .locator(`option:checked:text-is("${option}")`)
      .waitFor({ state: 'attached' });
  const downloading = page.waitForEvent('download');
  await page.getByTestId('export-usage').click();
  assert.match((await downloading).suggestedFilename(), /^Usage figures .*\.csv$/);

  await choose(page, 'usage-group', 'rg-data');
  await page.getByTestId('usage-show').click();
  await legend(page).nth(3).waitFor({ state: 'detached' });
  assert.equal(await legend(page).count(), 3);
  await page.goBack();
  await page.goBack();
  await legend(page).nth(5).waitFor();

  await page.goto(`${portal.url}/customers/customer/10002/view/usage`);
  await page.getByTestId('usage-show').click();
  await page.getByRole('heading', { name: 'No usage in this period' }).waitFor();
});
