import { test } from 'node:test';
import { axe, hasTestIds, hidesNoFocus } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

for (const [name, alias, options] of [
  ['a desk', 'una.desk@contoso.test', {}],
  ['a phone', 'una.phone@contoso.test', { viewport: { width: 390, height: 844 }, hasTouch: true }],
] as const)
  test(`at ${name} an end user adds an alias to the own mailbox, and deletes it`, async t => {
    const page = await openPageAs(t, portal, 'user@contoso.test', '/end-user', options);
    const card = page.getByTestId('mailbox');
    await page.getByTestId('new-own-alias').click();
    const typed = page.getByTestId('new-alias-address');
    await typed.fill('admin@contoso.test');
    await page.getByTestId('alias-taken').waitFor();
    await typed.fill(alias);
    await page.getByTestId('add-alias').waitFor();
    await Promise.all([axe(page), hasTestIds(page), hidesNoFocus(page)]);
    await page.getByTestId('add-alias').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await card.getByText(alias).waitFor();
    await card.getByRole('button', { name: `Actions for ${alias}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete alias' }).click();
    await card.getByText(alias).waitFor({ state: 'detached' });
    await axe(page);
  });
