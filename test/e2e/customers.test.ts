import assert from 'node:assert/strict';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage } from '../fixtures/browser.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { accounts, signInContext } from '../fixtures/sign-in.ts';
import {
  addCustomer,
  openListeningPage,
  openListeningPageAs,
  openPageAs,
  uniqueName,
} from '../fixtures/signed-in-page.ts';
import { answer, cut, withUpstream } from '../fixtures/upstream.ts';

const reseller = 'reseller@northwind.test';

// Of its own: its tests count the customers, and others add some.
const upstream = withUpstream();
const portal = withPortalBefore(upstream);

const names = (page: Page) => page.getByTestId('customers-table').getByRole('rowheader').getByRole('link');
const range = (page: Page, text: string | RegExp = /./) =>
  page.getByTestId('customers-table').getByRole('status').filter({ hasText: text });
const search = (page: Page): string => new URL(page.url()).search;

/** The list shows another first row than before. */
async function turned(page: Page, before: string): Promise<void> {
  await names(page).first().filter({ hasNotText: before }).waitFor();
}

test('pages, their size and the total are kept in the address; reload and Back show the same rows again', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await range(page, /^1–25 of \d+$/).waitFor();
  const first = (await names(page).first().textContent()) as string;
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL('**/customers?page=2');
  await turned(page, first);
  const second = await names(page).allTextContents();
  await page.reload();
  await range(page, /^26–/).waitFor();
  assert.deepEqual(await names(page).allTextContents(), second);
  await page.getByLabel('Rows per page').selectOption('50');
  await page.waitForURL('**/customers?size=50');
  await range(page, /^1–\d+ of \d+$/).waitFor();
  await names(page).nth(30).waitFor();
  await page.goBack();
  await page.waitForURL('**/customers?page=2');
  await range(page, /^26–/).waitFor();
  assert.deepEqual(await names(page).allTextContents(), second);
  await page.goBack();
  await names(page).getByText(first, { exact: true }).waitFor();
  assert.equal(search(page), '');
});

test('a column sorts up, then down, says so to a screen reader and goes back to the first page', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?page=2&size=25');
  const users = page.getByRole('columnheader', { name: 'Users' });
  const counts = async () =>
    (await page.getByTestId('customers-table').locator('td[data-label="Users"]').allTextContents()).map(Number);
  await users.getByRole('button').click();
  await page.waitForURL('**/customers?size=25&sort=Users');
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Users' }).waitFor();
  await range(page, /^1–25/).waitFor();
  const up = await counts();
  assert.deepEqual(
    up,
    up.toSorted((a, b) => a - b),
  );
  await users.getByRole('button').click();
  await page.waitForURL('**sort=-Users');
  await page.locator('th[aria-sort="descending"]', { hasText: 'Users' }).waitFor();
  await page.waitForFunction(() => document.querySelector('table')?.ariaBusy !== 'true');
  const down = await counts();
  assert.deepEqual(
    down,
    down.toSorted((a, b) => b - a),
  );
  assert.deepEqual([up.length, down.length], [25, 25]);
  assert.equal(await page.locator('th[aria-sort]').count(), 1);
  await page.reload();
  await page.locator('th[aria-sort="descending"]', { hasText: 'Users' }).waitFor();
});

test('search waits for a pause in the typing, asks once, and keeps the words in the address', async t => {
  // Of whom no other test changes anything: news of a change would have the list asked for again.
  const page = await openListeningPageAs(t, portal, accounts.rival, '/customers');
  // What was read before the line for news was open is read again.
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  page.on('request', request => {
    const words = new URL(request.url()).searchParams.get('search');
    if (request.url().includes('/ui/data/customers.list') && words) asked.push(words);
  });
  await page.getByTestId('search-customers').evaluate((box: HTMLInputElement) => {
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
    for (let end = 1; end <= 'ashby'.length; end += 1) {
      set?.call(box, 'ashby'.slice(0, end));
      box.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await page.waitForURL('**/customers?search=ashby');
  await range(page, '1–1 of 1').waitFor();
  assert.deepEqual(await names(page).allTextContents(), ['Ashby Timber Merchants']);
  assert.deepEqual(asked, ['ashby']);
  await page.reload();
  await range(page, '1–1 of 1').waitFor();
  assert.equal(await page.getByTestId('search-customers').inputValue(), 'ashby');
});

test('status tabs narrow the list, show counts that fit it, and come back with Back', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?page=2');
  const tab = (name: RegExp) => page.getByTestId('status-filter').getByRole('tab', { name });
  await tab(/^Suspended/).click();
  await page.waitForURL('**/customers?status=Suspended');
  const count = Number(/\d+/.exec((await tab(/^Suspended/).textContent()) as string)?.[0]);
  await range(page, `1–${count} of ${count}`).waitFor();
  const statuses = await page.locator('td[data-label="Status"]').allTextContents();
  assert.deepEqual([...new Set(statuses)], ['Suspended']);
  await page.reload();
  assert.equal(await tab(/^Suspended/).getAttribute('aria-selected'), 'true');
  await names(page).first().click();
  await page.getByTestId('customer-tabs').waitFor();
  await page.goBack();
  await page.waitForURL('**/customers?status=Suspended');
  await range(page, `1–${count} of ${count}`).waitFor();
});

test('a reseller without customers is told how to begin', async t => {
  const page = await openPageAs(t, portal, 'empty@eastmoor.test', '/customers');
  const empty = page.getByTestId('customers-table');
  await empty.getByText('No customers yet').waitFor();
  await empty.getByRole('link', { name: 'Add customer' }).click();
  await page.waitForURL('**/customers/add');
});

test('a search without a match says so and is cleared with one press', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?search=nobodyhasthisname&status=Failed');
  await page.getByText('No customers match').waitFor();
  await page.getByTestId('clear').click();
  await range(page, /^1–25 of/).waitFor();
  assert.equal(search(page), '');
  assert.equal(await page.getByTestId('search-customers').inputValue(), '');
});

test('a list that cannot be read says so and is read again on request', async t => {
  const page = await newPage(t, portal.browser, { allow: [/status of (400|502|504)/] });
  t.after(() => {
    upstream.fault = undefined;
  });
  await signInContext(page.context(), portal.url, reseller);
  upstream.fault = (request, response) =>
    /^\/api\/customers(\?|$)/.test(request.url ?? '') ? cut(request, response) : undefined;
  await page.goto(`${portal.url}/customers`);
  await page.getByRole('alert').getByText('We cannot reach the cloud service right now.').waitFor();
  // What was only not reached a page reads again by itself, a refusal not: there the press decides.
  upstream.fault = answer('/api/customers', 400, 'application/json', '{"Succeed":false,"Error":"Closed today."}');
  // Once the page hears the server, it reads what it may have missed.
  await openListeningPage(page, `${portal.url}/customers`);
  await page.getByRole('alert').getByText('Closed today.').waitFor();
  upstream.fault = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  await range(page, /^1–25 of 40$/).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('on a phone rows are cards that keep every value with its name, and nothing scrolls sideways', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?search=dental', {
    viewport: { width: 390, height: 844 },
  });
  await names(page).first().waitFor();
  const cell = page.locator('td[data-label="Status"]').first();
  assert.equal(await cell.evaluate(element => getComputedStyle(element).display !== 'table-cell'), true);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(overflow <= 0, `${overflow} px too wide`);
});

