import { test } from 'node:test';
import { axe, hasTestIds, hidesNoFocus } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

for (const [name, user, options] of [
  ['a desk', 20003, {}],
  ['a phone', 20004, { viewport: { width: 390, height: 844 }, hasTouch: true }],
] as const)
  test(`at ${name} mail is forwarded inside at once, outside after it was asked twice, without a copy, and no more`, async t => {
    const details = `/customers/user-details?organisation=10001&user=${user}`;
    const page = await openPageAs(t, portal, 'reseller@northwind.test', details, options);
    await page.getByTestId('user-more').click();
    await page.getByTestId('open-mailbox').click();
    const card = page.getByTestId('forwarding');
    await card.getByText('Mail is not forwarded').waitFor();
    await page.getByTestId('new-forward').click();
    const typed = page.getByTestId('new-forward-address');
    await typed.fill('nobody.here@contoso.test');
    await page.getByTestId('forward-unknown').waitFor();
    await typed.fill('user@contoso.test');
    await page.getByTestId('add-forward').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await card.getByText('Una Marsh').waitFor();
    await page.getByTestId('new-forward').click();
    await typed.fill(`out.${user}@else.test`);
    await page.getByTestId('forward-leaves').waitFor();
    await Promise.all([axe(page), hasTestIds(page), hidesNoFocus(page)]);
    await page.getByTestId('add-forward-outside').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Let mail leave' }).click();
    await card.getByText(`out.${user}@else.test`).waitFor();
    await page.getByTestId('stop-copies').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep no copy' }).click();
    await page.getByTestId('no-copy-stays').waitFor();
    await axe(page);
    await page.getByTestId('keep-copies').click();
    for (const address of ['user@contoso.test', `out.${user}@else.test`]) {
      await card.getByRole('button', { name: `Actions for ${address}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stop forwarding' }).click();
      await card.getByText(address).waitFor({ state: 'detached' });
    }
    await card.getByText('Mail is not forwarded').waitFor();
  });
