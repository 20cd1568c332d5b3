import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { tooWide } from '../fixtures/inspect.ts';
import { openTheatre, type Theatre } from '../fixtures/theatre.ts';
import { visit } from '../fixtures/visit.ts';

const reseller = 'reseller@northwind.test';
const contoso = '/customers/customer/10001';
const details = '/customers/user-details?organisation=10001&user=20003';
let theatre: Theatre;

before(async () => {
  theatre = await openTheatre();
});
after(() => theatre.close());

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
  const page = await visit(t, theatre, reseller, '/customers');
  await page.getByTestId('customers-table').getByRole('rowheader').first().waitFor();
  await page.keyboard.press('Tab');
  assert.match((await page.locator(':focus').textContent()) as string, /Skip to content/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('/');
  await page.keyboard.type('quayside');
  await page.waitForURL('**/customers?search=quayside');
  await page.getByRole('link', { name: 'Quayside Marine' }).waitFor();
  await tabTo(page, 'Quayside Marine');
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
  const page = await visit(t, theatre, reseller, '/customers', { viewport: { width: 720, height: 450 } });
  for (const path of ['/customers', contoso, details, '/customers/add', '/dashboard', '/support/callback']) {
    await page.goto(theatre.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await tooWide(page), '', path);
  }
});

test('who asked for less motion gets none', async t => {
  const page = await visit(t, theatre, reseller, contoso, { reducedMotion: 'reduce' });
  await page.getByTestId('rename-customer').click();
  await page.getByTestId('new-name').waitFor();
  const moving = await page.evaluate(
    () =>
      document.getAnimations().filter(animation => Number(animation.effect?.getComputedTiming().activeDuration) > 10)
        .length,
  );
  assert.equal(moving, 0);
});
