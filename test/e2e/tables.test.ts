import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxes, names, openCustomers, part } from '../fixtures/customers-table.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';
const engineer = 'engineer@northwind.test';

// Totals are compared from one page to the next: other files add customers meanwhile.
const portal = withPortalBefore(withSandbox());

test('the total is that of all rows that match, whatever page is shown', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?status=Suspended');
  const amounts = page.locator('tbody td[data-label^="Per month"]');
  await amounts.first().waitFor();
  const pounds = (text: string) => Math.round(Number(text.replace(/[£,]/g, '')) * 100);
  const sum = notEmpty(await amounts.allInnerTexts()).reduce((total, text) => total + pounds(text), 0);
  const total = page.locator('tfoot td[data-label^="Per month"]');
  assert.equal(pounds(await total.innerText()), sum);
  await openCustomers(page, portal.url, '/customers?page=2');
  const second = await total.innerText();
  await openCustomers(page, portal.url);
  assert.equal(await total.innerText(), second);
});

test('the first press on the head of money brings the most', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const head = page.getByRole('columnheader', { name: 'Per month, recurring' }).getByRole('button');
  await head.click();
  await page.waitForURL('**sort=-MonthlySpend');
  await page.locator('th[aria-sort="descending"]', { hasText: 'Per month' }).waitFor();
  await head.click();
  await page.waitForURL('**sort=MonthlySpend');
});

test('columns and the height of rows are chosen in the toolbar, remembered for the person, and in the address', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await part(page, 'display').click();
  await page.getByRole('menuitemcheckbox', { name: 'Services' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Users' }).click();
  await page.waitForURL('**hidden=services+users');
  await page.keyboard.press('Escape');
  await part(page, 'display').click();
  await page.getByRole('menuitemradio', { name: 'Compact' }).click();
  await page.waitForURL('**density=compact');
  const heads = ['Customer', 'Status', 'Open orders', 'Per month, recurring'];
  const shown = async () =>
    (await page.locator('th.cell-lead, thead th:not(.cell-check, .cell-menu)').allInnerTexts()).slice(0, 4);
  assert.deepEqual(await shown(), heads);
  await openCustomers(page, portal.url);
  assert.deepEqual(await shown(), heads);
  assert.equal(await page.getByTestId('customers-table').getAttribute('data-density'), 'compact');
  // Another person at the same browser has chosen nothing.
  const other = await openPageAs(t, portal, engineer, '/customers');
  await other.getByRole('columnheader', { name: 'Services' }).waitFor();
  assert.equal(await other.getByTestId('customers-table').getAttribute('data-density'), 'comfortable');
});

test('a view is named, picked again, linked, and deleted with a way back', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?status=Active&sort=-Users', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await names(page).first().waitFor();
  await part(page, 'display').click();
  await page.getByRole('menuitemcheckbox', { name: 'Status' }).click();
  await page.keyboard.press('Escape');
  await part(page, 'views').click();
  await part(page, 'save-view').click();
  const naming = part(page, 'save-view-dialog');
  await part(page, 'save-view-go').click();
  await naming.getByText('Give the view a name.').waitFor();
  await part(page, 'view-name').fill('Active, by users');
  await part(page, 'save-view-go').click();
  await page.getByText('The view “Active, by users” was saved.').waitFor();
  await part(page, 'views').getByText('Active, by users').waitFor();
  const rows = await names(page).allTextContents();
  await part(page, 'views').click();
  await part(page, 'copy-link').click();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  await openCustomers(page, portal.url);
  await part(page, 'views').getByText('Views').waitFor();
  await part(page, 'views').click();
  await page.getByRole('menuitemradio', { name: 'Active, by users' }).click();
  await page.waitForURL('**status=Active**');
  assert.deepEqual(
    ['status', 'sort', 'hidden'].map(name => new URL(page.url()).searchParams.get(name)),
    ['Active', '-Users', 'status'],
  );
  await page.waitForFunction(
    first => document.querySelector('[data-testid=customers-table] tbody a')?.textContent === first,
    rows[0],
  );
  await page.goBack();
  await page.waitForURL(url => !url.search.includes('status=Active'));

  const other = await openPageAs(t, portal, engineer, new URL(link).pathname + new URL(link).search);
  await names(other).first().waitFor();
  assert.equal(await other.getByRole('columnheader', { name: 'Status' }).count(), 0);
  assert.equal(await other.locator('th[aria-sort="descending"]').innerText(), 'Users');

  await openCustomers(page, portal.url, '/customers?status=Active&sort=-Users&hidden=status');
  await part(page, 'views').click();
  await part(page, 'delete-view').click();
  await page.getByText('The view “Active, by users” was deleted.').waitFor();
  await part(page, 'views').getByText('Views').waitFor();
  await page.getByTestId('toast-action').click();
  await part(page, 'views').getByText('Active, by users').waitFor();
});

test('a row opens wherever it is pressed, in a new tab with Ctrl or the middle button; what has a press of its own keeps it', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const cell = page.locator('tbody tr').nth(2).locator('td[data-label="Status"]');
  const name = (await names(page).nth(2).textContent()) as string;
  for (const options of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
    const [tab] = await Promise.all([page.context().waitForEvent('page'), cell.click(options)]);
    await tab.getByRole('heading', { level: 1, name }).waitFor();
    await tab.close();
  }
  // Marking text is no press.
  const at = (await cell.locator('.status').boundingBox()) as { x: number; y: number; width: number; height: number };
  await page.mouse.move(at.x + 20, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width - 2, at.y + at.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await page.evaluate(() => getSelection()?.toString()), '');
  await boxes(page).nth(2).click();
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).pathname, '/customers');
  const stops = await page.locator('tbody tr').nth(2).locator('a, button, input').count();
  assert.equal(stops, 5, 'its box, its name, two figures that lead to what they count, and its menu');
  await cell.click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
});

test('filters stand as chips in the toolbar, narrow the list from the address, and are cleared at once', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001?tab=users&usersType=endUserAdmin');
  const table = page.getByTestId('users-table');
  const roles = table.locator('td[data-label="Role"]');
  await roles.first().waitFor();
  assertEvery(await roles.allInnerTexts(), role => role === 'Customer administrator');
  await page.getByTestId('users-status-Suspended').click();
  await page.waitForURL('**usersStatus=Suspended');
  await page.getByText('No users match').waitFor();
  await page.getByTestId('users-table-clear').click();
  await page.waitForURL(url => url.search === '?tab=users');
  await table.getByText('Una Marsh').or(roles.nth(5)).first().waitFor();
  assert.equal(await page.getByTestId('users-table-clear').count(), 0);
  assert.ok(await page.getByTestId('users-search').evaluate(element => element === document.activeElement));
});
