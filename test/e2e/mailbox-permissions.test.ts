import { test } from 'node:test';
import { axe, hasTestIds, hidesNoFocus } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

for (const [name, mailbox, options] of [
  ['a desk', 'admin@contoso.test', {}],
  ['a phone', 'user@contoso.test', { viewport: { width: 390, height: 844 }, hasTouch: true }],
] as const)
  test(`at ${name} a colleague, found by name, gets full access and send as at once, and both are taken back by one press`, async t => {
    const path = `/customers/customer/10001/manage-service/hosted-exchange/${mailbox}`;
    const page = await openPageAs(t, portal, 'reseller@northwind.test', path, options);
    const holders = page.getByTestId('mailbox-holders');
    const row = holders.getByText('Freya Nasser');
    await holders.waitFor();
    await page.getByTestId('change-permissions').click();
    const list = (label: string) => page.getByRole('group', { name: label, exact: true });
    await list('No permissions').getByRole('searchbox').fill('nasser');
    await list('No permissions')
      .getByRole('option', { name: /Freya Nasser/ })
      .click();
    await list('No permissions').getByRole('button', { name: 'Move to Full access' }).click();
    await list('Full access')
      .getByRole('option', { name: /Freya Nasser/ })
      .click();
    await list('Full access').getByRole('button', { name: 'Also add to Send as' }).click();
    await list('Send as')
      .getByRole('option', { name: /Freya Nasser/ })
      .waitFor();
    await Promise.all([axe(page), hasTestIds(page), hidesNoFocus(page)]);
    await page.getByRole('button', { name: 'Update permissions' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await row.waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row.waitFor({ state: 'detached' });
    await axe(page);
  });
