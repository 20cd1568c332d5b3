import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { asSubject } from '../fixtures/as-subject.ts';
import { newPage, withBrowser } from '../fixtures/browser.ts';
import { type BrowserPortal, withBrowserPortal } from '../fixtures/browser-portal.ts';
import { type BuiltPortal, startBuiltPortal, unhurried } from '../fixtures/built-portal.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../fixtures/database-proxy.ts';
import { eventually } from '../fixtures/eventually.ts';
import { findPostgres, freshDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const allow = [/Failed to (load resource|fetch dynamically)/, /error loading|preload/];
const loading = 'A new version was installed. The page is loading again.';

/** Answers as a process of another build does, which has no such asset, while `isOther`. */
async function withhold(page: Page, asset: string, isOther: () => boolean): Promise<void> {
  await page.route(`**/assets/${asset}`, (route: Route) =>
    isOther() ? route.fulfill({ status: 404, contentType: 'application/json', body: '{}' }) : route.continue(),
  );
}

function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('request', request => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

/** What the page announces, also in the moment before it is loaded again. */
async function hear(page: Page): Promise<readonly string[]> {
  const heard: string[] = [];
  await page.exposeFunction('announced', (text: string) => void heard.push(text));
  await page.addInitScript(() => {
    const { announced } = window as unknown as { announced: (text: string) => void };
    const look = (): void => {
      const text = document.querySelector('[role=alert]')?.textContent;
      if (text) announced(text);
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return heard;
}

test('a page whose code is of another build says so and loads again, once', async t => {
  const page = await newPage(t, portal.browser, { allow });
  const loads = countLoads(page);
  const heard = await hear(page);
  await withhold(page, 'main-*.js', () => loads() <= 1);
  await page.goto(`${portal.url}/login`);
  await eventually(() => heard.includes(loading));
  await page.getByRole('textbox').first().waitFor();
  assert.equal(loads(), 2);
  // The next release finds it as ready.
  assert.equal(await page.evaluate(() => sessionStorage.getItem('portal-reloaded')), null);
});

test('a page whose code is not to be had is never empty, and does not go round', async t => {
  const page = await newPage(t, portal.browser, { allow });
  const loads = countLoads(page);
  await withhold(page, 'main-*.js', () => true);
  await page.goto(`${portal.url}/login`);
  const again = page.getByRole('link', { name: 'Try again' });
  await again.waitFor();
  await page.getByRole('alert').filter({ hasText: 'A new version is being installed' }).waitFor();
  // Longer than it takes to load a page again.
  await page.waitForTimeout(asSubject(4000));
  assert.equal(loads(), 2);
  await page.unroute('**/assets/main-*.js');
  await again.click();
  await page.getByRole('textbox').first().waitFor();
});

test('a page without its style sheet loads again, too', async t => {
  const page = await newPage(t, portal.browser, { allow });
  const loads = countLoads(page);
  const heard = await hear(page);
  await withhold(page, 'portal-*.css', () => loads() <= 1);
  await page.goto(`${portal.url}/login`);
  await eventually(() => heard.includes(loading));
  await page.getByRole('textbox').first().waitFor();
  assert.equal(loads(), 2);
});

const binaries = findPostgres();

/** Only a database of its own can go away. */
if (binaries !== undefined) {
  let postgres: Postgres;
  let database: { url: string; drop: () => Promise<void> };
  let databaseProxy: DatabaseProxy;
  let portal: BuiltPortal;
  const cloud = withSandbox();
  const browser = withBrowser();

  setUp(
    async () => {
      postgres = await startPostgres(binaries);
      database = await freshDatabase(postgres.url);
      databaseProxy = await startDatabaseProxy(database.url);
      portal = await startBuiltPortal({ ...unhurried, CLOUD_API_URL: cloud.url, DATABASE_URL: databaseProxy.url });
    },
    async () => {
      databaseProxy?.freeze(false);
      await portal?.stop();
      await databaseProxy?.close();
      await database?.drop();
      await postgres?.stop();
    },
  );

  test('a page that could not be loaded comes by itself once it can', async t => {
    const page = await openPageAs(
      t,
      { browser, url: portal.url } as BrowserPortal,
      'reseller@northwind.test',
      '/customers',
      {
        allow: [...allow, /status of 503|WebSocket/],
      },
    );
    await page.getByRole('heading', { level: 1 }).waitFor();
    databaseProxy.freeze(true);
    await eventually(async () => (await page.goto(`${portal.url}/customers`))?.status() === 503);
    await page.getByRole('heading', { name: 'The portal is not available right now.' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'This page tries again by itself.' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Try again' }).count(), 1);
    databaseProxy.freeze(false);
    await page.getByTestId('bell').waitFor();
    assert.equal(new URL(page.url()).pathname, '/customers');
  });
}
