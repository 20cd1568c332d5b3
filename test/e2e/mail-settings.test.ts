import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const sandbox = withSandbox();
const portal = withBrowserPortal(() => ({ ...unhurried, CLOUD_API_URL: sandbox.url }));

const home = '/customers/customer/10001/manage-service/hosted-exchange';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

test('a setting of all mail is changed and undone, and who saves too late is told, on a phone', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', home, phone);
  await page.getByTestId('edit-mobile-access').tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'May not read mail' }).check();
  await dialog.getByRole('button', { name: 'Save' }).tap();
  const card = page.getByTestId('mail-mobile-access');
  await card.getByText('May not read mail').waitFor();
  await page.getByRole('button', { name: 'Undo' }).tap();
  await card.getByText('May read mail').waitFor();

  await page.getByTestId('edit-mobile-access').tap();
  await dialog.getByRole('radio', { name: 'Wait until somebody allows them' }).check();
  const token = await sandbox.signIn('reseller@northwind.test');
  await sandbox.call(token, 'PUT', '/api/customers/10001/exchange/mobile-access', { Access: 'Block' });
  await dialog.getByRole('button', { name: 'Save' }).tap();
  await dialog.getByText(/^Meanwhile Priya Raman has changed this\./).waitFor();
});

test('public folders are switched on, deleted and put back', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', `${home}?tab=settings`);
  await page.getByTestId('add-public-folders').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const card = page.getByTestId('mail-public-folders');
  await card.getByText('10').waitFor();
  await page.getByTestId('delete-public-folders').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click();
  await card.getByText('There are none.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await card.getByText('10').waitFor();
});

test('an engineer who may look changes nothing', async t => {
  const page = await openPageAs(t, portal, 'engineer@northwind.test', home);
  await page.getByTestId('mail-signature').waitFor();
  assert.equal(await page.getByTestId('edit-signature').count(), 0);
  assert.equal(await page.getByRole('tab', { name: 'Aliases' }).count(), 0);
});
