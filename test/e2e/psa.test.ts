import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { openTheatre, type Theatre } from '../fixtures/theatre.ts';
import { visit } from '../fixtures/visit.ts';

let theatre: Theatre;

before(async () => {
  theatre = await openTheatre();
});
after(() => theatre.close());

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
const box = (page: Page, name: string) => page.getByRole('combobox', { name: `Match ${name} with` });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const unsaved = (page: Page) => page.getByText('You have unsaved changes');
const filter = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name} ?\\d`) });
const countOf = async (page: Page, name: string) => Number((await filter(page, name).innerText()).replace(/\D/g, ''));

test('customers are matched: suggested, assigned, ignored, restored, warned of, and saved', async t => {
  const page = await visit(t, theatre, 'reseller@northwind.test', '/dashboard');
  await page.getByTestId('nav-billing').click();
  await page.getByTestId('nav-psa-overview').click();
  await page.getByText('ConnectWise').waitFor();
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
  assert.equal(await page.getByRole('option', { name: /^Foxglove Veterinary/ }).count(), 2);
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
  const page = await visit(t, theatre, 'reseller@northwind.test', '/billing/psa/match?tab=services&search=cloud', {
    viewport: { width: 390, height: 844 },
  });
  for (const name of ['Cloud Platform', 'Cloud Platform Plan']) {
    await box(page, name).fill('hosted exchange');
    await page.keyboard.press('Enter');
    assert.match(await box(page, name).inputValue(), /hosted exchange/i);
  }
  await save(page).click();
  await page.getByText('Services updated successfully').waitFor();
  await axe(page);
});

test('2,000 customers are searched and matched without delay, however far down', async t => {
  const page = await visit(t, theatre, 'matcher@fairbank.test', '/billing/psa/match?show=unmatched');
  await page.getByRole('button', { name: /^Use [\d,]+ suggestions$/ }).waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll('tbody tr[aria-rowindex]')];
    return Number(rows.at(-1)?.getAttribute('aria-rowindex')) > 1500 && rows.length < 100;
  });
  await page.getByRole('button', { name: /^Use [\d,]+ suggestions$/ }).click();
  await unsaved(page).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await unsaved(page).waitFor({ state: 'detached' });
});

test('a business system is switched off in its settings and on again', async t => {
  const page = await visit(t, theatre, 'rival@southridge.test', '/billing/psa/overview');
  const set = async (isOn: boolean) => {
    await page.getByTestId('psa-settings').click();
    await page.getByTestId('psa-integrations').getByText('Not set up').waitFor();
    if (!isOn) await axe(page);
    await page.getByTestId('psa-enabled').setChecked(isOn);
    await save(page).click();
    await page.getByText('The settings have been saved').last().waitFor();
  };
  await set(false);
  await page.getByTestId('psa-switched-off').waitFor();
  assert.equal(await page.getByTestId('psa-match').or(page.getByTestId('psa-state')).count(), 0);
  await set(true);
  await page.getByTestId('psa-match').waitFor();
});

test('product movement and contracts are read, narrowed, selected and exported', async t => {
  const page = await visit(t, theatre, 'matcher@fairbank.test', '/billing/psa/overview');
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
  await first.getByTestId('psa-movement-row-menu').click();
  await page.getByTestId('row-select').click();
  await page.getByText('Product movement updated successfully').waitFor();
  await page.getByRole('button', { name: /^Selected ?1/ }).click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  assert.equal(await table.getByRole('rowheader').innerText(), customer);
  await axe(page);
  const download = page.waitForEvent('download');
  await page.getByTestId('psa-movement-export').click();
  assert.match((await download).suggestedFilename(), /\.csv$/);

  await page.getByTestId('psa-tab-contracts').click();
  await page
    .getByTestId('psa-contracts')
    .getByText(/managed services$/)
    .first()
    .waitFor();
  await axe(page);
  await page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
});
