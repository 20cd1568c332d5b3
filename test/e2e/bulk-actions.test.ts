import assert from 'node:assert/strict';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { boxes, names, openCustomers, part } from '../fixtures/customers-table.ts';
import { inspect } from '../fixtures/inspect.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';
const engineer = 'engineer@northwind.test';
const matcher = 'matcher@fairbank.test';

// What is done to many customers here would be seen by the other files: they have a portal of their own.
const portal = withBrowserPortal(unhurried);

const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const count = (page: Page) => part(page, 'bulk').getByRole('status');
const dialog = (page: Page) => part(page, 'bulk-dialog');

/** Chooses the rows of these customers. */
async function choose(page: Page, customers: readonly string[]): Promise<void> {
  for (const name of customers) await box(page, name).check();
}

/** Names of the first active customers, as a search for them alone finds them. */
async function activeNames(page: Page, wanted: number): Promise<string[]> {
  await openCustomers(page, portal.url, '/customers?status=Active');
  return (await names(page).allTextContents()).slice(0, wanted);
}

/** The status that the list shows of a customer. */
async function statusOf(page: Page, name: string): Promise<string> {
  await openCustomers(page, portal.url, `/customers?search=${encodeURIComponent(name)}`);
  return await page.locator('td[data-label="Status"]').first().innerText();
}

async function press(page: Page, name: string): Promise<void> {
  await dialog(page).getByTestId(`customers-table-bulk-${name}`).click();
}

test('rows stay chosen on other pages and in another order, and all that match are chosen with one press', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const first = (await names(page).first().textContent()) as string;
  await box(page, first).check();
  await count(page).getByText('1 selected').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL('**page=2');
  await names(page).first().filter({ hasNotText: first }).waitFor();
  await part(page, 'select-page').check();
  await count(page).getByText('16 selected').waitFor();
  await page.getByRole('columnheader', { name: 'Users' }).getByRole('button').click();
  await page.waitForURL('**sort=Users');
  await count(page).getByText('16 selected').waitFor();
  await part(page, 'select-matching').click();
  await count(page).getByText('40 selected').waitFor();
  assert.equal(await part(page, 'select-matching').count(), 0);
  await page.waitForFunction(() => document.querySelectorAll('tbody input:checked').length === 25);
  await part(page, 'clear-selection').click();
  await part(page, 'bulk').waitFor({ state: 'detached' });
  assert.equal(await page.locator('tbody input:checked').count(), 0);
});

test('so many rows are chosen at most that a browser can do something with each', async t => {
  const page = await openPageAs(t, portal, matcher, '/customers');
  await boxes(page).first().check();
  await part(page, 'select-matching').getByText('Select the first 1,000 that match').click();
  await count(page).getByText('1,000 selected').waitFor();
  assert.equal(await part(page, 'select-matching').count(), 0);
});

test('Shift with a click chooses all between, and a box is worked by keys alone', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await boxes(page).nth(1).click();
  await boxes(page)
    .nth(4)
    .click({ modifiers: ['Shift'] });
  await count(page).getByText('4 selected').waitFor();
  assert.equal(await page.evaluate(() => getSelection()?.toString()), '');
  await boxes(page).nth(6).focus();
  await page.keyboard.press('Shift+Space');
  await count(page).getByText('6 selected').waitFor();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await count(page).getByText('8 selected').waitFor();
  await page.keyboard.press('Shift+ArrowUp');
  await count(page).getByText('7 selected').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await count(page).getByText('6 selected').waitFor();
  assert.ok(
    await boxes(page)
      .nth(6)
      .evaluate(element => element === document.activeElement),
  );
});

test('each row has its result: what failed is told with the reason and tried again alone, what was done is taken back', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const chosen = await activeNames(page, 3);
  const [, second = ''] = chosen;
  await choose(page, chosen);
  await page.getByTestId('bulk-suspend-selected').click();
  await dialog(page).getByRole('heading', { name: 'Suspend 3 customers?' }).waitFor();
  assertEvery(chosen, name => name.length > 0);
  // While the question stands somebody else suspends one of them.
  const other = await openPageAs(t, portal, reseller, `/customers?search=${encodeURIComponent(second)}`);
  const actOnSecond = async (entry: string) => {
    await other.getByRole('button', { name: `Actions for ${second}` }).click();
    await other.getByTestId(entry).click();
  };
  await actOnSecond('row-suspend');
  await other.getByTestId('question-yes').click();
  await other.getByText(`${second} is suspended.`).waitFor();
  await press(page, 'begin');
  await dialog(page).getByText('2 done, 1 failed, 0 not started').waitFor();
  const failed = dialog(page).getByRole('listitem').filter({ hasText: second });
  await failed.getByText('Failed').waitFor();
  await failed.getByText('This customer is suspended already.').waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'csv')]);
  const lines = (await readText(await download.createReadStream()))
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n');
  assert.equal(lines[0], 'Customer,Domain,Result,Reason');
  assert.equal(lines.length, 4);
  assert.match(lines.find(line => line.startsWith(second)) ?? '', /,Failed,This customer is suspended already\.$/);
  await axe(page);
  await hasTestIds(page);

  await actOnSecond('row-reactivate');
  await other.getByText(`${second} is active again.`).waitFor();
  const sent: string[] = [];
  page.on('request', request => void (request.url().includes('/ui/call/') && sent.push(request.url())));
  await press(page, 'retry');
  await dialog(page).getByText('3 done, 0 failed, 0 not started').waitFor();
  assert.equal(sent.length, 1);
  await press(page, 'undo');
  await dialog(page).getByText('Taken back').nth(2).waitFor();
  await press(page, 'close');
  await dialog(page).waitFor({ state: 'detached' });
  for (const name of chosen) assert.notEqual(await statusOf(page, name), 'Suspended');
});

