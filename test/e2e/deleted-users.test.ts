import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

test('a user who was deleted by mistake is back with one press, or from the list of deleted users', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers');
  await addCustomer(page, portal.url, uniqueName('Regret'));
  await page.getByTestId('tab-users').click();
  await page.getByTestId('add-user').click();
  const adding = page.getByRole('dialog', { name: 'Add user' });
  await adding.getByTestId('first-name').fill('Back');
  await adding.getByTestId('last-name').fill('Again');
  await adding.getByTestId('email').fill(`${uniqueName('u').replace(' ', '-')}@example.test`);
  await adding.getByRole('button', { name: 'Add user' }).click();
  const row = page.getByTestId('users-table').getByRole('row').filter({ hasText: 'Back Again' });
  const remove = async () => {
    await row.getByRole('button', { name: 'Actions for Back Again' }).click();
    await page.getByTestId('row-delete-user').click();
    const question = page.getByRole('dialog', { name: 'Delete Back Again?' });
    await question.getByText('For 30 days “Deleted users” brings them back').waitFor();
    await question.getByRole('button', { name: 'Delete user' }).click();
    await row.waitFor({ state: 'detached' });
  };
  await remove();
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();

  await remove();
  await page.getByTestId('deleted-users').click();
  const deleted = page.getByTestId('deleted-users-table');
  await deleted.getByText('Priya Raman').waitFor();
  await inspect(page, 'deleted-users');
  await page.getByTestId('row-restore-user').click();
  const popup = page.getByRole('dialog', { name: 'Restore Back Again?' });
  await popup.getByText('They get their account, details and groups back').waitFor();
  await inspect(page, 'restore-user');
  await page.getByTestId('confirm-restore-user').click();
  await page.getByText('Back Again is back.').waitFor();
  await page.getByText('Nobody to restore').waitFor();
  assert.equal(await deleted.getByText('Back Again').count(), 0);
});
