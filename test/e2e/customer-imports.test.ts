import assert from 'node:assert/strict';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';
const portal = withBrowserPortal();

const check = (page: Page) => page.getByRole('button', { name: 'Check the file' });
const row = (page: Page, words: string) => page.getByTestId('rows-table').getByRole('row').filter({ hasText: words });

/** A CSV file of customers, as a browser is given it. */
const fileOf = (lines: readonly string[]) => ({
  name: 'customers.csv',
  mimeType: 'application/vnd.ms-excel',
  buffer: Buffer.from(['Customer name;Domain;Contact name;Contact email;Phone', ...lines].join('\r\n')),
});

async function checkFile(page: Page, lines: readonly string[]): Promise<void> {
  await page.getByTestId('import-file').setInputFiles(fileOf(lines));
  await check(page).press('Enter');
  await page.waitForURL('**/customers/import/*');
}

test('customers are imported by keyboard: template, file, check with reasons, result, retry, the new customer, undo', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await page.getByTestId('import-customers').press('Enter');
  await page.waitForURL('**/customers/import');
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('import-template').press('Enter'),
  ]);
  assert.equal(template.suggestedFilename(), 'customers.csv');
  assert.match(
    await readText(await template.createReadStream()),
    /Customer name,Domain,Contact name,Contact email,Phone/,
  );

  const [example] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('import-example').press('Enter'),
  ]);
  assert.equal(example.suggestedFilename(), 'customers-example.csv');
  assert.match(await readText(await example.createReadStream()), /Byron Engines Ltd,byron-engines\.example\.com/);

  const [first, second] = [uniqueName('Oak'), uniqueName('Pine')];
  await checkFile(page, [
    `${first};oak.test;Ola Oak;ola@oak.test;`,
    `${second};fail-once.pine.test;Pia Pine;pia@pine.test;01134960123`,
    `${first.toUpperCase()};oak2.test;Ola Oak;ola@oak.test;`,
    'Contoso;contoso2.test;Ola Oak;ola@oak.test;',
    'Rowan;rowan;Ola Oak;ola@oak.test;',
  ]);
  await page.getByText('3 rows are left out.').waitFor();
  await row(page, 'oak2.test').getByText('An earlier line has the same name').waitFor();
  await row(page, 'contoso2.test').getByText('You have a customer with this name already').waitFor();
  await row(page, 'Rowan').getByText('This is no domain').waitFor();
  await row(page, first).first().getByText('Will be created').waitFor();
  await page.getByRole('button', { name: 'Import 2 customers' }).press('Enter');

  await row(page, second).getByText('The directory did not answer. Try again').waitFor();
  await page.getByText('1 row failed.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Retry 1 that failed' }).press('Enter');
  await row(page, second).getByText('Created').waitFor();
  const result = page.url();
  await page.getByRole('link', { name: first }).press('Enter');
  await page.getByRole('heading', { level: 1, name: first }).waitFor();

  await page.goto(result);
  await page.getByTestId('undo-import').press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Undo this import?' });
  await question.getByRole('button', { name: 'Delete these customers' }).press('Enter');
  await row(page, second).getByText('Deleted again').waitFor();
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(first)}`);
  await page.getByText('No customers match').waitFor();
});

test('the import of customers fits a phone and both themes', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/import');
  await page.getByTestId('import-file').waitFor({ state: 'attached' });
  await checkFile(page, [`${uniqueName('Yew')};yew.test;Yan Yew;yan@yew.test;`, 'Contoso;;;;']);
  await page.getByText('1 row is left out.').waitFor();
  await inspect(page, 'customer-import');
});

test('only who may edit customers has a way to import them', async t => {
  const page = await openPageAs(t, portal, 'engineer@northwind.test', '/customers');
  await page.getByTestId('customers-table').waitFor();
  assert.equal(await page.getByTestId('import-customers').count(), 0);
  await page.goto(`${portal.url}/customers/import`);
  await page.getByText('403 Access Denied').waitFor();
});
