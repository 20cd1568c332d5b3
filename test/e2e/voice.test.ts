import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const reseller = 'reseller@northwind.test';
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true });
const site = (page: Page, letter: string) => page.getByRole('group', { name: `Site ${letter}` });
const isNarrow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

async function fillSite(page: Page, letter: string, name: string) {
  const place = site(page, letter);
  await place.getByLabel('Site name').fill(name);
  await place.getByLabel('Property type').selectOption({ label: 'Commercial' });
  await place.getByLabel('Address line 1').fill('12 Canal Wharf');
  await place.getByLabel('Town').fill('Leeds');
  await place.getByLabel('Postcode').fill('LS1 4AP');
  await place.getByLabel('Blocks of numbers').fill('2');
  await place.getByLabel('Area code').fill('0113');
}

test('an order of hosted voice is begun on one device, goes on where it stopped on another, and is placed', async t => {
  const desk = await openPageAs(t, portal, reseller, '/customers/add');
  const name = uniqueName('Voice');
  const customer = await addCustomer(desk, portal.url, name);
  const address = `/customers/customer/${customer}/add-service/hosted-voice`;
  await desk.goto(portal.url + address);
  await desk.getByRole('heading', { level: 1, name: `Order hosted voice for ${name}`, exact: true }).waitFor();
  await desk.getByTestId('cancel-order').waitFor();
  assert.equal(await desk.getByRole('heading', { name, exact: true }).count(), 0, 'the title has said it');
  await desk.getByRole('radio', { name: /^Hosted Voice/ }).check();
  // Steps of what is not ordered are hidden.
  assert.equal(await desk.getByRole('listitem').filter({ hasText: 'Handsets' }).count(), 0);
  await desk.getByTestId('with-hardware').check();
  await next(desk).click();
  await site(desk, 'A').waitFor();
  await Promise.all([axe(desk), hasTestIds(desk)]);
  await fillSite(desk, 'A', 'Head office');
  await desk.getByTestId('sites-add').click();
  await site(desk, 'B').getByLabel('Site name').fill('Depot');
  await desk.waitForResponse(reply => reply.url().includes('voice.keep') && reply.ok());

  const mobile = await openPageAs(t, portal, reseller, address, phone);
  await mobile.getByRole('radio', { name: /^Continue where you stopped/ }).check();
  await axe(mobile);
  await next(mobile).tap();
  await site(mobile, 'B').waitFor();
  assert.equal(await site(mobile, 'A').getByLabel('Postcode').inputValue(), 'LS1 4AP');
  assert.equal(await site(mobile, 'B').getByLabel('Site name').inputValue(), 'Depot');
  await next(mobile).tap();
  await site(mobile, 'B').getByText('Postcode is required').waitFor();
  await fillSite(mobile, 'B', 'Depot');
  assert.ok(await isNarrow(mobile));
  await axe(mobile);
  await next(mobile).tap();
  await mobile.getByLabel('Mitel handset licences', { exact: true }).fill('4');
  await mobile.getByLabel('Non-Mitel handset licences').fill('1');
  await mobile.getByTestId('bandwidth-confirmed').check();
  await next(mobile).tap();
  await mobile.getByTestId('voice-hardware').getByRole('textbox').first().fill('2');
  await axe(mobile);
  await next(mobile).tap();
  await mobile.getByLabel('Address line 1').fill('Unit 4, Mill Lane');
  await mobile.getByLabel('Town').fill('Manchester');
  await mobile.getByLabel('Postcode').fill('M2 5DB');
  await mobile.getByLabel('Telephone').fill('01614960101');
  await mobile.getByRole('radio').first().check();
  await next(mobile).tap();
  await mobile.getByTestId('voice-quote').waitFor();
  await mobile.getByText('Site B: Depot').waitFor();
  await mobile.getByTestId('voice-for').getByText(name, { exact: true }).waitFor();
  assert.ok(await isNarrow(mobile));
  await axe(mobile);

  // What is typed at the first device meanwhile is neither lost nor does it overwrite.
  await site(desk, 'B').getByLabel('Town').fill('Hull');
  await desk.getByText(/changed on another device/).waitFor();
  assert.equal(await site(desk, 'B').getByLabel('Town').inputValue(), 'Hull');
  await axe(desk);

  await mobile.getByRole('button', { name: `Place order for ${name}` }).tap();
  await mobile.getByText(/^Order \S+ was placed$/).waitFor();
});
