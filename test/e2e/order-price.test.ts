import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();
const reseller = 'reseller@northwind.test';
const panel = (page: Page) => page.getByTestId('order-details-aside');

/** The heading, the window and the breadcrumbs name the customer. */
async function isFor(page: Page, customer: string): Promise<void> {
  const heading = `Add Team Sites for ${customer}`;
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  assert.ok((await page.title()).startsWith(heading), await page.title());
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  await crumbs.getByRole('link', { name: customer, exact: true }).waitFor();
}

test('the price follows what is typed: of one, per month, over the term and the first charge', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10003/cs/add-service/office-suite');
  await panel(page).getByText('£9.40').first().waitFor();
  await page.getByTestId('order-details-Quantity').fill('12');
  await page.getByTestId('order-details-TermId-annual').check();
  await panel(page).getByText('£1,218.24').waitFor();
  await page.getByTestId('order-monthly').getByText('£101.52').waitFor();
  await page.getByTestId('order-details-BillingId-upfront').check();
  // The whole term at once is the first charge and the commitment.
  await panel(page).getByText('£1,218.24').nth(1).waitFor();
  // What cannot be priced leaves the figures there, quieter.
  await page.getByTestId('order-details-Quantity').fill('5000');
  await page.locator('.quote--old').waitFor();
  await page.getByTestId('order-details-Quantity').fill('10');
  await page.getByTestId('order-monthly').getByText('£84.60').waitFor();
  await page.locator('.quote--old').waitFor({ state: 'detached' });
  await Promise.all([axe(page), hasTestIds(page)]);
  const [form, price] = [
    await page.getByTestId('order-details-Quantity').boundingBox(),
    await panel(page).boundingBox(),
  ];
  assert.ok(form && price && price.x > form.x + form.width, 'the panel stands beside the form');
});

for (const width of [1440, 390])
  test(`of two customers with similar names the right one is sold to, by the keyboard at ${width} px`, async t => {
    const page = await openPageAs(t, portal, reseller, '/customers/add', { viewport: { width, height: 844 } });
    const name = uniqueName('Marsh Mill');
    await addCustomer(page, portal.url, `${name} Dental`);
    await page.goto(`${portal.url}/customers/add`);
    const wanted = `${name} Dental Care`;
    const id = await addCustomer(page, portal.url, wanted);
    await page.goto(`${portal.url}/customers/customer/${id}/add-service/share-point`);
    await isFor(page, wanted);
    const quantity = page.getByTestId('order-details-Quantity');
    await quantity.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('4');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getByTestId('order-details-TermId-annual').isChecked(), true);
    await page.getByTestId('order-monthly').getByText('£9.92').waitFor();
    if (width < 1024) {
      await page.getByTestId('order-details-bar').getByText('£9.92').waitFor();
      const submit = await page.getByTestId('order-details-submit').boundingBox();
      assert.ok(submit && submit.y + submit.height <= 844, 'the buttons stay in view');
    }
    await page.keyboard.press('Enter');
    const check = page.getByTestId('order-check');
    await check.getByText(wanted, { exact: true }).waitFor();
    await check.getByText('Team Sites', { exact: true }).first().waitFor();
    await isFor(page, wanted);
    const place = page.getByRole('button', { name: `Place order for ${wanted}`, exact: true });
    await place.waitFor();
    if (width < 1024) await Promise.all([axe(page), hasTestIds(page)]);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    // Back keeps what was typed.
    await page.getByTestId('order-check-cancel').focus();
    await page.keyboard.press('Enter');
    assert.equal(await quantity.inputValue(), '4');
    await page.getByTestId('order-details-submit').focus();
    await page.keyboard.press('Enter');
    await place.focus();
    await page.keyboard.press('Enter');
    await page.getByText(/Order ORD-\d+ was placed/).waitFor();
    await page.getByRole('heading', { level: 1, name: `Team Sites for ${wanted}`, exact: true }).waitFor();
  });

test('a change shows what the service costs now beside what it will cost', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001/cs/modify-service/1/30001');
  await page.getByTestId('order-now').getByText('Quantity now').waitFor();
  const before = await page.getByTestId('order-details-Quantity').inputValue();
  await page.getByTestId('order-details-Quantity').fill(String(Number(before) + 2));
  await panel(page).getByText('Per month now').waitFor();
  await page
    .getByTestId('order-monthly')
    .getByText(/£7\.90/)
    .waitFor();
});
