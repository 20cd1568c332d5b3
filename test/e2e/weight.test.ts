import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { accounts, signInAs } from '../fixtures/sign-in.ts';

/** Most bytes that may travel, headers included, until the page can be used. */
const budget = { signIn: 93_000, customers: 122_000 };

const portal = withBrowserPortal();

/** Counts the bytes of every reply of a page without a cache, as the browser received them. */
async function weigh(page: Page): Promise<{ bytes: () => number; requests: Map<string, number> }> {
  // What the page before still asks for is none of the next page's.
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const addresses = new Map<string, string>();
  const requests = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => addresses.set(requestId, request.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const address = addresses.get(requestId);
    if (address) requests.set(address, (requests.get(address) ?? 0) + encodedDataLength);
  });
  return { bytes: () => [...requests.values()].reduce((sum, bytes) => sum + bytes, 0), requests };
}

/** Runs in the page: keeps the moment at which there is what `selector` finds. */
function noteUsable(selector: string): void {
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return;
    (window as { usableAt?: number }).usableAt = performance.now();
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Leaves out what was asked for after the page could be used; it waited for all else, or might have. */
async function leaveOutLater(page: Page, requests: Map<string, number>): Promise<void> {
  const before = await page.evaluate(() => {
    const { usableAt = 0 } = window as { usableAt?: number };
    const entries = performance.getEntriesByType('resource').filter(({ startTime }) => startTime <= usableAt);
    return [location.href, ...entries.map(({ name }) => name)];
  });
  for (const address of requests.keys()) if (!before.includes(address)) requests.delete(address);
}

const told = (requests: Map<string, number>): string =>
  [...requests].map(([address, bytes]) => `${bytes} ${new URL(address).pathname}`).join('\n');

test('the sign-in page travels in 93,000 bytes, all of them asked for by the page itself', async t => {
  const page = await newPage(t, portal.browser);
  const scale = await weigh(page);
  await page.addInitScript(noteUsable, '[data-testid=username]');
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill(accounts.reseller);
  await page.waitForLoadState('networkidle');
  await leaveOutLater(page, scale.requests);
  assert.ok(scale.bytes() > 10_000, 'nothing was weighed');
  assert.ok(scale.bytes() <= budget.signIn, told(scale.requests));
  assert.ok(![...scale.requests.keys()].some(address => address.includes('/ui/')), told(scale.requests));
});

test('the list of customers can be used after 122,000 bytes, its rows among them', async t => {
  const page = await newPage(t, portal.browser);
  await signInAs(page, portal.url, accounts.reseller);
  const scale = await weigh(page);
  await page.addInitScript(noteUsable, '[data-testid=customers-table] tbody tr');
  await page.goto(`${portal.url}/customers`);
  await page.waitForLoadState('networkidle');
  await leaveOutLater(page, scale.requests);
  const bytes = scale.bytes();
  assert.ok(bytes > 60_000, `not everything was weighed:\n${told(scale.requests)}`);
  assert.ok(bytes <= budget.customers, `${bytes}:\n${told(scale.requests)}`);
  assert.ok(![...scale.requests.keys()].some(address => address.includes('/ui/data/')), told(scale.requests));
});

test('a tab keeps the font of its first page, which fetches that of the portal, and the next tab has it before it draws', async t => {
  const page = await newPage(t, portal.browser);
  const fonts = (of = page) =>
    of.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`));
  // This page is drawn before its store answers, and keeps the font then.
  await page.addInitScript(() => {
    const match = CacheStorage.prototype.match;
    CacheStorage.prototype.match = async function slowMatch(...of) {
      for (let frames = 0; frames < 600 && !document.querySelector('input'); frames++)
        await new Promise(requestAnimationFrame);
      return await match.apply(this, of);
    };
  });
  await page.goto(`${portal.url}/login`);
  await eventually(() => page.evaluate(async () => (await (await caches.open('font')).keys()).length === 1));
  assert.deepEqual(await fonts(), []);
  const kept = await page.evaluate(async () => {
    const [reply] = await (await caches.open('font')).matchAll();
    return { bytes: (await reply?.blob())?.size ?? 0, caching: reply?.headers.get('cache-control') };
  });
  assert.ok(kept.bytes > 10_000 && kept.bytes <= 50_000, `${kept.bytes} bytes`);
  assert.match(kept.caching ?? '', /immutable/);
  await page.reload();
  await page.getByTestId('username').fill(accounts.reseller);
  assert.deepEqual(await fonts(), []);

  const shifts = () => {
    new PerformanceObserver(list => {
      const seen = window as { shifts?: number };
      seen.shifts = (seen.shifts ?? 0) + list.getEntries().length;
    }).observe({ type: 'layout-shift', buffered: true });
  };
  // A page does not wait for a store that takes long, as one on a busy machine may.
  let next = page;
  for (let tabs = 0; tabs < 20 && (await fonts(next)).length === 0; tabs++) {
    next = await page.context().newPage();
    await next.addInitScript(shifts);
    await next.goto(`${portal.url}/login`);
    await next.getByTestId('username').fill(accounts.reseller);
  }
  assert.deepEqual(await fonts(next), ['Inter loaded']);
  assert.equal(await next.evaluate(() => (window as { shifts?: number }).shifts ?? 0), 0);
});
