import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { daysAgo, focusFile } from '../fixtures/focus-file.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const choose = (page: Page, filter: string, option: string) => page.getByTestId(filter).selectOption({ label: option });
const legend = (page: Page) => page.getByRole('list', { name: 'Spend per day' }).getByRole('listitem');
const rows = (page: Page) => page.getByTestId('usage-table').getByRole('row');

test('a report is drawn at once and when its choices are shown, kept in the address over reload and Back, and exported', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers/customer/10001');
  await page.getByTestId('tab-usage').click();
  const chart = page.getByTestId('usage-chart');
  const plot = chart.getByRole('img', { name: 'Spend per day' });
  await plot.locator('.recharts-bar-rectangle path').nth(6).waitFor();
  assert.deepEqual([await legend(page).count(), await rows(page).count()], [1, 9]);

  const chosen = (filter: string, option: string) =>
    page.getByTestId(filter).locator(`option:checked:text-is("${option}")`);
  const show = () => page.getByTestId('usage-show').click();
  await choose(page, 'usage-by', 'By service');
  assert.equal(new URL(page.url()).searchParams.has('by'), false);
  await show();
  await plot.locator('.recharts-area-area').nth(1).waitFor();
  assert.ok((await legend(page).count()) > 1);

  await choose(page, 'usage-subscription', 'Production');
  await choose(page, 'usage-by', 'By resource');
  await choose(page, 'usage-days', 'Last 14 days');
  await show();
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
    await chosen(filter, option).waitFor({ state: 'attached' });
  const downloading = page.waitForEvent('download');
  await page.getByTestId('export-usage').click();
  await page.getByTestId('csv-usage').click();
  assert.match((await downloading).suggestedFilename(), /^10001 - Usage figures .*\.csv$/);

  await choose(page, 'usage-group', 'rg-data');
  await show();
  await legend(page).nth(3).waitFor({ state: 'detached' });
  assert.equal(await legend(page).count(), 3);
  // What was chosen together is one step back, and the choices go along.
  await page.goBack();
  await legend(page).nth(5).waitFor();
  await page.goBack();
  await plot.locator('.recharts-area-area').nth(1).waitFor();
  await chosen('usage-by', 'By service').waitFor({ state: 'attached' });
  await chosen('usage-days', 'Last 7 days').waitFor({ state: 'attached' });

  // The days of the table run as those of the chart, and end in what the period costs.
  await page.goto(`${portal.url}/customers/customer/10001/view/usage`);
  const days = page.getByTestId('usage-table').getByRole('rowheader');
  await days.nth(6).waitFor();
  const shown = await days.allInnerTexts();
  const inOrder = (day: string) => day.split('/').reverse().join('');
  assert.deepEqual(shown.map(inOrder), shown.map(inOrder).toSorted());
  const total = await page.getByTestId('usage-table').locator('tfoot').innerText();
  await page.getByTestId('tab-overview').click();
  const metered = await page.getByTestId('customer-metered').locator('dd').first().innerText();
  assert.ok(total.includes(metered.trim()), `${total} is ${metered}`);

  await page.goto(`${portal.url}/customers/customer/10002`);
  await page.getByTestId('tab-services').waitFor();
  assert.equal(await page.getByTestId('tab-usage').count(), 0);
});

test('a usage file, of another currency too, says what it changes before it is loaded, and is taken back', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers');
  const customer = await addCustomer(page, portal.url, uniqueName('Usage'));
  const send = async (costs: readonly string[], euros?: { readonly rate: string }): Promise<void> => {
    await page.goto(`${portal.url}/customers/customer/${customer}/usage-files`);
    const BillingCurrency = euros ? 'EUR' : 'GBP';
    const file = focusFile(
      costs.map((BilledCost, day) => ({ BilledCost, BillingCurrency, ChargePeriodStart: daysAgo(day + 1) })),
    );
    if (euros) await page.getByTestId('usage-rate').fill(euros.rate);
    await page
      .getByTestId('usage-file')
      .setInputFiles({ name: 'may.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.waitForURL('**/usage-files/*');
  };
  const change = page.getByTestId('usage-change');
  await send(['100.00']);
  await page.getByText('Nothing is loaded yet.').waitFor();
  await change.getByText('£100.00').waitFor();
  await axe(page);
  await page.getByTestId('load-usage').click();
  await page.getByText('The file was loaded.').waitFor();

  await send(['180.00', '10.00'], { rate: '0.5' });
  await page.getByTestId('usage-rate-used').getByText('0.5').waitFor();
  await change.getByText('−£5.00').waitFor();
  await page.getByTestId('load-usage').click();
  await page.getByTestId('undo-usage').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('This file was taken back.').waitFor();
  assert.deepEqual(
    [await page.getByTestId('load-usage').count(), await page.getByTestId('undo-usage').count()],
    [0, 0],
  );
});