test('the menu of a row works by keyboard and returns the focus', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?search=brightwater');
  const button = page.getByRole('button', { name: 'Actions for Brightwater Dental Group' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Open' }).waitFor();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator(':focus').textContent(), 'Rename');
  await page.keyboard.press('Escape');
  assert.equal(await button.evaluate(element => element === document.activeElement), true);
  await page.keyboard.press('Enter');
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Rename Brightwater Dental Group' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await button.evaluate(element => element === document.activeElement), true);
});

/** Exports as CSV and gives the name and the rows of the file. */
async function exported(page: Page): Promise<{ name: string; rows: string[] }> {
  await page.getByTestId('export-customers').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('csv-customers').click()]);
  const text = await readText(await download.createReadStream());
  return {
    name: download.suggestedFilename(),
    rows: text
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n'),
  };
}

test('the export holds exactly the current filter, and cells that a spreadsheet would run are escaped', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const word = uniqueName('Formula');
  await addCustomer(page, portal.url, `+1+1 ${word}`);
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(word)}`);
  await range(page, '1–1 of 1').waitFor();
  const one = await exported(page);
  assert.match(one.name, /^Customers \d{4}-\d\d-\d\d\.csv$/);
  assert.equal(one.rows.length, 2);
  assert.ok(one.rows[1]?.startsWith(`'+1+1 ${word}`), one.rows[1]);
  await page.goto(`${portal.url}/customers?status=Failed&sort=-Name`);
  await range(page).waitFor();
  const shown = await names(page).allTextContents();
  const failed = await exported(page);
  assert.deepEqual(
    failed.rows.slice(1).map(row => row.split(',')[0]?.replaceAll('"', '')),
    shown,
  );
  assert.match(failed.rows[0] as string, /Per month/);
});

test('the export of an engineer, who has no prices, has no spend', async t => {
  const page = await openPageAs(t, portal, 'engineer@northwind.test', '/customers?search=dental');
  await range(page, '1–1 of 1').waitFor();
  const { rows } = await exported(page);
  assert.equal(rows.length, 2);
  assert.doesNotMatch(rows.join(), /Per month|£/);
});

test('rows of one status never stand under another whose rows could not be read', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers', {
    allow: [/ERR_INTERNET_DISCONNECTED/, /ERR_FAILED/],
  });
  const table = page.getByTestId('customers-table');
  await table.getByRole('rowheader').first().waitFor();
  await page.route('**/ui/data/customers.list?*', route => route.abort('internetdisconnected'));
  await page.getByRole('tab', { name: /^Failed/ }).click();
  const failed = page.getByRole('alert').filter({ hasText: 'Try again' });
  await failed.waitFor();
  assert.equal(await page.getByRole('rowheader').count(), 0);
  assert.equal(await page.getByText(/^1–25 of/).count(), 0);
  await page.unroute('**/ui/data/customers.list?*');
  await failed.getByRole('button', { name: 'Try again' }).click();
  await table.getByRole('rowheader').first().waitFor();
  const statuses = await table.locator('tbody .status').allInnerTexts();
  assertEvery(statuses, status => /failed/i.test(status));
});

test('rows of one status are marked as busy while those of another are on their way, and then go', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const rows = page.getByTestId('customers-table').getByRole('rowheader');
  await rows.first().waitFor();
  let goOn = () => {};
  const held = new Promise<void>(resolve => {
    goOn = resolve;
  });
  await page.route('**/ui/data/customers.list?*', async route => {
    await held;
    await route.continue();
  });
  await page.getByRole('tab', { name: /^Failed/ }).click();
  await page.locator('[data-testid=customers-table] table[aria-busy=true]').waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-testid=customers-table] tbody a'));
  assert.equal(await page.getByText(/^1–25 of/).count(), 0);
  goOn();
  await rows.first().waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});
