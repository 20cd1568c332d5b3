import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxLicence } from '../../server/sandbox/sites/live-chat/licence.ts';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { freePort } from '../fixtures/free-port.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

// A Monday at noon in London: support is there.
const open = Date.UTC(2027, 0, 4, 12);
let now = open;
const port = await freePort();
const sandbox = withSandbox({
  now: () => new Date(now),
  tokenSeconds: 90 * 86_400,
  portalUrl: `http://127.0.0.1:${port}`,
});
const portal = withBrowserPortal(() => ({
  ...unhurried,
  PORT: String(port),
  CLOUD_API_URL: sandbox.url,
  LIVE_CHAT_URL: sandbox.liveChatUrl(),
  LIVE_CHAT_LICENCE: sandboxLicence,
}));
const reseller = 'reseller@northwind.test';

test('somebody chats with support, reloads and goes on, and makes a ticket of it', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const chat = new URL(sandbox.liveChatUrl()).origin;
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url()));
  await page.getByTestId('nav-support').click();
  await page.getByTestId('nav-live-chat').waitFor();
  assert.deepEqual(
    asked.filter(url => url.startsWith(chat)),
    [],
    'nothing loads before the press',
  );
  await page.getByTestId('nav-live-chat').press('Enter');
  const frame = page.frameLocator('[data-testid=live-chat-frame]');
  await frame.getByText('You are Priya Raman').waitFor();
  await axe(page);
  await frame.getByLabel('Message').fill('An activation failed');
  await frame.getByLabel('Message').press('Enter');
  await frame.getByText('I am sorry to hear that').waitFor();

  await page.reload();
  await page.getByTestId('live-chat-over').waitFor();
  await axe(page);
  await page.getByRole('button', { name: 'Open the chat again' }).click();
  await frame.getByText('An activation failed').waitFor();
  await frame.getByRole('button', { name: 'Make it a ticket' }).click();
  await frame.getByText('I have opened ticket').waitFor();
  assert.deepEqual(
    asked.filter(url => /eyJ|token=|Priya|northwind/i.test(url)),
    [],
  );

  await page.getByTestId('chat-ticket').click();
  await page.getByRole('heading', { level: 1, name: 'New ticket' }).waitFor();
  await page.goBack();
  await page.getByTestId('live-chat-over').waitFor();
  await page.goto(`${portal.url}/support/tickets`);
  await page.getByText('Live chat: An activation failed').first().waitFor();
});

test('on a phone the chat fits, and out of hours the form of a ticket says why', async t => {
  const page = await openPageAs(t, portal, reseller, '/support', { viewport: { width: 390, height: 844 } });
  const openMenu = async () => {
    await page.getByTestId('open-drawer').click();
    await page.getByTestId('drawer-nav-live-chat').click();
  };
  await openMenu();
  const frame = page.frameLocator('[data-testid=live-chat-frame]');
  await frame.getByText('You are Priya Raman').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 390);
  now = Date.parse('2027-03-26T12:00Z');
  await openMenu();
  await page.getByTestId('chat-away').waitFor();
  await axe(page);
  now = open;
});

test('a chat that does not answer is told, with a door to the form of a ticket; what is not of its origin is not heard', async t => {
  const page = await openPageAs(t, portal, reseller, '/support', { allow: [/ERR_CONNECTION_REFUSED|ERR_FAILED/] });
  await page.clock.install();
  await page.route(`${new URL(sandbox.liveChatUrl()).origin}/**`, route => route.abort());
  await page.getByTestId('nav-support').click();
  await page.getByTestId('nav-live-chat').click();
  await page.getByTestId('live-chat-frame').waitFor();
  await page.evaluate(() => window.postMessage({ kind: 'ready' }, '*'));
  await page.clock.fastForward(10_000);
  await page.getByTestId('live-chat-late').waitFor();
  await axe(page);
  await page.getByTestId('chat-ticket').click();
  await page.getByRole('heading', { level: 1, name: 'New ticket' }).waitFor();
});
