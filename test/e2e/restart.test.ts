import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { io, type Socket } from 'socket.io-client';
import { asSubject } from '../fixtures/as-subject.ts';
import { openBrowser } from '../fixtures/browser.ts';
import { type BuiltPortal, startBuiltPortal, unhurried } from '../fixtures/built-portal.ts';
import { freePort } from '../fixtures/free-port.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';
import { untilConnected } from '../fixtures/wait.ts';

let base: string;
let cloud: StartedSandbox;
let portal: BuiltPortal;
let settings: Record<string, string>;
let browser: Awaited<ReturnType<typeof openBrowser>>;

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'portal-restart-'));
  cloud = await startSandbox();
  settings = { ...unhurried, CLOUD_API_URL: cloud.url, PORT: String(await freePort()) };
  portal = await startBuiltPortal(settings, { base });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await portal?.stop();
  await cloud?.close();
  await rm(base, { recursive: true, force: true });
});

const allow = [/WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource/];

test('a page whose portal is restarted says so, comes back by itself and hears news again', async t => {
  const page = await openListeningPageAs(t, { browser, url: portal.url }, accounts.reseller, '/customers', { allow });
  await page.getByTestId('bell').waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  const told = page.getByText('The portal is being restarted. This page comes back by itself.').waitFor();
  await portal.stop();
  await told;
  // They wait for the start of the portal as well.
  const timeout = 90_000;
  const opened = page.waitForEvent('websocket', { predicate: socket => socket.url().includes('/ui/socket'), timeout });
  const heard = page.waitForResponse(reply => reply.url().includes('/ui/data/') && reply.ok(), { timeout });
  portal = await startBuiltPortal(settings, { base });
  await opened;
  // What may have been missed meanwhile is read again.
  await heard;
  await page.getByTestId('nav-dashboard').click();
  await page.getByTestId('customers-table').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => 'isSamePage' in globalThis), true, 'the page was loaded anew');
});

test('a page of an account that is open in too many places says that it hears no news, and hears them later', async t => {
  const page = await openListeningPageAs(t, { browser, url: portal.url }, accounts.engineer, '/customers', { allow });
  await page.getByTestId('bell').waitFor();
  const [session] = (await page.context().cookies()).filter(
    ({ name }) => name.startsWith('__Host-portal') || name === 'portal',
  );
  const cookie = `${session?.name}=${session?.value}`;
  const others: Socket[] = [];
  // One of the 20 is the page's own.
  for (let count = 1; count < 20; count++) {
    const socket = io(portal.url, {
      path: '/ui/socket',
      transports: ['websocket'],
      forceNew: true,
      extraHeaders: { cookie, origin: portal.url },
    });
    await untilConnected(socket);
    others.push(socket);
  }
  t.after(() => others.forEach(socket => void socket.disconnect()));
  const late = await page.context().newPage();
  let tries = 0;
  late.on('websocket', () => {
    tries += 1;
  });
  await late.goto(`${portal.url}/customers`);
  await late.getByText('This page is not kept up to date for now: the account is open in too many windows.').waitFor();
  assert.equal(tries, 1);
  // Sooner than the first slow try.
  await late.waitForTimeout(asSubject(5000));
  assert.equal(tries, 1);
  const back = late.waitForEvent('websocket', { timeout: 90_000 });
  const heard = late.waitForResponse(reply => reply.url().includes('/ui/data/') && reply.ok(), { timeout: 90_000 });
  for (const socket of others) socket.disconnect();
  await back;
  await heard;
});
