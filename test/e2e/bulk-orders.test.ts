import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { addCustomer, openListeningPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortalBefore(cloud);
const reseller = 'reseller@northwind.test';
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Adds five customers of whom the fourth holds Web Protection and the fifth is suspended; gives them by name. */
async function addFive(page: Page): Promise<{ readonly word: string; readonly ids: readonly string[] }> {
  const word = uniqueName('Rollout');
  const ids: string[] = [];
  for (const letter of ['a', 'b', 'c', 'd', 'e']) ids.push(await addCustomer(page, portal.url, `${word} ${letter}`));
  const token = await cloud.signIn(reseller);
  const order = { ServiceId: 3, SubId: 1, Action: 'Add', Quantity: 1, TermId: 'monthly', BillingId: 'monthly' };
  const body = { ...order, CustomerId: ids[3], Fields: { Domain: 'held.test' } };
  const placed = await cloud.call(token, 'POST', '/api/orders', body);
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  for (let phase = 0; phase < 6; phase++) await cloud.tickOnce();
  await cloud.call(token, 'POST', `/api/customers/${ids[4]}/suspend`);
  return { word, ids };
}

/** Chooses a button or box by the keys alone. */
async function pressKey(page: Page, testId: string, key = 'Enter'): Promise<void> {
  await page.getByTestId(testId).focus();
  await page.keyboard.press(key);
}

for (const width of [1440, 390])
  test(`five chosen customers, of whom one holds it and one is suspended, are sold to by the keyboard at ${width} px`, async t => {
    const viewport = { width, height: 844 };
    const page = await openListeningPageAs(t, portal, reseller, '/customers/add', { viewport });
    const { word, ids } = await addFive(page);
    await page.goto(`${portal.url}/customers?search=${encodeURIComponent(word)}`);
    for (const letter of ['a', 'b', 'c', 'd', 'e']) {
      await page.getByRole('checkbox', { name: `Select ${word} ${letter}`, exact: true }).focus();
      await page.keyboard.press('Space');
    }
    await page.getByTestId('add-to-chosen').waitFor();
    await pressKey(page, 'add-to-chosen');
    await page.getByTestId('bulk-product-for-3-1').waitFor();
    await pressKey(page, 'bulk-product-for-3-1');
    await heading(page, 'Add Email Security to 3 customers').waitFor();
    // Who cannot have it is named with the reason, and is not chosen.
    await page.getByTestId('left-out').getByText('2 customers are left out and are not charged').waitFor();
    await page.getByTestId(`bulk-customers-leftOut-${ids[3]}`).getByText('has already been added').waitFor();
    await page.getByTestId(`bulk-customers-leftOut-${ids[4]}`).getByText('This customer is suspended.').waitFor();
    assert.equal(await page.getByTestId('customers-count').textContent(), '3 customers chosen');
    await pressKey(page, 'bulk-customers-submit');

    const quantity = (at: number) => page.getByTestId(`bulk-details-values-${ids[at]}-Quantity`);
    const domain = (at: number) => page.getByTestId(`bulk-details-values-${ids[at]}-Domain`);
    await quantity(0).waitFor();
    assert.equal(await domain(0).inputValue(), 'example.test', 'from the record');
    assert.equal(await quantity(3).count(), 0);
    await quantity(1).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('5');
    await domain(2).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('own.test');
    await Promise.all([axe(page), hasTestIds(page)]);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await pressKey(page, 'bulk-details-submit');

    const check = page.getByTestId('bulk-check');
    // One, five and one mailbox.
    await check.getByText('£9.80').first().waitFor();
    await page.getByTestId(`bulk-check-ordered-${ids[1]}`).getByText('£7.00').waitFor();
    await page.getByTestId(`bulk-check-ordered-${ids[2]}`).getByText('own.test').waitFor();
    assert.equal(await page.getByTestId(`bulk-check-ordered-${ids[4]}`).count(), 0);
    await page.getByRole('button', { name: 'Place order for 3 customers', exact: true }).focus();
    await page.keyboard.press('Enter');
    // The result tells all five: done, and not eligible with the reason.
    await heading(page, 'Email Security for 5 customers').waitFor();
    for (let phase = 0; phase < 6; phase++) await cloud.tickOnce();
    const table = page.getByTestId('bulk-table');
    await table.getByText('Done', { exact: true }).nth(2).waitFor();
    await table.getByText('£7.00').waitFor();
    const outcomeOf = (at: number) => table.getByRole('row').filter({ hasText: `${word} ${'abcde'[at]}` });
    await outcomeOf(3).getByText('Not eligible').waitFor();
    await outcomeOf(3).getByText('Email Security has already been added.').waitFor();
    await outcomeOf(4).getByText('This customer is suspended.').waitFor();
    await page.getByRole('tab', { name: 'Done 3' }).waitFor();
    await page.getByRole('tab', { name: 'Not eligible 2' }).waitFor();
    const token = await cloud.signIn(reseller);
    const orders = (await cloud.call(token, 'GET', `/api/orders?search=${encodeURIComponent(word)}`)).body.Result;
    assert.equal(orders.Total, 4, 'three of them, and the one that was held before');
    await page.getByText(/^Placed .* by Priya Raman$/).waitFor();

    await page.goto(`${portal.url}/orders/bulk`);
    // A row opens as a whole, not by its name alone.
    const newest = page.getByTestId('bulk-orders-table').getByRole('row').filter({ hasText: 'Email Security' }).first();
    await newest.getByRole('cell').first().click();
    await heading(page, 'Email Security for 5 customers').waitFor();
  });

test('the values of each customer are taken from a CSV file, which says what it could not use', async t => {
  const page = await openListeningPageAs(t, portal, reseller, '/customers/add');
  const word = uniqueName('Import');
  const ids = [await addCustomer(page, portal.url, `${word} a`), await addCustomer(page, portal.url, `${word}, b`)];
  await page.goto(`${portal.url}/services/3/1/add-to-many?customers=${ids.join(',')}`);
  await page.getByTestId('bulk-customers-submit').click();
  const field = (at: number, name: string) => page.getByTestId(`bulk-details-values-${ids[at]}-${name}`);
  await field(0, 'Quantity').waitFor();
  const lines = ['Customer,Domain,Quantity', `${ids[0]},one.test,12`, `"${word}, b",,7`, 'Nobody at all,x.test,3'];
  const file = { name: 'values.csv', mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`) };
  await page.getByTestId('bulk-details-values-file').setInputFiles(file);
  const used = page.getByTestId('bulk-details-values-used');
  await used.getByText('2 rows used. Not among these customers: Nobody at all').waitFor();
  assert.deepEqual(
    [await field(0, 'Quantity').inputValue(), await field(0, 'Domain').inputValue()],
    ['12', 'one.test'],
  );
  assert.equal(await field(1, 'Quantity').inputValue(), '7');
  assert.equal(await field(1, 'Domain').inputValue(), 'example.test', 'an empty cell changes nothing');
  const wrong = { ...file, buffer: Buffer.from(`${ids[1]},many,no domain`) };
  await page.getByTestId('bulk-details-values-file').setInputFiles(wrong);
  await used.getByText('1 row used.', { exact: true }).waitFor();
  await page
    .getByTestId(`bulk-details-values-${ids[1]}`)
    .getByText('Must be a domain, for example contoso.com')
    .waitFor();
  await Promise.all([axe(page), hasTestIds(page)]);
});

test('what failed for some customers is told apart, and tried again', async t => {
  const page = await openListeningPageAs(t, portal, reseller, '/customers/add');
  const word = uniqueName('Retry');
  const ids = [await addCustomer(page, portal.url, `${word} a`), await addCustomer(page, portal.url, `${word} b`)];
  await page.goto(`${portal.url}/services/5/1/add-to-many?customers=${ids.join(',')}`);
  await page.getByTestId('bulk-customers-submit').click();
  // Thirteen fail the first time.
  await page.getByTestId(`bulk-details-values-${ids[1]}-Quantity`).fill('13');
  await page.getByTestId('bulk-details-submit').click();
  await page.getByTestId('bulk-check-submit').click();
  await heading(page, /^.* for 2 customers$/).waitFor();
  for (let phase = 0; phase < 6; phase++) await cloud.tickOnce();
  const table = page.getByTestId('bulk-table');
  await table.getByText('Failed', { exact: true }).waitFor();
  await table.getByText('There was no room for all of them just now.').waitFor();
  await page.getByRole('button', { name: 'Retry 1 failed' }).click();
  for (let phase = 0; phase < 6; phase++) await cloud.tickOnce();
  await table.getByText('Done', { exact: true }).nth(1).waitFor();
  await page.getByTestId('retry-failed').waitFor({ state: 'detached' });
});

test('a product that nobody holds is added to several customers from its page and from the New menu', async t => {
  const page = await openListeningPageAs(t, portal, reseller, '/marketplace/2/1');
  await page.getByTestId('product-add').waitFor();
  assert.equal(await page.getByRole('link', { name: 'Add to several customers' }).count(), 1, 'one door');
  await page.getByTestId('product-add-to-many').click();
  await heading(page, 'Add Team Sites to several customers').waitFor();
  await page.getByTestId('menu-new').click();
  await page.getByRole('menuitem', { name: 'Add to several customers' }).click();
  await page.getByTestId('bulk-product-2-1').click();
  await heading(page, 'Add Team Sites to several customers').waitFor();
  assert.ok(!page.url().includes('customers='), page.url());
});

test('while the values of customers are typed, the price of each row and the sum follow', async t => {
  const page = await openListeningPageAs(t, portal, reseller, '/customers/add');
  const word = uniqueName('Totals');
  const ids = [await addCustomer(page, portal.url, `${word} a`), await addCustomer(page, portal.url, `${word} b`)];
  await page.goto(`${portal.url}/services/3/1/add-to-many?customers=${ids.join(',')}`);
  await page.getByTestId('bulk-customers-submit').click();
  const row = (at: number) => page.getByTestId(`bulk-details-values-${ids[at]}`);
  const bar = page.getByTestId('bulk-details-bar');
  await row(0).getByText('£1.40').waitFor();
  await bar.getByText('£2.80').waitFor();
  await page.getByTestId(`bulk-details-values-${ids[1]}-Quantity`).fill('5');
  await row(1).getByText('£7.00').waitFor();
  await bar.getByText('£8.40').waitFor();
  // Who has something to correct is in no sum.
  await page.getByTestId(`bulk-details-values-${ids[0]}-Domain`).fill('no domain');
  await bar.getByText('£7.00').waitFor();
  await page.getByTestId(`bulk-details-values-${ids[0]}-Domain`).fill('one.test');
  await bar.getByText('£8.40').waitFor();
  await page.getByTestId('bulk-details-submit').click();
  const agreements = page.getByTestId('order-agreements');
  await agreements.getByText('Mail services agreement').waitFor();
  await agreements.getByText('Signed').first().waitFor();
  await page.getByTestId('bulk-check').getByText('£8.40').first().waitFor();
});

test('a bulk order is taken back: the result tells of each customer what was cancelled', async t => {
  const page = await openListeningPageAs(t, portal, reseller, '/customers/add');
  const word = uniqueName('Undo');
  const ids = [await addCustomer(page, portal.url, `${word} a`), await addCustomer(page, portal.url, `${word} b`)];
  await page.goto(`${portal.url}/services/3/1/add-to-many?customers=${ids.join(',')}`);
  for (const step of ['customers', 'details', 'check']) await page.getByTestId(`bulk-${step}-submit`).click();
  await heading(page, 'Email Security for 2 customers').waitFor();
  for (let phase = 0; phase < 6; phase++) await cloud.tickOnce();
  const table = page.getByTestId('bulk-table');
  await table.getByText('Done', { exact: true }).nth(1).waitFor();
  await page.getByTestId('cancel-bulk-orders').click();
  await page.getByRole('alertdialog').getByText('Cancel 2 orders of Email Security?').waitFor();
  await page.getByTestId('question-yes').click();
  await page.getByText('2 orders are cancelled.').waitFor();
  await table.getByText('Cancelled', { exact: true }).nth(1).waitFor();
  await page.getByTestId('cancel-bulk-orders').waitFor({ state: 'detached' });
  for (let phase = 0; phase < 6; phase++) await cloud.tickOnce();
  await page.goto(`${portal.url}/orders?status=Cancelled&search=${encodeURIComponent(word)}`);
  await page.getByTestId('orders-table').getByText('Cancelled').nth(1).waitFor();
});
