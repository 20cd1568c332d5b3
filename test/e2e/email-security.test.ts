import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const sandbox = withSandbox();
const portal = withBrowserPortal(() => ({ ...unhurried, CLOUD_API_URL: sandbox.url }));

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const home = '/customers/customer/10001/manage-service/email-security';
const fits = async (page: Page) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);

test('a wave of spam is stopped with a rule file and the file is taken back, on a phone', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', home, phone);
  await page.getByRole('link', { name: 'contoso.test' }).tap();
  await page.getByTestId('change-spam-level').waitFor();
  await page.getByRole('tab', { name: 'Rule files' }).tap();
  const file = page.getByTestId('rule-file').nth(1);
  await file.waitFor();
  await Promise.all([axe(page), hasTestIds(page)]);
  await fits(page);
  const send = async (text: string) => {
    await file.setInputFiles({ name: 'wave.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Check file' }).nth(1).tap();
    await page.getByTestId('rules-figures').waitFor();
  };
  await send('promo@wave.test,first\n*.co.uk\n');
  await page.getByTestId('rules-invalid').waitFor();
  await page.getByText('Everybody can register domains below this one').waitFor();
  assert.equal(await page.getByTestId('load-rules').count(), 0);
  await Promise.all([axe(page), hasTestIds(page)]);
  await fits(page);

  await page.goBack();
  await send('promo@wave.test,first\n@paperline.test\n');
  await page.getByTestId('load-rules').tap();
  await page.getByText('New entries for contoso.test: 1').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Load file' }).tap();
  await page.getByText('The file was loaded.').waitFor();
  await page.getByTestId('undo-rules').tap();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take back' }).tap();
  await page.getByText('The entries of the file were taken back.').waitFor();
  await page.goto(`${portal.url}${home}?search=contoso.test`);
  await page.getByRole('row').filter({ hasText: 'contoso.test' }).waitFor();
});

test('a sender is allowed by keyboard, told what else says something about it, and undone', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', home);
  await page.getByRole('link', { name: 'contoso.test' }).click();
  await page.getByRole('tab', { name: 'Allowed senders' }).press('Enter');
  await page.getByTestId('new-entry').press('Enter');
  await page.getByTestId('entry-address').fill('*.com');
  await page.getByText('Everybody can register domains below this one').waitFor();
  await page.getByTestId('entry-address').fill('Ann@eu.Bulk-Offers.test');
  await page.getByText('Written as ann@eu.bulk-offers.test').waitFor();
  await page.getByTestId('entry-overlaps').waitFor();
  await page.getByRole('dialog').getByText('*.bulk-offers.test', { exact: true }).waitFor();
  await Promise.all([axe(page), hasTestIds(page)]);
  await page.getByRole('textbox', { name: 'Note' }).fill('Asked for by Ann');
  await page.getByRole('dialog').getByRole('button', { name: 'Add entry' }).press('Enter');
  await page.getByText('ann@eu.bulk-offers.test was added.').waitFor();
  await page.getByRole('row').filter({ hasText: 'Asked for by Ann' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('row').filter({ hasText: 'ann@eu.bulk-offers.test' }).waitFor({ state: 'detached' });
});

test('the spam level says what each level holds, and is changed for one domain', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', home);
  await page.getByRole('link', { name: 'contoso.test' }).click();
  await page.getByTestId('change-spam-level').click();
  await page.getByText('Held from a score of 3.5; some newsletters are held').waitFor();
  await page.getByRole('radio', { name: 'High' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('The setting was saved.').waitFor();
  await page.getByRole('region', { name: 'Spam level' }).getByText('High', { exact: true }).waitFor();
});
