import assert from 'node:assert/strict';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';
const contoso = '/customers/customer/10001';
const portal = withBrowserPortal();

const input = (page: Page) => page.getByTestId('import-file');
const check = (page: Page) => page.getByRole('button', { name: 'Check the file' });
const row = (page: Page, email: string) => page.getByTestId('rows-table').getByRole('row').filter({ hasText: email });

/** A CSV file of users, as a browser is given it. */
const fileOf = (lines: readonly string[], name = 'users.csv', mimeType = 'application/vnd.ms-excel') => ({
  name,
  mimeType,
  buffer: Buffer.from(['First name;Last name;Email address;Role;Phone', ...lines].join('\r\n')),
});

/** Addresses that nobody has yet, at the domain of new customers. */
function freshAddresses() {
  const mark = uniqueName('i').replace(' ', '').toLowerCase();
  return (name: string) => `${name}.${mark}@example.test`;
}

test('users are imported by keyboard: template, file, check with reasons, result, retry, list of results, undo', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const customer = await addCustomer(page, portal.url, uniqueName('Import'));
  await page.goto(`${portal.url}/customers/customer/${customer}?tab=users`);
  await page.getByTestId('import-users').press('Enter');
  await page.waitForURL(`**/customer/${customer}/import-users`);
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByTestId('import-template').press('Enter'),
  ]);
  assert.equal(template.suggestedFilename(), 'users.csv');
  assert.match(
    await readText(await template.createReadStream()),
    /First name,Last name,Email address,Role,Phone,Groups/,
  );

  const at = freshAddresses();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), input(page).press('Space')]);
  await chooser.setFiles(
    fileOf([
      `Ada;Grey;${at('ada')};;`,
      `Max;Grey;${at('fail-once')};Customer administrator;01134960123`,
      `Nobody;;${at('nobody')};;`,
      'Eve;Grey;eve@elsewhere.test;;',
    ]),
  );
  await page.getByTestId('import-file-chosen').getByText('users.csv').waitFor();
  await check(page).press('Enter');
  await page.waitForURL(`**/customer/${customer}/import-users/*`);

  await page.getByText('2 rows are left out.').waitFor();
  await row(page, at('nobody')).getByText('The last name is missing').waitFor();
  await row(page, 'eve@elsewhere.test').getByText('The domain of the address is not this customer’s').waitFor();
  await row(page, at('ada')).getByText('Will be created').waitFor();
  await page.getByRole('button', { name: 'Import 2 users' }).press('Enter');

  await row(page, at('fail-once')).getByText('The directory did not answer. Try again').waitFor();
  await row(page, at('ada')).getByText('Created').waitFor();
  await axe(page);
  await page.reload();
  await page.getByRole('button', { name: 'Retry 1 that failed' }).press('Enter');
  await row(page, at('fail-once')).getByText('Created').waitFor();
  await page.getByTestId('export-rows').press('Enter');
  const [results] = await Promise.all([page.waitForEvent('download'), page.getByTestId('csv-rows').press('Enter')]);
  const lines = (await readText(await results.createReadStream())).trim().split('\r\n');
  assert.equal(lines.length, 5);
  assert.match(lines[3] ?? '', /Left out,The last name is missing/);

  await page.getByTestId('undo-import').press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Undo this import?' });
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await row(page, at('ada')).getByText('Created').waitFor();
  await page.getByTestId('undo-import').press('Enter');
  await question.getByRole('button', { name: 'Delete these users' }).press('Enter');
  await row(page, at('ada')).getByText('Deleted again').waitFor();
  await page.goto(`${portal.url}/customers/customer/${customer}?tab=users`);
  await page.getByText('No users yet').waitFor();
});

