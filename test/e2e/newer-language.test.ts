import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Boot } from '../../shared/contract/boot.ts';
import { languageVersion } from '../../shared/language/version.ts';
import { axe, takePicture } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const needed = 'This needs the new version. Reload to go on; what you typed is kept.';
const said = `"language":${languageVersion}`;
const newer = `"language":${languageVersion + 1}`;

/** From now on the server's layouts are of a newer language. Gives a function that ends it, as a reload does. */
async function growLanguage(page: Page): Promise<() => Promise<void>> {
  let changed = 0;
  const layouts = /\/ui\/(screen|layouts)/;
  await page.route(layouts, async route => {
    const reply = await route.fetch();
    const text = await reply.text();
    if (text.includes(said)) changed += 1;
    await route.fulfill({ response: reply, body: text.replaceAll(said, newer) });
  });
  return async () => {
    assert.ok(changed > 0, 'no layout was of a newer language');
    await page.unroute(layouts);
  };
}

test('a screen of a newer language offers to reload, and what was typed is there again', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers/add');
  await page.getByTestId('customer-name').fill('Acorn Books');
  await page.getByTestId('customer-domain').fill('acorn.example');
  const endGrowth = await growLanguage(page);
  await page.getByTestId('nav-dashboard').click();
  await page.getByTestId('question-yes').click();
  await page.getByText(needed).waitFor();
  assert.equal(new URL(page.url()).pathname, '/customers/add');
  assert.equal(await page.getByTestId('customer-name').inputValue(), 'Acorn Books');
  await axe(page);
  await takePicture(page, 'newer-language');
  await endGrowth();
  await page.getByTestId('update-reload').click();
  await page.getByText(needed).waitFor({ state: 'detached' });
  assert.equal(await page.getByTestId('customer-name').inputValue(), 'Acorn Books');
  assert.equal(await page.getByTestId('customer-domain').inputValue(), 'acorn.example');
  assert.equal(new URL(page.url()).pathname, '/customers/add');
});

test('on a phone and by keyboard a popup whose newer layout cannot be drawn keeps what is typed over a reload', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers/customer/10001?tab=users', {
    viewport: { width: 390, height: 844 },
  });
  await page.getByTestId('users-table').waitFor();
  await page.getByTestId('rename-customer').focus();
  await page.keyboard.press('Enter');
  const name = page.getByTestId('new-name');
  await name.fill('Contoso and Sons');
  const { popups } = (await (await page.request.get(`${portal.url}/ui/boot`)).json()) as Boot;
  const layout = await (await page.request.get(`${portal.url}/ui/layouts/${popups['rename-customer']}`)).json();
  await page.route('**/ui/call/customers.rename', route =>
    route.fulfill({
      status: 409,
      json: { Succeed: false, Resources: { hash: 'newer', layout: { ...layout, language: languageVersion + 1 } } },
    }),
  );
  await name.press('Enter');
  await page.getByRole('dialog').getByText(needed).waitFor();
  assert.equal(await name.inputValue(), 'Contoso and Sons');
  // The offer covers nothing of the popup.
  await page.getByRole('dialog').locator('button[type=submit]').click({ trial: true });
  await axe(page);
  const reload = page.getByTestId('update-reload');
  for (let count = 1; count < 20 && !(await reload.and(page.locator(':focus')).count()); count++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText(needed).waitFor({ state: 'detached' });
  await name.waitFor();
  assert.equal(await name.inputValue(), 'Contoso and Sons');
});
