import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type BrowserPortal, openBrowserPortal } from '../fixtures/browser-portal.ts';
import { openListeningPageAs, openPageAs } from '../fixtures/signed-in-page.ts';

let portal: BrowserPortal;
before(async () => {
  portal = await openBrowserPortal();
});
after(() => portal?.close());

// A module that cannot be fetched is thrown without a word.
const allow = [/Failed to (load resource|fetch dynamically)/, /error loading|preload/, /^thrown: $/];
const wide = { viewport: { width: 1440, height: 900 }, allow };

/** Keeps the file of a part away while `isLost`: another build's process has none, or the network breaks. */
async function lose(page: Page, part: string, how: 'missing' | 'broken', isLost: () => boolean): Promise<void> {
  // Whatever the query: a part is asked for by another address the second time.
  await page.route(new RegExp(`/assets/${part}-\\w+\\.js`), route => {
    if (!isLost()) return route.continue();
    if (how === 'broken') return route.abort();
    return route.fulfill({ status: 404, contentType: 'application/json', body: '{}' });
  });
}

for (const how of ['missing', 'broken'] as const) {
  test(`a part whose file is ${how} says so in its place, and comes when it is tried again`, async t => {
    const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers', wide);
    await page.getByTestId('bell').waitFor();
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    let isLost = true;
    await lose(page, 'chart', how, () => isLost);
    await page.getByTestId('nav-dashboard').click();
    await page.getByTestId('customers-table').waitFor({ state: 'detached' });
    const said = page.getByRole('alert').filter({ hasText: 'This part cannot be shown. The rest of the page works.' });
    const again = said.first().getByRole('button', { name: 'Try again' });
    await again.click();
    // Still lost: it says so again.
    await again.waitFor();
    isLost = false;
    const lost = await said.count();
    assert.equal(lost > 0, true);
    for (let left = lost; left > 0; left--) {
      await again.click();
      await page.waitForFunction(count => document.querySelectorAll('.alert--bad').length < count, left);
    }
    await page.locator('.chart__plot svg').first().waitFor();
    assert.equal(await page.evaluate(() => 'isSamePage' in globalThis), true, 'the page was loaded anew');
  });
}

test('a part that fails once is fetched again by itself', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers', wide);
  await page.getByTestId('bell').waitFor();
  let asked = 0;
  await lose(page, 'chart', 'missing', () => {
    asked += 1;
    return asked === 1;
  });
  await page.getByTestId('nav-dashboard').click();
  await page.locator('.chart__plot svg').first().waitFor();
  assert.equal(await page.getByText('This part cannot be shown').count(), 0);
});

test('a page that must be loaded again for a lost part keeps what was typed', async t => {
  // Ctrl+K is listened to before the server is heard.
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/customers/add', wide);
  await page.getByTestId('customer-name').fill('Half-typed Ltd');
  let isLost = true;
  await lose(page, 'palette', 'missing', () => isLost);
  const loaded = page.waitForEvent('load');
  await page.keyboard.press('Control+k');
  await page.getByText('A new version was installed. The page is loading again.').waitFor();
  isLost = false;
  await loaded;
  await page.getByTestId('customer-name').and(page.locator('[value="Half-typed Ltd"]')).waitFor();
});
