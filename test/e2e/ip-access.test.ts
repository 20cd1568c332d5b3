import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

// Its own, since the rules hold for everybody who signs in from elsewhere.
const portal = withBrowserPortal(() => unhurried);
const phone = { viewport: { width: 390, height: 844 } };

test('the network of the office is locked in on a phone, after a look at who would be out, by somebody who stays in', async t => {
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting/ip-access', phone);
  await page.getByRole('heading', { level: 1, name: 'IP access' }).waitFor();
  const add = async (address: string) => {
    await page.getByTestId('add-rule').click();
    const popup = page.getByRole('dialog');
    await popup.getByLabel('Address').fill(address);
    await popup.getByRole('button', { name: 'Add a rule' }).click();
    return popup;
  };
  const wrong = await add('999.1.1.1');
  await wrong
    .getByText(/Each part of an IPv4 address is a number from 0 to 255/)
    .first()
    .waitFor();
  await axe(page);
  await wrong.getByLabel('Address').fill('198.51.100.0/24');
  await wrong.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('row', { name: /198\.51\.100\.0\/24/ }).waitFor();

  await page.getByTestId('change-ip-settings').click();
  await page.getByRole('dialog').getByLabel('IP access').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click();
  await page.getByText('After saving you would be out.').waitFor();
  await page.getByTestId('save-rules').click();
  await page.getByText(/These rules shut out your own address, 127\.0\.0\.1/).waitFor();
  await axe(page);
  await page.keyboard.press('Escape');

  await add('127.0.0.0/8');
  await page.getByText('After saving you stay in.').waitFor();
  await page.getByRole('row', { name: /192\.0\.2\.88/ }).waitFor();
  await axe(page);
  await inspect(page, 'ip-access-phone');
  await page.getByTestId('save-rules').click();
  await page.getByTestId('save-inside').click();
  await page.getByText('The rules are saved.').waitFor();
  await page.getByTestId('undo-rules').waitFor();
});
