import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { tooWide } from '../fixtures/inspect.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';
const contoso = '/customers/customer/10001';
const details = '/customers/user-details?organisation=10001&user=20003';

const portal = withBrowserPortal();

/** Presses Tab until the element with the focus has this text. */
async function tabTo(page: Page, text: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focus = page.locator(':focus');
    const told = `${(await focus.getAttribute('aria-label')) ?? ''} ${await focus.textContent()}`;
    if (typeof text === 'string' ? told.includes(text) : text.test(told)) return;
  }
  assert.fail(`Tab never reached ${text}`);
}

test('a customer is found and its rename popup opened and left without a mouse', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await page.getByTestId('customers-table').getByRole('rowheader').first().waitFor();
  await page.keyboard.press('Tab');
  assert.match((await page.locator(':focus').textContent()) as string, /Skip to content/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('/');
  await page.keyboard.type('quayside');
  await page.waitForURL('**/customers?search=quayside');
  await page.getByRole('link', { name: 'Quayside Marine' }).waitFor();
  await tabTo(page, /^ ?Quayside Marine/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Quayside Marine' }).waitFor();
  await tabTo(page, /Rename/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Rename Quayside Marine' }).waitFor();
  assert.equal(await page.locator(':focus').getAttribute('data-testid'), 'new-name');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.locator(':focus').getAttribute('data-testid'), 'rename-customer');
});

test('at 200 % nothing scrolls sideways', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers', { viewport: { width: 720, height: 450 } });
  for (const path of ['/customers', contoso, details, '/customers/add', '/dashboard', '/support/callback']) {
    await page.goto(portal.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await tooWide(page), '', path);
  }
});

/** Animations that play, endless ones such as that of a skeleton included. */
const animations = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const playing = document.getAnimations().filter(one => Number(one.effect?.getComputedTiming().activeDuration) > 10);
    return playing.map(one => (one instanceof CSSAnimation ? one.animationName : one.constructor.name));
  });

/** Goes from the customers to one of them while the server is silent, and waits until the page says so. */
async function openSlowCustomer(t: TestContext, reducedMotion: 'reduce' | 'no-preference'): Promise<Page> {
  const page = await openPageAs(t, portal, reseller, '/customers', { reducedMotion });
  await page.getByRole('link', { name: 'Contoso', exact: true }).waitFor();
  await page.route(/\/ui\/(screen|data)/, () => {});
  await page.getByRole('link', { name: 'Contoso', exact: true }).click();
  await page.locator('.bone, .waiting').first().waitFor();
  return page;
}

test('a page that waits shows it by movement, but not to a person who asked for less motion', async t => {
  assert.notDeepEqual(await animations(await openSlowCustomer(t, 'no-preference')), []);
  assert.deepEqual(await animations(await openSlowCustomer(t, 'reduce')), []);
});

test('nothing moves in a popup for a person who asked for less motion', async t => {
  const page = await openPageAs(t, portal, reseller, contoso, { reducedMotion: 'reduce' });
  await page.getByTestId('rename-customer').click();
  await page.getByTestId('new-name').waitFor();
  assert.deepEqual(await animations(page), []);
});

test('the label of a field that is wrong is as red as its message, which a mark and words say too', async t => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPageAs(t, portal, reseller, '/customers/add', { colorScheme });
    const field = page.locator('.field', { has: page.getByTestId('customer-domain') });
    const label = field.locator('label');
    const colourOf = (part: typeof label) => part.evaluate(element => getComputedStyle(element).color);
    const before = await colourOf(label);
    await page.getByTestId('customer-domain').fill('no domain');
    await page.getByTestId('contact-name').focus();
    const message = field.locator('.field__error');
    await message.getByText('Enter a domain such as contoso.test.').waitFor();
    assert.equal(await message.locator('svg').count(), 1);
    assert.equal(await colourOf(label), await colourOf(message));
    assert.notEqual(await colourOf(label), before);
    assert.equal(await colourOf(page.locator('label', { hasText: 'Phone' })), before);
    await page.getByTestId('customer-domain').fill('right.test');
    await message.waitFor({ state: 'detached' });
    assert.equal(await colourOf(label), before);
  }
});