test('rows that an action is not for are named with the reason and left alone', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?status=Suspended');
  const suspended = (await names(page).first().textContent()) as string;
  const [active = ''] = await activeNames(page, 1);
  await openCustomers(page, portal.url, '/customers?size=50');
  await choose(page, [active, suspended]);
  await page.getByTestId('bulk-suspend-selected').click();
  await dialog(page).getByRole('heading', { name: 'Suspend 1 customer?' }).waitFor();
  const leftOut = part(page, 'bulk-left-out');
  assert.equal(await leftOut.getByRole('listitem').count(), 1);
  assert.match(await leftOut.innerText(), new RegExp(`${suspended}\\s+Suspended already`));
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await count(page).getByText('2 selected').waitFor();
});

test('leaving in the middle asks; what was stopped goes on where it was', async t => {
  const page = await openPageAs(t, portal, reseller, '/dashboard');
  await page.getByRole('link', { name: 'Customers', exact: true }).first().click();
  await page.getByRole('tab', { name: /^Active/ }).click();
  await page.waitForURL('**status=Active');
  await page.locator('[data-testid=customers-table] [aria-busy=true]').waitFor({ state: 'detached' });
  await choose(page, (await names(page).allTextContents()).slice(0, 8));
  let letGo = () => {};
  const held = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let heard = 0;
  await page.route('**/ui/call/customers.*', async route => {
    heard += 1;
    await held;
    await route.continue();
  });
  await page.getByTestId('bulk-suspend-selected').click();
  await press(page, 'begin');
  await dialog(page).getByText('Under way').first().waitFor();
  await page.evaluate(() => history.go(-2));
  const question = page.getByTestId('question');
  await question.getByText('0 of 8 are done.').waitFor();
  await page.getByTestId('question-no').click();
  await question.waitFor({ state: 'detached' });
  await press(page, 'stop');
  letGo();
  await dialog(page).getByText('4 done, 0 failed, 4 not started').waitFor();
  assert.equal(heard, 4);
  await press(page, 'go-on');
  await dialog(page).getByText('8 done, 0 failed, 0 not started').waitFor();
  await press(page, 'undo');
  await dialog(page).getByText('Taken back').nth(7).waitFor();
  assert.equal(heard, 16);
  await press(page, 'close');
  await page.unrouteAll({ behavior: 'wait' });
});

test('whoever may change nothing has no boxes, and no total of what is hidden', async t => {
  const page = await openPageAs(t, portal, engineer, '/customers');
  await names(page).first().waitFor();
  await part(page, 'display').waitFor();
  assert.equal(await page.getByTestId('customers-table').getByRole('checkbox').count(), 0);
  assert.equal(await page.locator('tfoot').count(), 0);
  const layout = await page.evaluate(async () => (await fetch('/ui/screen?path=/customers')).text());
  assert.doesNotMatch(layout, /bulk|MonthlySpend/);
});

test('users are suspended and deleted many at a time', async t => {
  const page = await openPageAs(
    t,
    portal,
    reseller,
    '/customers/customer/10001?tab=users&usersStatus=Active&usersType=endUser',
  );
  const users = page.getByTestId('users-table');
  const rows = users.getByTestId('users-table-select-row');
  await rows.nth(1).waitFor();
  const people = (await users.getByRole('rowheader').getByRole('link').allTextContents()).slice(-2);
  for (const name of people) await users.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByTestId('bulk-suspend-chosen-users').click();
  const own = page.getByTestId('users-table-bulk-dialog');
  await own.getByTestId('users-table-bulk-begin').click();
  await own.getByText('2 done, 0 failed, 0 not started').waitFor();
  await own.getByTestId('users-table-bulk-close').click();
  await page.goto(`${portal.url}/customers/customer/10001?tab=users&usersStatus=Suspended`);
  for (const name of people) await users.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByTestId('bulk-delete-chosen-users').click();
  await own.getByText(/For 30 days .Deleted users. brings them back/).waitFor();
  await own.getByTestId('users-table-bulk-begin').click();
  await own.getByText('2 done, 0 failed, 0 not started').waitFor();
  await own.getByTestId('users-table-bulk-undo').waitFor();
  await own.getByTestId('users-table-bulk-close').click();
  for (const name of people) await users.getByText(name, { exact: true }).waitFor({ state: 'detached' });
});

test('choosing rows is accessible on a wide page and on a phone, and the question gives the focus back', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await names(page).first().waitFor();
  await boxes(page).first().check();
  await boxes(page).nth(2).check();
  await count(page).getByText('2 selected').waitFor();
  await inspect(page, 'chosen-rows');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByTestId('bulk-suspend-selected').click();
    await dialog(page)
      .getByRole('heading', { name: /^Suspend/ })
      .waitFor();
    if (width === 390) await inspect(page, 'bulk-question');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    assert.ok(await page.getByTestId('bulk-suspend-selected').evaluate(element => element === document.activeElement));
  }
});
