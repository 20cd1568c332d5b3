import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { type Route, registeredRoutes } from '../fixtures/routes.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, { env: { TRUSTED_PROXIES: '127.0.0.1' } });
const reseller = withClient(portal, 'reseller@northwind.test');
/** Every unsafe route of pages that is registered, with every command and stage in its place. */
let routes: Route[];
/** Those of programs, which have a key in a header. */
let byKey: Route[];
let byLink: Route[];
setUp(async () => {
  const unsafe = (await registeredRoutes(portal.app, 'examples')).filter(
    ({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method),
  );
  byKey = unsafe.filter(({ path }) => path.startsWith('/api/v1/'));
  byLink = unsafe.filter(({ path }) => path.startsWith('/unsubscribe/'));
  routes = unsafe.filter(route => !byKey.includes(route) && !byLink.includes(route));
});

let requests = 0;

/** Every request comes from a network of its own, since each may be refused only so often. */
async function send(method: string, path: string, headers: Record<string, string>) {
  requests += 1;
  const forwarded = `10.1.${requests >> 8}.${requests & 255}`;
  const reply = await fetch(portal.url + path, {
    method,
    headers: {
      cookie: reseller.cookie,
      'content-type': 'application/json',
      'x-forwarded-for': forwarded,
      ...headers,
    },
    body: JSON.stringify({ node: 'a', layout: 'b' }),
  });
  return { status: reply.status, code: JSON.parse(await reply.text()).Resources?.code };
}

test('the routes that can change something are known, calls, commands and stages of signing in among them', () => {
  const paths = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  for (const one of [
    'POST /ui/call/customers.suspend',
    'POST /ui/command/delivered.submit',
    'POST /auth/sign-in',
    'POST /auth/sign-out',
  ])
    assert.ok(paths.has(one), one);
});

test('an unsafe request needs the portal header and its own origin, on every route and by every method', async () => {
  const { host } = new URL(portal.url);
  const own = { 'x-portal': '1', origin: portal.url };
  const foreign: Record<string, string>[] = [
    { origin: portal.url },
    { ...own, 'x-portal': '' },
    { ...own, 'x-portal': '0' },
    { ...own, 'x-portal': '1, 1' },
    { ...own, origin: '' },
    { ...own, origin: 'null' },
    { ...own, origin: 'https://evil.test' },
    { ...own, origin: `http://${host}.evil.test` },
    { ...own, origin: `http://evil.test/${host}` },
    { ...own, origin: `http://${host}@evil.test` },
    { ...own, origin: portal.url.replace(/:\d+$/, '') },
    { ...own, 'sec-fetch-site': 'cross-site' },
  ];
  proxy.exchanges.length = 0;
  const anywhere = fc.oneof(
    fc.constantFrom(...routes),
    fc.record({
      method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
      path: fc.constantFrom('/', '/nowhere', '/ui/boot', '/health', ...routes.map(({ path }) => path)),
    }),
  );
  await fc.assert(
    fc.asyncProperty(anywhere, fc.constantFrom(...foreign), async ({ method, path }, headers) => {
      const { status, code } = await send(method, path, headers);
      assert.deepEqual([status, code], [403, 'REQUEST_REFUSED'], JSON.stringify([method, path, headers]));
    }),
    { numRuns: 200 },
  );
  assert.deepEqual(proxy.exchanges, []);
});

test('what programs call by a key hears no cookie, wherever it comes from', async () => {
  proxy.exchanges.length = 0;
  for (const { method, path } of byKey)
    for (const headers of [{ 'x-portal': '1', origin: portal.url }, { origin: 'https://evil.test' }])
      assert.deepEqual(await send(method, path, headers), { status: 401, code: 'API_KEY_INVALID' }, path);
  assert.ok(byKey.length > 0);
  assert.deepEqual(proxy.exchanges, []);
});

test('what mail programs send by a link needs the link itself, and no cookie helps', async () => {
  proxy.exchanges.length = 0;
  for (const { method, path } of byLink)
    assert.deepEqual(await send(method, path, { origin: 'https://evil.test' }), { status: 400, code: 'BAD_REQUEST' });
  assert.equal(byLink.length, 1);
  assert.deepEqual(proxy.exchanges, []);
});

test('every registered unsafe route refuses what comes without the header, and hears the portal’s own pages', async () => {
  for (const { method, path } of routes.filter(route => route.path !== '/auth/sign-out')) {
    assert.equal((await send(method, path, { origin: portal.url })).code, 'REQUEST_REFUSED', path);
    const { status, code } = await send(method, path, { 'x-portal': '1', origin: portal.url });
    // A link to a file needs no press.
    if (path.startsWith('/ui/downloads/') && status === 200) continue;
    const heard = ['NOT_PERMITTED', 'LAYOUT_CHANGED', 'BAD_REQUEST', 'PARAMETER_INVALID'];
    assert.ok(heard.includes(code), `${path} gives ${code}`);
  }
  assert.equal((await reseller.get('/ui/data/customers.list')).status, 200);
});
