import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { readPdf } from '../fixtures/pdf-text.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

/** The first amount of money that stands in a part of the page. */
async function amountIn(page: Page, testId: string): Promise<string> {
  const place = page.getByTestId(testId);
  await place.getByText(/£/).first().waitFor();
  return (
    (await place.innerText()).replace(/\s/g, '').match(/−?£[\d,]+\.\d\d/)?.[0] ?? assert.fail(`${testId} has no amount`)
  );
}

test('a bookkeeper finds what is owed, why it is more, which customer caused it, and takes the PDF along', async t => {
  const page = await openPageAs(t, portal, 'bookkeeper@northwind.test', '/billing');
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
  assert.deepEqual(await page.getByRole('navigation', { name: 'Main' }).getByRole('button').allInnerTexts(), [
    'Billing',
  ]);

  // What is owed.
  const latest = await amountIn(page, 'latest-amount');
  await page.getByTestId('balance').waitFor();

  // What can be paid at once, and of which invoice.
  const [, offered] =
    (await page.getByTestId('pay-first').innerText()).match(/^Pay £[\d,]+\.\d\d of (FH-\d+)$/) ?? assert.fail();
  await page.getByTestId('pay-first').click();
  await page
    .getByRole('dialog', { name: `Pay invoice ${offered}` })
    .getByTestId('default-method')
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByTestId('balance').getByRole('link').click();
  await page.waitForURL(address => address.searchParams.get('status') === 'Open');
  const open = page
    .getByTestId('invoices-list')
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^FH-/ }) });
  await open.first().waitFor();
  for (const text of await open.allInnerTexts()) assert.doesNotMatch(text, /Paid/);
  await page.goBack();

  // Why it is more than last month, and which customer caused it.
  const why = page.getByTestId('why-more');
  await why.getByText(/^Charges differ from those for .* by .* before tax/).waitFor();
  await page.getByTestId('changes-by').getByText('By customer').click();
  await page.getByTestId('changes-by-customer').getByRole('row').nth(1).waitFor();
  await page.getByTestId('changes-by').getByText('By charge').click();
  const first = page.getByTestId('changes').getByRole('row').nth(1);
  const customer = (await first.getByRole('rowheader').innerText()).trim();
  await first.getByRole('link', { name: customer }).click();
  await page.getByRole('heading', { name: /^Invoice FH-\d+$/ }).waitFor();
  const lines = page.getByTestId('lines');
  await lines.getByRole('row').nth(1).waitFor();
  for (const cell of await lines
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
    .all()) {
    const text = await cell.innerText();
    if (!text.startsWith('Total')) assert.match(text, new RegExp(customer.replace(/[()]/g, '\\$&')));
  }

  // A line says why.
  await lines.getByRole('row').nth(1).getByRole('rowheader').getByRole('link').click();
  await page.getByTestId('why-line').getByText('Before rounding').waitFor();
  await page.goBack();

  // The papers.
  const number = (await page.getByRole('heading', { level: 1 }).innerText()).replace('Invoice ', '');
  const downloading = page.waitForEvent('download');
  await page.getByTestId('invoice-pdf').click();
  const file = await downloading;
  assert.equal(file.suggestedFilename(), `${number}.pdf`);
  const { text } = readPdf(await buffer(await file.createReadStream()));
  assert.ok(text.includes(latest), `the PDF says ${latest}`);
});

test('credit memos, history, totals and prices are found from billing', async t => {
  const page = await openPageAs(t, portal, 'bookkeeper@northwind.test', '/billing');
  await page.getByTestId('to-invoices').click();
  await page.getByTestId('tab-memos').click();
  await page.getByTestId('memos-list').getByRole('link', { name: /^CM-/ }).first().click();
  await page.getByRole('heading', { name: /^Credit memo CM-\d+$/ }).waitFor();
  await page.goBack();
  await page.getByTestId('tab-history').click();
  await page.getByTestId('history-list').getByText('Credit memo issued').first().waitFor();
  await page.getByTestId('history-list').getByRole('link', { name: /^CM-/ }).first().waitFor();
  await page.getByTestId('nav-billing').click();
  await page.getByTestId('nav-account-totals').click();
  await page.getByTestId('totals').getByRole('row').nth(1).waitFor();
  await page.getByTestId('nav-billing').click();
  await page.getByTestId('nav-pricing').click();
  await page
    .getByTestId('prices')
    .getByRole('row', { name: /Hosted Exchange/ })
    .waitFor();
});

test('a price is changed from the price list, and its margin with it', async t => {
  const page = await openPageAs(t, portal, 'bookkeeper@northwind.test', '/billing/pricing?search=team');
  const row = page.getByTestId('prices').getByRole('row', { name: /Team Sites/ });
  await row.getByRole('button', { name: 'Actions for Team Sites' }).click();
  await page.getByTestId('change-price').click();
  const price = page.getByRole('dialog').getByRole('textbox');
  await price.fill('1.999');
  await page.getByRole('button', { name: 'Save price' }).click();
  await page.getByText('Must be an amount with at most two decimals').first().waitFor();
  await price.fill('3.35');
  await page.getByRole('button', { name: 'Save price' }).click();
  await page.getByText('The price of Team Sites was saved').waitFor();
  await row.getByText('£0.60').waitFor();
});

test('the customer’s page and the dashboard lead to what was billed', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers/customer/10001?tab=billing');
  await page.getByTestId('billed').getByRole('link', { name: /^FH-/ }).first().waitFor();
  await page.goto(`${portal.url}/dashboard`);
  await page.getByTestId('dashboard-invoice').getByRole('link', { name: /^FH-/ }).click();
  await page.getByRole('heading', { name: /^Invoice FH-\d+$/ }).waitFor();
});
