import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { asSubject } from '../fixtures/as-subject.ts';
import { withBrowser } from '../fixtures/browser.ts';
import { withBuiltPortal } from '../fixtures/built-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { firstServerMessage, openListeningPage, openListeningPageAs } from '../fixtures/signed-in-page.ts';
import { inTime } from '../fixtures/wait.ts';

const cloud = withSandbox();
const portal = withBuiltPortal(() => ({ CLOUD_API_URL: cloud.url }));
const browser = withBrowser();

/** Makes the next change of a service due, and ends it: everybody of Northwind is notified. */
async function finishOneChange(): Promise<void> {
  const next = await cloud.db
    .selectFrom('jobs as j')
    .innerJoin('service_instances as i', 'i.id', 'j.instance_id')
    .select('j.id')
    .where('i.reseller_id', '=', 1001)
    .where('j.state', '=', 'running')
    .orderBy('j.due')
    .executeTakeFirstOrThrow();
  await cloud.db
    .updateTable('jobs')
    .set({ due: new Date(0) })
    .where('id', '=', next.id)
    .execute();
  await cloud.tickOnce();
}

/** Opens a page of its own profile and waits until it hears the server. */
async function open(t: TestContext, account: string): Promise<Page> {
  const options = { allow: [/WebSocket|ERR_INTERNET_DISCONNECTED/] };
  const page = await openListeningPageAs(t, { browser, url: portal.url }, account, '/customers', options);
  await countOf(page);
  return page;
}

/** A second tab of the same session that hears the server. */
async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await openListeningPage(tab, portal.url + path);
  await countOf(tab);
  return tab;
}

async function countOf(page: Page): Promise<number> {
  const label = page.getByTestId('bell').and(page.getByRole('button', { name: /^Notifications, \d+ new$/ }));
  await label.waitFor();
  return Number(/\d+/.exec((await label.getAttribute('aria-label')) ?? '')?.[0]);
}

const becomes = (page: Page, count: number): Promise<void> =>
  page.getByRole('button', { name: `Notifications, ${count} new`, exact: true }).waitFor();

test('a change in the cloud raises the bell in every tab of those it concerns, and in nobody else’s', async t => {
  const page = await open(t, accounts.reseller);
  const tab = await openTab(page, '/customers');
  const rival = await open(t, accounts.rival);
  const before = await countOf(page);
  const others = await countOf(rival);

  await page.getByTestId('bell').click();
  const notes = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem');
  const first = await notes.first().innerText();
  await finishOneChange();
  await becomes(page, before + 1);
  await becomes(tab, before + 1);
  await page.waitForFunction(
    old => (document.querySelector('.notes > li') as HTMLElement | null)?.innerText !== old,
    first,
  );
  assert.equal(await countOf(rival), others);
});

test('marking as read in one tab lowers the bell in the other', async t => {
  const page = await open(t, accounts.reseller);
  const tab = await openTab(page, '/dashboard');
  const before = await countOf(page);
  await page.getByTestId('bell').click();
  await page.getByRole('button', { name: 'Mark as read' }).first().click();
  await becomes(page, before - 1);
  await becomes(tab, before - 1);
});

test('a page that was cut off catches up when it hears the server again', async t => {
  const page = await open(t, accounts.reseller);
  const before = await countOf(page);
  await page.context().setOffline(true);
  const socket = await page.evaluate(() => navigator.onLine);
  assert.equal(socket, false);
  await finishOneChange();
  await finishOneChange();
  assert.equal(await countOf(page), before);
  await page.context().setOffline(false);
  await becomes(page, before + 2);
});

test('a list that shows what changed in the cloud is read again by itself', async t => {
  const page = await open(t, accounts.reseller);
  const read = page.waitForResponse(reply => reply.url().includes('/ui/data/customers.list'));
  await finishOneChange();
  assert.equal((await read).status(), 200);
});

test('signing out in one tab ends every tab of the session', async t => {
  const page = await open(t, accounts.engineer);
  const tab = await openTab(page, '/customers');
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.waitForURL('**/login');
  await tab.waitForURL('**/login?return=*');
});

test('a page whose account has as many sockets as it may have stops trying, and tries again when its tab is shown', async t => {
  const options = { allow: [/WebSocket|429/] };
  const door = await openListeningPageAs(t, { browser, url: portal.url }, accounts.engineer, '/customers', options);
  const context = door.context();
  const [cookie] = (await context.cookies()).filter(({ name }) => name === '__Host-portal');
  await door.close();
  const address = `${portal.url.replace('http', 'ws')}/ui/socket/?EIO=4&transport=websocket`;
  const headers = { cookie: `__Host-portal=${cookie?.value}`, origin: portal.url };
  const lines: WebSocket[] = [];
  t.after(() => lines.forEach(line => void line.terminate()));
  const openLine = async (): Promise<boolean> => {
    const line = new WebSocket(address, { headers });
    line.on('message', data => String(data).startsWith('0') && line.send('40'));
    line.on('message', data => String(data) === '2' && line.send('3'));
    const answer = new Promise<boolean>(resolve => {
      line.on('error', () => resolve(false));
      line.on('open', () => resolve(true));
    });
    const isOpen = await inTime('The answer to a handshake', answer);
    if (isOpen) lines.push(line);
    return isOpen;
  };
  // The sockets of pages that were closed leave room when the server has seen them go, so a first refusal is not enough.
  await eventually(async () => {
    await openLine();
    return lines.length >= 20;
  }, 'an account has twenty sockets');
  assert.equal(await openLine(), false);

  const page = await context.newPage();
  const told = page.waitForResponse(reply => reply.url().endsWith('/ui/socket') && reply.status() === 429);
  await page.goto(`${portal.url}/customers`);
  await told;
  let tries = 0;
  page.on('websocket', () => {
    tries += 1;
  });
  // Without the refusal it would try again within a second, and after that every five.
  await page.waitForTimeout(asSubject(7000));
  assert.equal(tries, 0);
  for (const line of lines) line.terminate();
  const room = () => page.evaluate(() => fetch('/ui/socket').then(({ status }) => status));
  await eventually(async () => (await room()) === 204, 'closed sockets make room');
  const heard = firstServerMessage(page);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await heard;
});
