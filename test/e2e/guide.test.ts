import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { daysAgo, focusFile } from '../fixtures/focus-file.ts';
import { readGuideEdits, takeGuideEdit } from '../fixtures/guide-edits.ts';
import { setUp } from '../fixtures/set-up.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal(unhurried);

type Json = Record<string, unknown>;

/** Writes what the guide tells to write, while the portal runs. The screen with the nodes that lead elsewhere comes last. */
setUp(async () => {
  const files = new Map<string, Json>();
  for (const edit of readGuideEdits(await readFile('schemas/README.md', 'utf8'))) {
    if (!files.has(edit.file) && edit.does !== 'file')
      files.set(edit.file, JSON.parse(await readFile(join(portal.schemas, edit.file), 'utf8')));
    takeGuideEdit(files, edit);
  }
  for (const [file, document] of [...files].sort(([a]) => (a === 'hello/hello.json' ? 1 : -1))) {
    await mkdir(dirname(join(portal.schemas, file)), { recursive: true });
    await writeFile(join(portal.schemas, file), JSON.stringify(document));
  }
});

/** A page of somebody with a screen of the guide, once the portal has taken the guide over. */
async function openGuide(t: TestContext, username: string, path: string, testId: string): Promise<Page> {
  const page = await openPageAs(t, portal, username, '/customers');
  await eventually(async () => {
    await page.goto(portal.url + path);
    return (await page.getByTestId(testId).count()) > 0;
  }, `${path} is on the page`);
  return page;
}

test('the wizard of the guide is written while the portal runs, gone through, and adds one customer', async t => {
  const page = await openGuide(t, accounts.reseller, '/hello', 'new-customer');
  const name = uniqueName('Guide');
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await page.getByLabel('Customer name').fill(name);
  await page.getByLabel('Domain').fill('guide.test');
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'Phone' }).count(), 0, 'a hidden step is not listed');
  await page.getByLabel('There is a phone number').check();
  await next.click();
  await page.getByLabel('Phone', { exact: true }).fill('12');
  await next.click();
  await page.getByLabel('Phone', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor();
  await page.getByLabel('Phone', { exact: true }).fill('01632960123');
  await next.click();
  await page.getByLabel('Contact name').fill('Grace');
  await page.getByLabel('Contact email').fill('grace@guide.test');
  await next.click();
  await page.getByText('01632960123').waitFor();
  await axe(page);
  await page.getByTestId('new-customer').getByRole('button', { name: 'Back' }).click();
  assert.equal(await page.getByLabel('Contact name').inputValue(), 'Grace');
  await next.click();
  await page.getByRole('button', { name: 'Add the customer' }).dblclick();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  await page.getByTestId('customers-table').locator('tbody tr').first().waitFor();
  await eventually(
    async () => (await page.getByTestId('customers-table').getByText(name, { exact: true }).count()) === 1,
  );
});

test('the orders of the guide have a filter, a chart and a timeline, and prices for those alone who see them', async t => {
  const page = await openGuide(t, accounts.reseller, '/hello/orders', 'orders-table');
  const name = uniqueName('Guide');
  const customer = await addCustomer(page, portal.url, name);
  await page.goto(`${portal.url}/customers/customer/${customer}/add-service/share-point`);
  await page.getByTestId('order-details-Domain').fill('guide.test');
  await page.getByTestId('order-details-submit').click();
  await page.getByTestId('order-check-submit').click();
  await page.getByTestId('order-check-submit').waitFor({ state: 'detached' });

  await page.goto(`${portal.url}/hello/orders`);
  await page.getByRole('heading', { level: 1, name: 'All orders' }).waitFor();
  const rows = page.getByTestId('orders-table').locator('tbody tr');
  await rows.filter({ hasText: name }).waitFor();
  await page.getByRole('combobox', { name: 'Customer:' }).fill(name);
  await page.getByRole('option', { name }).click();
  await page.waitForURL(url => url.searchParams.get('customerId') === customer);
  await rows.filter({ hasText: name }).waitFor();
  await eventually(async () => (await rows.count()) === 1);
  await page.getByRole('columnheader', { name: 'Per month' }).waitFor();
  await page.getByRole('img', { name: 'Per month' }).waitFor();
  await page.getByTestId('items-timeline').getByText('Quantity').waitFor();
  await axe(page);

  const engineer = await openGuide(t, accounts.engineer, '/hello/orders', 'orders-table');
  await engineer.getByRole('columnheader', { name: 'Quantity' }).waitFor();
  assert.equal(await engineer.getByText('Per month').count(), 0);
});

test('the popup of the guide sends a file from the menu of a row', async t => {
  const page = await openGuide(t, accounts.reseller, '/hello', 'customers-table');
  await page
    .getByTestId('customers-table')
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Send usage…' }).click();
  const popup = page.getByRole('dialog', { name: /^Send usage of / });
  await popup.locator('input[type=file]').setInputFiles({
    name: 'usage.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(focusFile([{ ChargePeriodStart: daysAgo(2), ChargePeriodEnd: daysAgo(1) }])),
  });
  await axe(page);
  await popup.getByRole('button', { name: 'Send the file' }).click();
  await page.getByText('The file was taken').waitFor();
  assert.equal(await popup.count(), 0);
});
