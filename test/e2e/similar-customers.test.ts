import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { eventually } from '../fixtures/eventually.ts';
import { tooWide } from '../fixtures/inspect.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs, uniqueName } from '../fixtures/signed-in-page.ts';
import { tabTo } from '../fixtures/tab-to.ts';

const cloud = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortalBefore(cloud);
const reseller = 'reseller@northwind.test';

type Twins = { readonly name: string; readonly domain: string; readonly right: string; readonly wrong: string };

/** Adds two customers whose names differ by their last word alone; gives their ids, and the name of the right one. */
async function addTwins(): Promise<Twins> {
  const token = await cloud.signIn(reseller);
  const word = uniqueName('Meadow');
  const add = async (name: string, domain: string): Promise<string> => {
    const contact = { ContactName: 'Sam Example', ContactEmail: `sam@${domain}` };
    const { status, body } = await cloud.call(token, 'POST', '/api/customers', {
      Name: name,
      Domain: domain,
      ...contact,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return String(body.Result.organisationId);
  };
  const own = word.toLowerCase().replaceAll(' ', '-');
  const wrong = await add(`${word} Nurseries`, `${own}.test`);
  const [name, domain] = [`${word} Nurseries Ltd`, `${own}-ltd.test`];
  return { name, domain, wrong, right: await add(name, domain) };
}

/** The order, its check and the service name the right customer; the other one has nothing. */
async function isSoldTo(page: Page, { name, right, wrong }: Twins): Promise<void> {
  await page.getByRole('heading', { level: 1, name: `Team Sites for ${name}`, exact: true }).waitFor();
  assert.match(page.url(), new RegExp(`/customers/customer/${right}/services/\\d+$`));
  for (let phase = 0; phase < 6; phase++) await cloud.tickOnce();
  await page.getByTestId('instance-status').getByText('Active', { exact: true }).waitFor();
  const token = await cloud.signIn(reseller);
  const held = async (id: string) =>
    (await cloud.call(token, 'GET', `/api/customers/${id}/services`)).body.Result.Total;
  assert.deepEqual([await held(right), await held(wrong)], [1, 0]);
}

const formOf = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name: `Add Team Sites for ${name}`, exact: true });

test('of two similarly named customers the right one is sold to with the mouse: their domains tell them apart', async t => {
  const twins = await addTwins();
  const page = await openListeningPageAs(t, portal, reseller, '/dashboard');
  await page.getByTestId('menu-new').click();
  await page.getByTestId('new-product').click();
  await page.getByTestId('product-first-2-1').click();
  const words = twins.name.replace(/ Ltd$/, '');
  await page.getByRole('combobox', { name: 'Select or add a customer' }).fill(words);
  const options = page.getByRole('option').filter({ hasText: words });
  await options.nth(1).waitFor();
  await eventually(async () => (await options.count()) === 2);
  await options.filter({ hasText: twins.domain.replace('-ltd', '') }).waitFor();
  await Promise.all([axe(page), hasTestIds(page)]);
  await options.filter({ hasText: twins.domain }).click();
  await page.getByTestId('continue-to-add').click();
  await formOf(page, twins.name).waitFor();
  assert.equal(await page.getByTestId('order-details-Domain').inputValue(), twins.domain, 'from its record');
  await page.getByTestId('order-details-submit').click();
  const check = page.getByTestId('order-for');
  await check.getByText(twins.name, { exact: true }).waitFor();
  await check.getByText(twins.domain, { exact: true }).waitFor();
  await page.getByRole('button', { name: `Place order for ${twins.name}`, exact: true }).click();
  await isSoldTo(page, twins);
});

test('the same is done by the keys alone', async t => {
  const twins = await addTwins();
  const page = await openListeningPageAs(t, portal, reseller, '/dashboard');
  await page.getByTestId('attention').waitFor();
  await page.keyboard.press('Control+k');
  await page.getByTestId('palette-words').waitFor();
  await page.keyboard.type('add product');
  await page.getByRole('option', { name: 'Add product' }).first().waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, 'picker-search');
  await page.keyboard.type('team sites');
  await page.getByTestId('product-first-1-1').waitFor({ state: 'detached' });
  await tabTo(page, 'product-first-2-1');
  await page.keyboard.press('Enter');
  await tabTo(page, 'customer');
  await page.keyboard.type(twins.name.replace(/ Ltd$/, ''));
  const second = page.getByRole('option').filter({ hasText: twins.domain });
  await second.waitFor();
  await page.getByRole('option').filter({ hasText: 'Contoso' }).waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await second.and(page.locator('.is-active')).waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, 'continue-to-add');
  await page.keyboard.press('Enter');
  await formOf(page, twins.name).waitFor();
  await tabTo(page, 'order-details-Domain');
  await page.keyboard.press('Enter');
  await page.getByTestId('order-for').getByText(twins.domain, { exact: true }).waitFor();
  await tabTo(page, 'order-check-submit');
  await page.keyboard.press('Enter');
  await isSoldTo(page, twins);
});

test('the same is done by touch on a phone, where nothing is wider than the page', async t => {
  const twins = await addTwins();
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const path = `/customers?search=${encodeURIComponent(twins.name.replace(/ Nurseries Ltd$/, ''))}`;
  const page = await openListeningPageAs(t, portal, reseller, path, phone);
  const card = page.getByTestId('customers-table').getByRole('row').filter({ hasText: twins.domain });
  await card.getByRole('link', { name: twins.name, exact: true }).tap();
  await page.getByRole('heading', { level: 1, name: twins.name, exact: true }).waitFor();
  await page.getByTestId('add-product').tap();
  await page.getByTestId('product-2-1').tap();
  await formOf(page, twins.name).waitFor();
  assert.equal(await tooWide(page), '');
  await page.getByTestId('order-details-submit').tap();
  await page.getByTestId('order-for').getByText(twins.domain, { exact: true }).waitFor();
  assert.equal(await tooWide(page), '');
  await page.getByTestId('order-check-submit').tap();
  await isSoldTo(page, twins);
});
