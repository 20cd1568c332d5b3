import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxLicence } from '../../server/sandbox/sites/live-chat/licence.ts';
import type { Boot } from '../../shared/contract/boot.ts';
import { type Answer, type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

// A Monday at noon in London: support is there.
const open = Date.UTC(2027, 0, 4, 12);
let now = open;
const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 90 * 86_400 });
const portal = withPortal(sandbox);
/** Before a cloud whose operator has no chat. */
const plain = withPortal({
  get url() {
    return sandbox.url;
  },
});
const reseller = withClient(portal, 'reseller@northwind.test');
const rival = withClient(portal, 'rival@southridge.test');
const engineer = withClient(portal, 'engineer@northwind.test');

const press = (client: Client) =>
  client.post('/ui/command/site.live-chat', { node: 'live-chat', layout: 'navigation' });
const look = (client: Client, path: string) => client.get(path, { accept: 'text/html' });
const policyOf = ({ headers }: Answer): string => headers.get('content-security-policy') ?? '';
const framedBy = ({ text }: Answer) =>
  JSON.parse(/<script type="application\/json" id="live-chat">(.*)<\/script>/.exec(text)?.[1] ?? 'null');

/** Opens the chat, and gives the address of its page. */
async function openChat(client: Client): Promise<string> {
  const { body, text } = await press(client);
  assert.equal(body.effects?.[0]?.do, 'leave', text);
  assert.doesNotMatch(text, /eyJ|[Tt]oken|Priya|1000001/);
  const { origin, pathname } = new URL(body.effects[0].to);
  assert.equal(origin, portal.url);
  assert.match(pathname, /^\/live-chat\/[\w-]{43}$/);
  return pathname;
}

test('the page alone may frame the chat, which its frame opens once, in the session that asked', async () => {
  const path = await openChat(reseller);
  const chat = new URL(sandbox.liveChatUrl()).origin;
  for (const other of [rival, await portal.signIn('reseller@northwind.test')]) {
    const seen = await look(other, path);
    assert.equal(framedBy(seen), null);
    assert.doesNotMatch(policyOf(seen), /frame-src/);
  }
  const page = await look(reseller, path);
  assert.ok(policyOf(page).endsWith(`; frame-src 'self' ${chat}`), policyOf(page));
  assert.match(policyOf(page), /frame-ancestors 'none'/);
  assert.doesNotMatch(policyOf(page), /(?:script|connect|img|style)-src [^;]*http/);
  const { src, origin } = framedBy(page);
  assert.equal(origin, chat);
  assert.doesNotMatch(page.text, /eyJ/);

  const prefetched = await reseller.get(src, { accept: 'text/html', 'sec-purpose': 'prefetch' });
  assert.equal(prefetched.status, 302, 'a look uses nothing up');
  const handed = await look(reseller, src);
  assert.match(policyOf(handed), new RegExp(`form-action ${chat};.*frame-ancestors 'self'$`));
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(handed.text)?.[1] ?? '';
  assert.equal(field('licence'), sandboxLicence);
  const fields = new URLSearchParams({ token: field('token'), licence: field('licence') });
  const opened = await fetch(`${chat}/`, { method: 'POST', body: fields });
  assert.match(await opened.text(), /You are Priya Raman/);

  assert.equal((await look(reseller, src)).headers.get('location'), '/', 'used');
  const again = await look(reseller, path);
  assert.equal(again.status, 200);
  assert.equal(framedBy(again), null);
  assert.doesNotMatch(policyOf(again), /frame-src/);
  const secret = field('token').split('.').at(-1) ?? '';
  assert.ok(secret.length > 20 && !portal.log().includes(secret) && !portal.log().includes(path));
});

test('no other page of a portal with a chat may frame it, nor name it anywhere in its policy', async () => {
  const chat = new URL(sandbox.liveChatUrl()).host;
  const { routes } = (await reseller.get('/ui/boot')).body as Boot;
  const addresses = routes.map(([pattern]) => pattern.replaceAll(/\{(\w+)\}/g, '10001'));
  assert.ok(addresses.includes('/support') && addresses.length > 50, String(addresses.length));
  for (const address of [...addresses, '/nowhere', '/ui/boot', '/ui/screen?path=/support', '/hand-over/x'])
    assert.ok(!policyOf(await look(reseller, address)).includes(chat), address);
  assert.ok(!policyOf(await look(portal.client(), '/login')).includes(chat));
});

test('the ticket of another site opens no chat', async () => {
  const service = '/customers/customer/{orgId}/services/{instanceId}';
  const { body } = await reseller.press(service, 'open-servers', 'command:site.servers');
  const { pathname } = new URL(body.effects[0].to);
  const page = await look(reseller, pathname.replace('hand-over', 'live-chat'));
  assert.equal(framedBy(page), null);
  assert.match(policyOf(await look(reseller, pathname)), /frame-ancestors 'none'/);
});

test('out of hours it becomes the form of a ticket, which says why', async () => {
  now = Date.parse('2027-03-26T12:00Z');
  const { body } = await press(reseller);
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/support/add-new-ticket?chat=away' }]);
  assert.deepEqual(body.Result, { outcome: 'away' });
  now = open;
});

test('without the feature, the permission or a chat of the operator there is none', async () => {
  const withNone = await plain.signIn('reseller@northwind.test');
  for (const client of [engineer, withNone]) {
    const { status, body } = await press(client);
    assert.ok(status >= 400 && body.effects === undefined, String(status));
    const { text } = await client.get('/ui/boot');
    assert.doesNotMatch(text, /live-chat/);
  }
});