test('what is no such file is said at the field, another takes its place, and a chosen one is removed', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}/import-users`);
  await check(page).click();
  await page.getByText('CSV file is required').waitFor();
  assert.equal(await input(page).evaluate(element => element === document.activeElement), true);
  await input(page).setInputFiles(fileOf([], 'users.pdf', 'application/pdf'));
  await page.getByText('Choose a file of this kind: CSV').waitFor();
  await axe(page);
  await input(page).setInputFiles({ ...fileOf([]), buffer: Buffer.alloc(1024 * 1024 + 1, 'a') });
  await page.getByText('The file is too large: it must be at most 1 MB').waitFor();
  await input(page).setInputFiles({ ...fileOf([]), buffer: Buffer.alloc(0) });
  await page.getByText('The file is empty').waitFor();

  await input(page).setInputFiles(fileOf(['A;B;a@contoso.test;;'], 'first.csv'));
  await page.getByTestId('import-file-chosen').getByText('first.csv').waitFor();
  assert.equal(await page.getByText('The file is empty').count(), 0);
  await input(page).setInputFiles(fileOf(['A;B;a@contoso.test;;'], 'second.csv'));
  await page.getByTestId('import-file-chosen').getByText('second.csv').waitFor();
  await page.getByRole('button', { name: 'Remove second.csv' }).click();
  await page.getByText('or drop it here').waitFor();
  assert.equal(await page.getByTestId('import-file-chosen').count(), 0);
  assert.equal(await input(page).evaluate(element => element === document.activeElement), true);
});

test('a file is dropped, and what the cloud says of it stands at the field', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}/import-users`);
  const drop = async (...names: string[]): Promise<void> => {
    const given = await page.evaluateHandle(files => {
      const transfer = new DataTransfer();
      for (const name of files) transfer.items.add(new File(['Name\r\nAda\r\n'], name));
      return transfer;
    }, names);
    for (const event of ['dragover', 'drop'])
      await page.getByTestId('import-file-zone').dispatchEvent(event, { dataTransfer: given });
  };
  await input(page).waitFor({ state: 'attached' });
  await drop('one.csv', 'two.csv');
  await page.getByText('Choose one file').waitFor();
  await drop('one.csv');
  await page.getByTestId('import-file-chosen').getByText('one.csv').waitFor();
  await check(page).click();
  await page.getByText('The file has no column First name, Last name, Email address.').first().waitFor();
  await page.getByTestId('import-file-chosen').getByText('one.csv').waitFor();
});

test('columns of other names are said by hand, beside their first values, and can be changed again', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}/import-users`);
  const buffer = Buffer.from('Vorname;Nachname;Email\nAda;Braun;ada.said@contoso.test');
  await input(page).setInputFiles({ name: 'leute.csv', mimeType: 'text/csv', buffer });
  await check(page).click();
  await page.getByText('The columns of this file were not all recognised.').waitFor();
  await page.getByTestId('columns-table').getByText('ada.said@contoso.test').waitFor();
  const column = (name: string) => page.getByRole('combobox', { name });
  assert.equal(await column('Email address').inputValue(), '2');
  await axe(page);
  await column('First name').selectOption({ label: '2. Nachname' });
  await column('Last name').selectOption({ label: '2. Nachname' });
  const checkRows = page.getByRole('button', { name: 'Check the rows' });
  await checkRows.click();
  await page.getByText('This column is chosen for First name already.').waitFor();
  await column('First name').selectOption({ label: '1. Vorname' });
  await checkRows.click();
  await row(page, 'ada.said@contoso.test').getByText('Will be created').waitFor();
  await page.getByTestId('change-columns').click();
  await checkRows.waitFor();
  assert.equal(await column('First name').inputValue(), '0');
});

test('how much of a file has been sent is shown while it is sent', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}/import-users`);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const lines = Array.from({ length: 12_000 }, (_, index) => `A;B;a${index}@contoso.test;;`);
  await input(page).setInputFiles(fileOf(lines));
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
  await session.send('Network.emulateNetworkConditions', slow);
  await check(page).click();
  await page.getByTestId('import-file-progress').waitFor();
  await page.getByText(/^Sending the file: \d+ %$/).waitFor();
  assert.equal(await input(page).isDisabled(), true);
  await page.getByText('The file has 12000 users. Import at most 500 at once.').first().waitFor({ timeout: 60_000 });
});

test('the import fits a phone and both themes', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}/import-users`);
  await input(page).setInputFiles(
    fileOf(['Ada;Grey;ada@elsewhere.test;;', `Ben;Grey;${'b'.repeat(50)}@contoso.test;;`]),
  );
  await check(page).click();
  await page.getByText('1 row is left out.').waitFor();
  await inspect(page, 'user-import');
});

test('only who may create users has a way to import them', async t => {
  const engineer = await openPageAs(t, portal, 'engineer@northwind.test', `${contoso}?tab=users`);
  await engineer.getByTestId('users-table').waitFor();
  assert.equal(await engineer.getByTestId('import-users').count(), 0);
  await engineer.goto(`${portal.url}${contoso}/import-users`);
  await engineer.getByText('403 Access Denied').waitFor();
  const admin = await openPageAs(t, portal, 'admin@contoso.test', `${contoso}/import-users`);
  await input(admin).setInputFiles(
    fileOf([`Ida;Grey;${uniqueName('ida').replace(' ', '').toLowerCase()}@contoso.test;;`]),
  );
  await check(admin).click();
  await admin.getByRole('button', { name: 'Import 1 user' }).waitFor();
});
