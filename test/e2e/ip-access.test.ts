import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { berlin, london, milton, mobile, writePlaces } from '../fixtures/places-file.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'places-'));
after(() => rmSync(folder, { recursive: true }));
// Its own, since the rules hold for everybody who signs in from elsewhere.
const portal = withBrowserPortal(() => ({
  ...unhurried,
  PLACES_FILE: writePlaces(folder, [london, milton, berlin]),
  MOBILE_NETWORKS_FILE: writePlaces(folder, [mobile], { name: 'mobile.mmdb', type: 'GeoIP2-ISP' }),
}));
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

  await page.getByTestId('pause-rules').click();
  const pause = page.getByRole('dialog', { name: 'Let everybody in from everywhere for a time?' });
  await pause.getByText(/the rules shut out \d+ from one of their addresses/).waitFor();
  await pause.getByLabel('For eight hours').check();
  await axe(page);
  await inspect(page, 'ip-access-pause-phone');
  await pause.getByRole('button', { name: 'Pause the rules' }).click();
  await page.getByText(/The rules are paused: everybody is let in until/).waitFor();
  await page.getByTestId('resume-rules').click();
  await page.getByText('The rules count again.').waitFor();
});

test('a city is let in by its name, and the rule can be turned round', async t => {
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting/ip-access', phone);
  await page.getByTestId('add-city-rule').click();
  await page.getByTestId('rule-city').pressSequentially('lond');
  await page.getByRole('option', { name: 'London, England, United Kingdom' }).click();
  await axe(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add a rule' }).click();
  const row = page.getByRole('row', { name: /London, England/ });
  await row.getByText('Allow').waitFor();
  await row.getByRole('button').click();
  await page.getByTestId('edit-place-rule').click();
  await page.getByRole('dialog', { name: 'Change London, England, United Kingdom' }).getByLabel('Refuse').check();
  await page.getByRole('button', { name: 'Change the rule' }).click();
  await row.getByText('Refuse').waitFor();
  await page.getByTestId('add-country-rule').click();
  await page.getByTestId('rule-country').pressSequentially('atlantis');
  await page.getByText('No place has this name').waitFor();
  await page.getByTestId('rule-country').fill('ger');
  await page.getByRole('option', { name: 'Germany' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByTestId('add-mobile-network-rule').click();
  await page.getByTestId('rule-mobile-network').pressSequentially('vodafone');
  await page.getByRole('option', { name: 'Vodafone UK (234-15)' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('row', { name: /Vodafone UK/ }).waitFor();
});
