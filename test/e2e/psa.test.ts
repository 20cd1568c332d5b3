import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { inspect } from '../fixtures/inspect.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const box = (page: Page, name: string) => page.getByRole('combobox', { name: `Match ${name} with` });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const unsaved = (page: Page) => page.getByText('You have unsaved changes');
const filter = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} ?\\d`) });
const countOf = async (page: Page, name: string) => Number((await filter(page, name).innerText()).replace(/\D/g, ''));

test('customers are matched: suggested, assigned, ignored, restored, warned of, and saved', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/dashboard');
  await page.getByTestId('nav-billing').click();
  await page.getByTestId('nav-psa-overview').click();
  await page.getByText('ConnectWise').first().waitFor();
  await page.getByTestId('psa-match').click();
  await page.getByRole('button', { name: /^Use \d+ suggestions$/ }).waitFor();
  assert.equal(await save(page).isDisabled(), true);
  const before = await countOf(page, 'Matched');

  // A suggestion, an option that is typed, what is taken away, and what is left out.
  await row(page, 'Contoso').getByRole('button', { name: 'Use Contoso Ltd.' }).click();
  await unsaved(page).waitFor();
  await box(page, 'Café Zoë').fill('aldg');
  await page.keyboard.press('Enter');
  assert.equal(await box(page, 'Café Zoë').inputValue(), 'Aldgate Consulting');
  await page.getByRole('button', { name: 'Unassign Ashdown Legal LLP from Ashdown Legal LLP' }).click();
  await row(page, 'Blackwell Motor Spares').getByRole('button', { name: 'Ignore' }).click();
  assert.equal(await countOf(page, 'Matched'), before + 1);
  await axe(page);

  // Two that cannot be told apart: nothing is suggested for either.
  assert.equal(await row(page, 'Foxglove Veterinary').getByRole('button', { name: /^Use/ }).count(), 0);
  await box(page, 'Foxglove Veterinary').fill('foxglove');
  await eventually(async () => (await page.getByRole('option', { name: /^Foxglove Veterinary/ }).count()) === 2);
  await page.keyboard.press('Escape');

  // Neither another page nor the end of the session takes it away unasked.
  await page.getByTestId('nav-dashboard').click();
  await page.getByRole('button', { name: 'Stay' }).click();
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.getByRole('button', { name: 'Stay' }).click();
  const closing = page.waitForEvent('dialog');
  const reloading = page.reload().catch(() => undefined);
  const dialog = await closing;
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
  await reloading;
  assert.equal(await box(page, 'Contoso').inputValue(), 'Contoso Ltd.');

  await page.getByRole('button', { name: 'Cancel' }).click();
  await unsaved(page).waitFor({ state: 'hidden' });
  assert.equal(await countOf(page, 'Matched'), before);
  assert.equal(await save(page).isDisabled(), true);

  // The filter narrows, and what is decided leaves it.
  await filter(page, 'Not matched').click();
  await row(page, 'Contoso').getByRole('button', { name: 'Use Contoso Ltd.' }).click();
  await row(page, 'Contoso').waitFor({ state: 'detached' });
  await row(page, 'Blackwell Motor Spares').getByRole('button', { name: 'Ignore' }).click();
  await save(page).click();
  await page.getByText('Customers updated successfully').waitFor();
  assert.equal(await save(page).isDisabled(), true);
  await filter(page, 'Matched').click();
  await page.reload();
  await row(page, 'Contoso').waitFor();
  assert.equal(await countOf(page, 'Matched'), before + 1);
  await filter(page, 'Ignored').click();
  await row(page, 'Blackwell Motor Spares').waitFor();
});

test('services are matched on a phone, several with one product', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/billing/psa/match?tab=services&search=cloud', {
    viewport: { width: 390, height: 844 },
  });
  for (const name of ['Cloud Platform', 'Cloud Platform Plan']) {
    await box(page, name).fill('hosted exchange');
    await page.keyboard.press('Enter');
    assert.match(await box(page, name).inputValue(), /hosted exchange/i);
  }
  await save(page).click();
  await page.getByText('Services updated successfully').waitFor();
});

test('2,000 customers are searched and matched in the page, however far down, with fewer than 100 rows drawn', async t => {
  const page = await openPageAs(t, portal, 'matcher@fairbank.test', '/billing/psa/match?show=unmatched');
  await page.getByRole('button', { name: /^Use [\d,]+ suggestions$/ }).waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll('tbody tr[aria-rowindex]')];
    return Number(rows.at(-1)?.getAttribute('aria-rowindex')) > 1500 && rows.length < 100;
  });
  const asked: string[] = [];
  page.on('request', request => void asked.push(request.url()));
  const name = await page.locator('tbody tr[aria-rowindex]').getByRole('rowheader').last().innerText();
  await page.getByTestId('psa-search-customers').fill(name);
  await page.waitForFunction(() => document.querySelectorAll('tbody tr[aria-rowindex]').length < 10);
  await row(page, name).waitFor();
  await box(page, name).fill('a');
  await page.getByRole('option').first().click();
  await unsaved(page).waitFor({ state: 'attached' });
  await page.getByTestId('psa-search-customers').fill('');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr[aria-rowindex]').length > 10);
  await page.getByRole('button', { name: /^Use [\d,]+ suggestions$/ }).click();
  await page.getByRole('button', { name: /^Use [\d,]+ suggestions$/ }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await unsaved(page).waitFor({ state: 'detached' });
  // All of it is done in the page; what else is asked for meanwhile are hints of the server.
  assert.deepEqual(
    asked.filter(address => /search|\/ui\/(call|screen)/.test(address)),
    [],
  );
});

/** Opens the settings of the business system by a button, and saves them. */
async function set(page: Page, button: string, field: string, isOn: boolean): Promise<void> {
  await page.getByTestId(button).click();
  await page.getByTestId('psa-integrations').getByText('Not set up').waitFor();
  await page.getByTestId(field).setChecked(isOn);
  await save(page).click();
  await page.getByText('The settings have been saved').last().waitFor();
  await page.getByTestId('settings-form').waitFor({ state: 'detached' });
}

test('a business system is switched off in its settings; every page of it says so and leads to switching it on', async t => {
  const page = await openPageAs(t, portal, 'rival@southridge.test', '/billing/psa/overview');
  await set(page, 'psa-settings', 'psa-enabled', false);
  await page.getByTestId('psa-switched-off').waitFor();
  assert.equal(await page.getByTestId('psa-match').or(page.getByTestId('psa-state')).count(), 0);
  for (const path of ['match', 'match?tab=services', 'report', 'report?tab=reconciliation']) {
    await page.goto(`${portal.url}/billing/psa/${path}`);
    await page.getByRole('heading', { name: 'Autotask is switched off' }).waitFor();
    await page.getByText('Tick “Use the business system” in its settings').waitFor();
    const wrong = page.getByText('No business system is connected').or(page.getByText('Try again'));
    assert.equal(
      await wrong
        .or(page.getByText('Synchronised', { exact: true }))
        .or(page.getByRole('tab'))
        .count(),
      0,
    );
    if (path === 'match') await axe(page);
  }
  await page.goto(`${portal.url}/billing/psa/match`);
  await set(page, 'psa-switch-on', 'psa-enabled', true);
  await row(page, 'Sandpiper Holidays').waitFor();
  assert.equal(await page.getByTestId('psa-switched-off').count(), 0);
});

test('sales orders are ignored by a setting, which is shown as it stands', async t => {
  for (const [name, system] of [
    ['matcher@fairbank.test', 'ConnectWise'],
    ['rival@southridge.test', 'Autotask'],
  ] as const) {
    const page = await openPageAs(t, portal, name, '/billing/psa/overview');
    await page.getByTestId('psa-systems').getByRole('link', { name: system }).click();
    await page.waitForURL(`**/billing/psa/${system}`);
    const ignored = page.getByTestId('psa-connection').getByText('Sales orders ignored').locator('..');
    await ignored.getByText('No', { exact: true }).waitFor();
    await set(page, 'psa-settings', 'psa-ignore-sales-orders', true);
    await ignored.getByText('Yes', { exact: true }).waitFor();
    await page.getByTestId('psa-settings').click();
    assert.equal(await page.getByTestId('psa-ignore-sales-orders').isChecked(), true);
    assert.equal(await page.getByTestId('psa-enabled').isChecked(), true);
    await page.keyboard.press('Escape');
    await set(page, 'psa-settings', 'psa-ignore-sales-orders', false);
    await ignored.getByText('No', { exact: true }).waitFor();
  }
});

test('a business system has a page by its name, also one that is not set up, and the overview leads to what is not matched', async t => {
  const page = await openPageAs(t, portal, 'matcher@fairbank.test', '/billing/psa/connectwise');
  await page.getByRole('heading', { level: 1, name: 'ConnectWise' }).waitFor();
  await page.getByTestId('psa-synchronisation').getByText('Customers, last synchronised').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${portal.url}/billing/psa/Autotask`);
  await page.getByRole('heading', { name: 'Autotask is not set up' }).waitFor();
  await page.goto(`${portal.url}/billing/psa/nothing`);
  await page.getByRole('heading', { name: 'There is no such business system' }).waitFor();
  await page.getByText(/^These are there: .*ConnectWise/).waitFor();

  await page.goto(`${portal.url}/billing/psa/overview`);
  const first = page.getByTestId('psa-unmatched-list').getByRole('link').first();
  const name = await first.innerText();
  await first.click();
  await row(page, name).waitFor();
  assert.equal(await box(page, name).inputValue(), '');
});

