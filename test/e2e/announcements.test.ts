import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { asSubject } from '../fixtures/as-subject.ts';
import type { PageOptions } from '../fixtures/browser.ts';
import { eventually } from '../fixtures/eventually.ts';
import { addManyCustomers } from '../fixtures/many-customers.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortalBefore(cloud);

const open = (t: TestContext, username: string, path: string, options: PageOptions = {}) =>
  openListeningPageAs(t, portal, username, path, options);
const announcement = (page: Page) => page.getByTestId('announcement');

test('an announcement is shown until it is put off, again after that, and never once its button says so', async t => {
  const page = await open(t, 'reseller@northwind.test', '/customers');
  await announcement(page).getByText('Device Protection is here').waitFor();
  await page.getByTestId('announcement-later').click();
  await announcement(page).waitFor({ state: 'detached' });
  await page.goto(`${portal.url}/dashboard`);
  await page.getByTestId('attention').waitFor();
  assert.equal(await announcement(page).count(), 0, 'it stays away for a day');

  await cloud.db.updateTable('product_announcement_answers').set({ remind: new Date() }).execute();
  await page.goto(`${portal.url}/customers`);
  await announcement(page).getByText('Device Protection is here').waitFor();
  await page.getByTestId('announcement-never').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/marketplace?type=security');
  await announcement(page).waitFor({ state: 'detached' });
  const again = await open(t, 'reseller@northwind.test', '/customers');
  await again.getByTestId('customers-table').waitFor();
  assert.equal(await announcement(again).count(), 0, 'it is remembered for the user');
});

type Shift = PerformanceEntry & { hadRecentInput: boolean; sources: readonly { node: globalThis.Node | null }[] };

/** Runs in the page: keeps what has moved by itself. */
function noteShifts(): void {
  const seen = window as { shifted?: string[] };
  seen.shifted = [];
  new PerformanceObserver(list => {
    // The end of a toolbar grows by the tools of its table into what is empty before it.
    for (const { hadRecentInput, sources } of list.getEntries() as Shift[])
      for (const { node } of hadRecentInput ? [] : sources)
        if (!(node as Element)?.matches('.toolbar__end')) seen.shifted?.push((node as Element)?.outerHTML);
  }).observe({ type: 'layout-shift', buffered: true });
}
const shifted = (page: Page) => page.evaluate(() => (window as { shifted?: string[] }).shifted ?? []);

test('an announcement is painted with the page, and one that comes late moves nothing that is being pressed', async t => {
  // A page that the story answers for is to the browser from nowhere, and may open no socket to this machine.
  const page = await open(t, 'rival@southridge.test', '/dashboard', { allow: [/WebSocket connection/] });
  await page.addInitScript(noteShifts);
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  await page.goto(`${portal.url}/customers`);
  await announcement(page).waitFor();
  await eventually(
    () => asked.some(url => url.includes('/ui/data/notices.interval')),
    'the page reads what comes later',
  );
  assert.equal(asked.filter(url => url.includes('/ui/data/announcements.current')).length, 0, 'it came with the page');
  assert.deepEqual(await shifted(page), []);

  let release = (): void => undefined;
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/ui/data/announcements.current*', async route => {
    await held;
    await route.continue();
  });
  await page.route(`${portal.url}/customers`, async route => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"notices":\{.*\}\}<\/script>/, '"notices":{}}</script>');
    await route.fulfill({ response, body });
  });
  await page.goto(`${portal.url}/customers`);
  const add = page.getByTestId('add-customer');
  await add.hover();
  const place = await add.boundingBox();
  await page.mouse.down();
  release();
  await announcement(page).waitFor();
  assert.deepEqual(await add.boundingBox(), place);
  await page.mouse.up();
  await page.waitForURL('**/customers/add');
  assert.deepEqual(await shifted(page), []);
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
  const box = await announcement(page).boundingBox();
  assert.ok(box && heading && box.y + box.height <= heading.y, 'with the next screen it stands above it');
});

test('notices come after an announcement and are closed one by one', async t => {
  const page = await open(t, 'rival@southridge.test', '/customers');
  const notice = page.getByTestId('notice');
  await announcement(page).waitFor();
  assert.equal(await notice.count(), 0, 'one message at a time');
  await page.getByTestId('announcement-later').click();
  await notice.getByText('Mails that ask for your password are going around.').waitFor();
  await notice.getByText('(1 of 2 notices)').waitFor();
  await page.getByTestId('close-notice').click();
  await notice.getByText('Mailboxes of up to 100 GB are here. Ask your provider.', { exact: true }).waitFor();
  await page.getByTestId('close-notice').click();
  await notice.waitFor({ state: 'detached' });
});

test('notices are read on the interval that the server gives, and no more once that is refused', async t => {
  const page = await open(t, 'engineer@northwind.test', '/access-denied');
  const asked: number[] = [];
  let isRefused = false;
  await page.route('**/ui/data/notices.interval*', route => answer(route, 200, { Succeed: true, Result: 1000 }));
  await page.route('**/ui/data/notices.current*', route => {
    asked.push(isRefused ? 403 : 200);
    return isRefused
      ? answer(route, 403, { Succeed: false, Messages: ['You do not have permission to do this.'] })
      : answer(route, 200, { Succeed: true, Result: { Id: '1', Content: 'Still here', Category: 'info', Count: 1 } });
  });
  // The first replies come with the page; the interval is the server's from the first read on.
  await page.goto(`${portal.url}/customers`);
  await eventually(() => asked.length >= 3, 'notices are read again');
  isRefused = true;
  await eventually(() => asked.includes(403), 'reading is refused');
  await page.waitForTimeout(asSubject(3500));
  assert.equal(asked.filter(status => status === 403).length, 1, 'it is not asked again');
});

test('a file that was made in the background is told of on whatever page its person is, until she has seen it', async t => {
  await addManyCustomers(cloud.db, new Date(), 5001);
  const page = await open(t, 'empty@eastmoor.test', '/customers');
  await page.getByTestId('export-customers').click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await page.getByRole('dialog', { name: 'Exported files' }).getByRole('button', { name: 'Close' }).click();
  await page.getByTestId('nav-dashboard').click();
  await page.waitForURL('**/dashboard');
  const notice = page.getByTestId('export-notice');
  await notice.getByText('The file “Customers” is ready.').waitFor();
  await page.reload();
  await notice.getByTestId('show-export').click();
  await page.getByTestId('export-ready').getByText('5,001 rows').waitFor();
  await notice.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByTestId('attention').waitFor();
  assert.equal(await notice.count(), 0);
});

const answer = (route: Route, status: number, envelope: object) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(envelope) });

test('on a phone the quiet button of a notice begins where its text begins', async t => {
  const page = await open(t, 'empty@eastmoor.test', '/customers', { viewport: { width: 390, height: 844 } });
  await announcement(page).waitFor();
  const [text, button] = await Promise.all(
    [announcement(page).locator('.alert__text'), page.getByTestId('announcement-later').locator('.button__text')].map(
      part => part.evaluate(element => element.getBoundingClientRect().left),
    ),
  );
  assert.ok(Math.abs(text! - button!) < 1, `${text} and ${button}`);
});
