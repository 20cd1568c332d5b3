import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds, hidesNoFocus } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const rows = (page: Page) => page.getByTestId('aliases').getByRole('row');

async function openAliases(page: Page) {
  await page.getByTestId('user-more').click();
  await page.getByTestId('open-mailbox').click();
  await page.getByTestId('new-alias').waitFor();
}

for (const [name, user, options] of [
  ['a desk', 20003, {}],
  ['a phone', 20004, phone],
] as const)
  test(`at ${name} an alias is refused while it is typed, added, made primary, and deleted, and the address book is edited`, async t => {
    const details = `/customers/user-details?organisation=10001&user=${user}`;
    const page = await openPageAs(t, portal, 'reseller@northwind.test', details, options);
    await openAliases(page);
    await page.getByText('No aliases currently exist for this mailbox.').waitFor();
    const own = String(await page.getByRole('heading', { level: 1 }).textContent());
    await page.getByTestId('new-alias').click();
    const typed = page.getByTestId('new-alias-address');
    await typed.fill('admin@contoso.test');
    await page.getByText('admin@contoso.test is taken by Ada Whitfield.').waitFor();
    assert.equal(await page.getByTestId('add-alias').count(), 0);
    await typed.fill('someone@example.org');
    await page.getByText('Must be an address of contoso.test').waitFor();
    await typed.fill('x@contoso-events.test');
    await page.getByTestId('alias-delayed').waitFor();
    await Promise.all([axe(page), hasTestIds(page), hidesNoFocus(page)]);
    await typed.fill(`desk.${user}@contoso.test`);
    await page.getByTestId('alias-delayed').waitFor({ state: 'detached' });
    await page.getByTestId('add-alias').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await rows(page)
      .filter({ hasText: `desk.${user}@contoso.test` })
      .waitFor();
    await page.getByRole('button', { name: `Actions for desk.${user}@contoso.test` }).click();
    await page.getByRole('menuitem', { name: 'Make primary' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make primary' }).click();
    await page.getByRole('heading', { level: 1, name: `desk.${user}@contoso.test` }).waitFor();
    await page.getByRole('button', { name: `Actions for ${own}` }).click();
    await page.getByRole('menuitem', { name: 'Make primary' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make primary' }).click();
    await page.getByRole('heading', { level: 1, name: own }).waitFor();
    await page.getByRole('button', { name: `Actions for desk.${user}@contoso.test` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete alias' }).click();
    await page.getByText('No aliases currently exist for this mailbox.').waitFor();
    const book = page.getByTestId('address-book');
    await page.getByTestId('edit-address-book').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('fax').fill('no number');
    await dialog.getByTestId('city').fill('Leeds');
    await Promise.all([axe(page), hasTestIds(page), hidesNoFocus(page)]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Must be a valid phone number').waitFor();
    await dialog.getByTestId('fax').fill('01134 960 199');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await book.getByText('01134 960 199').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await book.getByText('01134 960 199').waitFor({ state: 'detached' });
    assert.equal(await book.getByText('Leeds').count(), 0);
  });