test('that a row of a report is not saved is said in words of its own, with those of the server where there are any', async t => {
  const page = await openPageAs(t, portal, 'matcher@fairbank.test', '/billing/psa/report');
  for (const [tab, kind, said] of [
    ['psa-tab-movement', 'movement', 'Product movement failed to update'],
    ['psa-tab-reconciliation', 'reconciliation', 'Reconciliation failed to update'],
  ] as const) {
    await page.getByTestId(tab).click();
    for (const [answer, words] of [
      [{ Succeed: false, Messages: ['This was not found.'] }, `${said}: This was not found.`],
      [{ Succeed: false }, said],
    ] as const) {
      await page.route('**/ui/call/psa.select*', route => route.fulfill({ status: 404, json: answer }));
      await page.getByTestId(`psa-${kind}`).getByRole('row').nth(1).getByTestId('row-select').click();
      await page.getByRole('alert').getByText(words, { exact: true }).waitFor();
      await page.unroute('**/ui/call/psa.select*');
    }
  }
});

test('product movement and contracts are read, narrowed, selected and exported', async t => {
  const page = await openPageAs(t, portal, 'matcher@fairbank.test', '/billing/psa/overview');
  await page.getByTestId('psa-report').click();
  const table = page.getByTestId('psa-movement');
  await table.getByRole('row').nth(25).waitFor();
  const all = page.getByRole('button', { name: /^All ?\d/ });
  const latest = await all.innerText();

  // An older month has rows of its own, and a row that is selected is among the selected.
  await page.getByTestId('psa-month').selectOption({ index: 2 });
  await page.waitForURL(/month=\d{4}-\d\d/);
  await all.filter({ hasNotText: latest.replace(/\D/g, '') }).waitFor();
  const first = table.getByRole('row').nth(1);
  const customer = await first.getByRole('rowheader').innerText();
  await first.getByTestId('row-select').click();
  await page.getByText('Product movement updated successfully').waitFor();
  await page.getByRole('button', { name: /^Selected ?1/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  assert.equal(await table.getByRole('rowheader').innerText(), customer);
  await axe(page);
  const download = page.waitForEvent('download');
  await page.getByTestId('psa-movement-export').click();
  await page.getByTestId('psa-movement-csv').click();
  assert.match((await download).suggestedFilename(), /^Product movement \d{4}-\d\d\.csv$/);
  const file: Record<string, string>[] = parse(await text(await (await download).createReadStream()), {
    bom: true,
    columns: true,
  });
  assert.deepEqual(
    file.map(({ Customer, Selected }) => [Customer, Selected]),
    [[customer.split('\n').at(-1), 'Yes']],
  );
  assert.ok(Number.isInteger(Number(file[0]?.Change)) && file[0]?.Change !== '', JSON.stringify(file));

  await page.getByTestId('tab-contracts').click();
  await page
    .getByTestId('psa-contracts')
    .getByText(/managed services$/)
    .first()
    .waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
});

test('an invoice is compared with the business system: what differs and why, narrowed, and down to one row', async t => {
  const page = await openPageAs(t, portal, 'matcher@fairbank.test', '/billing/invoices');
  await page.getByTestId('invoices-list').getByRole('link').first().click();
  await page.getByRole('link', { name: 'Compare with ConnectWise' }).click();
  const classes = page.getByTestId('comparison-classes');
  await classes.getByText('Only on the invoice').waitFor();
  await page.getByTestId('comparison-rest').getByText('£0.00').waitFor();
  await axe(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await page.getByTestId('comparison-class').selectOption({ index: 2 });
  await page.waitForURL(/class=Quantity/);
  const table = page.getByTestId('comparison');
  await table
    .getByText(/^(Only|Not) on the invoice$|^Price differs$|^Agrees$|^Left out$/)
    .first()
    .waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await table.getByRole('link').first().click();
  await page.getByTestId('explanations').getByRole('row').nth(1).waitFor();
  await page.getByTestId('row-rest').getByText('£0.00').waitFor();
  await axe(page);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
});

test('contracts are updated from the newest invoice after a dry run, and each line says what became of it', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/billing/invoices');
  await page.getByRole('link', { name: /^FH-/ }).first().click();
  await page.getByTestId('invoice-compare').click();
  await page.getByTestId('open-contract-update').click();
  await page.getByRole('heading', { level: 1, name: /^Update ConnectWise from invoice FH-/ }).waitFor();
  const lines = page.getByTestId('contract-changes').getByRole('row').filter({ hasText: 'managed services' });
  await lines.first().waitFor();
  const count = await lines.count();
  await inspect(page, 'contract-update');
  await page.getByTestId('update-contracts').click();
  const dialog = page.getByRole('alertdialog', { name: `Write ${count} lines to ConnectWise?` });
  await dialog.getByRole('button', { name: 'Update ConnectWise' }).click();
  await page.getByText('There is nothing to write', { exact: true }).waitFor();
  const written = page.getByTestId('update-results').getByRole('row').filter({ hasText: 'Written' });
  await eventually(async () => (await written.count()) === count);
  assert.equal(await page.getByTestId('update-contracts').count(), 0);
  await inspect(page, 'contract-update-done');
});
