import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { type Balancer, startBalancer } from '../fixtures/balancer.ts';
import { newPage, openBrowser } from '../fixtures/browser.ts';
import { type BuiltPortal, startBuiltPortal, unhurried } from '../fixtures/built-portal.ts';
import { buildNext, type NextBuild } from '../fixtures/next-build.ts';
import { findPostgres, freshDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { accounts, signInAs } from '../fixtures/sign-in.ts';
import { uniqueName } from '../fixtures/signed-in-page.ts';

const binaries = findPostgres();

/** Two portals need a database that both can use. */
if (binaries !== undefined) {
  const allow = [
    /Failed to (load resource|fetch dynamically)/,
    /error loading|preload/,
    /Refused to apply style/,
    /WebSocket/,
  ];
  let postgres: Postgres;
  let database: { url: string; drop: () => Promise<void> };
  let cloud: StartedSandbox;
  let next: NextBuild;
  let older: BuiltPortal;
  let newer: BuiltPortal;
  let balancer: Balancer;
  let browser: Awaited<ReturnType<typeof openBrowser>>;

  before(async () => {
    postgres = await startPostgres(binaries);
    database = await freshDatabase(postgres.url);
    cloud = await startSandbox();
    next = await buildNext();
    const settings = { ...unhurried, CLOUD_API_URL: cloud.url, DATABASE_URL: database.url };
    older = await startBuiltPortal(settings);
    newer = await startBuiltPortal(settings, { program: next.folder });
    balancer = await startBalancer([older.url, newer.url], 2000);
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await balancer?.close();
    await newer?.stop();
    await older?.stop();
    await next?.remove();
    await cloud?.close();
    await database?.drop();
    await postgres?.stop();
  });

  const mainOf = async (folder: string): Promise<string> =>
    (JSON.parse(await readFile(join(folder, 'client/manifest.json'), 'utf8')) as { main: string }).main;
  const buildOf = (page: Page): Promise<string | null> =>
    page.evaluate(() => document.querySelector('script[data-main]')?.getAttribute('data-main') ?? null);

  /** Loads an address until `shown` is there, as its user does; gives how often the user had to ask. */
  async function load(page: Page, path: string, shown: Locator): Promise<number> {
    const again = page.getByText('Try again', { exact: true });
    const words = page.getByRole('alert').filter({ hasText: /A new version|This part cannot be shown/ });
    await page.goto(balancer.url + path);
    for (let asked = 0; asked < 20; asked++) {
      await shown.or(again).first().waitFor();
      if (await shown.isVisible()) return asked;
      await words.first().waitFor();
      await again.first().click();
    }
    throw new Error('The page did not come in 20 loads.');
  }

  test('behind a balancer that goes round by request no page of two builds stays empty', async t => {
    const [old, young] = await Promise.all([mainOf(join(import.meta.dirname, '../../dist')), mainOf(next.folder)]);
    assert.notEqual(old, young);
    const seen = new Set<string | null>();
    let asked = 0;
    for (let count = 1; count <= 8; count++) {
      const page = await newPage(t, browser, { allow });
      asked += await load(page, '/login', page.getByTestId('username'));
      seen.add(await buildOf(page));
      await page.close();
    }
    t.diagnostic(`the user had to ask again ${asked} times in 8 loads`);
    assert.equal(seen.size > 0, true);
    const [ofOlder, ofNewer] = balancer.answered;
    assert.equal(Math.min(ofOlder ?? 0, ofNewer ?? 0) > 10, true, `answered ${balancer.answered}`);
  });

  test('a page of the older build goes on between both and when its build is gone', async t => {
    const page = await newPage(t, browser, { viewport: { width: 1440, height: 900 }, allow });
    // Signed in at the older portal; the balancer has the same host, and cookies know no port.
    await signInAs(page, older.url, accounts.reseller);
    const old = await mainOf(join(import.meta.dirname, '../../dist'));
    const isOld = async (): Promise<boolean> => {
      await load(page, '/customers', page.getByTestId('bell'));
      return (await buildOf(page)) === old;
    };
    let found = await isOld();
    for (let count = 1; count < 20 && !found; count++) found = await isOld();
    assert.equal(found, true, 'no page of the older build came');
    const name = uniqueName('Two builds');
    await page.getByRole('link', { name: 'Add customer' }).first().click();
    await page.getByTestId('customer-name').fill(name);
    await page.getByTestId('customer-domain').fill('example.test');
    await page.getByTestId('contact-name').fill('Sam Example');
    await page.getByTestId('contact-email').fill('sam@example.test');
    await page.getByRole('button', { name: 'Add customer' }).click();
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    assert.equal(await buildOf(page), old);

    await page.getByTestId('rename-customer').click();
    const popup = page.getByRole('dialog', { name: `Rename ${name}` });
    await popup.waitFor();

    await older.stop();
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached' });
    await page.getByTestId('nav-dashboard').click();
    await page.getByTestId('customers-table').waitFor({ state: 'detached' });
    await page.getByTestId('nav-customers').click();
    await page.getByTestId('customers-table').waitFor();
    assert.equal(await buildOf(page), old, 'the page was loaded anew');
    await page.reload();
    await page.getByTestId('customers-table').waitFor();
    assert.equal(await buildOf(page), await mainOf(next.folder));
  });
}
