import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { type StartedPortal, signInAs, startPortal } from '../fixtures/portal.ts';
import { type RecordingProxy, startRecordingProxy } from '../fixtures/recording-proxy.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

let sandbox: StartedSandbox;
let proxy: RecordingProxy;
let portal: StartedPortal;

before(async () => {
  sandbox = await startSandbox();
  proxy = await startRecordingProxy(sandbox.url);
  portal = await startPortal({
    cloudUrl: proxy.url,
    env: { ACCESS_LOG: '1', LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1' },
  });
});
after(async () => {
  await portal?.close();
  await proxy?.close();
  await sandbox?.close();
});

type Line = Readonly<Record<string, unknown>> & { readonly request: string; readonly msg: string };

const lines = (of: StartedPortal = portal): readonly Line[] =>
  of
    .log()
    .split('\n')
    .filter(text => text !== '')
    .map(text => JSON.parse(text) as Line)
    .filter(({ msg }) => msg === 'access');

/** The line of the request with this id, once it is there. */
async function lineOf(id: string): Promise<Line> {
  await eventually(() => lines().some(line => line.request === id));
  const found = lines().filter(line => line.request === id);
  assert.equal(found.length, 1, `lines of ${id}`);
  return found[0] as Line;
}

test('every request leaves one line with its route, status, time, bytes, network, id and account', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const read = '/ui/data/customers.list?pageSize=1&search=Contoso';
  const { text } = await reseller.get(read, { 'x-request-id': 'first-read', 'x-forwarded-for': '2001:db8:1:2:3::9' });
  const { level, time, ms, bytes, ...rest } = await lineOf('first-read');
  assert.deepEqual(rest, {
    request: 'first-read',
    method: 'GET',
    route: '/ui/data/:operation',
    status: 200,
    network: '2001:db8:1:2::/64',
    account: 'reseller@northwind.test',
    msg: 'access',
  });
  assert.equal(level, 30);
  assert.equal(typeof time, 'number');
  assert.equal(Number(ms) >= 0, true);
  // As they travel, headers included.
  assert.equal(Number(bytes) > text.length, true, `${bytes} of ${text.length}`);
});

test('a refused request, one for nothing and one that the browser gives up leave one line each', async () => {
  const { get } = portal.client();
  await get('/ui/data/customers.list', { 'x-request-id': 'refused-read' });
  const { account, ...refused } = await lineOf('refused-read');
  assert.deepEqual([refused.status, account], [401, undefined]);
  await get('/no/such/address?with=secret', { 'x-request-id': 'lost-read' });
  assert.equal((await lineOf('lost-read')).method, 'GET');

  const reseller = await portal.signIn('reseller@northwind.test');
  let isAsked = false;
  proxy.intercept(({ url }) => {
    isAsked ||= url.startsWith('/api/customers');
    return isAsked;
  });
  const given = { cookie: reseller.cookie, 'x-request-id': 'given-up' };
  const asking = request(`${portal.url}/ui/data/customers.list?pageSize=2`, { headers: given });
  asking.on('error', () => undefined).end();
  await eventually(() => isAsked);
  asking.destroy();
  assert.equal((await lineOf('given-up')).cut, true);
  proxy.intercept(undefined);
});

test('what is forwarded and is no address is one network, which has a name', async () => {
  for (const [id, forwarded] of Object.entries({
    'a-word': 'nobody',
    'an-obfuscated-name': '_hidden',
    'a-mark': '%00',
  })) {
    await portal.client().get('/login', { 'x-request-id': `from-${id}`, 'x-forwarded-for': forwarded });
    assert.equal((await lineOf(`from-${id}`)).network, 'unknown', forwarded);
  }
});

test('no line holds an address, a query, a cookie or what was typed, and each names a trace that came along', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const client = portal.client({ traceparent: `00-${trace}-00f067aa0ba902b7-01` });
  await signInAs(client, 'reseller@northwind.test', 'not-the-password-71', {}, {});
  await client.get('/customers/10001?tab=private-matter', { accept: 'text/html' });
  await eventually(() => lines().filter(line => line.trace === trace).length >= 3);
  const text = JSON.stringify(lines());
  assert.doesNotMatch(text, /not-the-password-71|private-matter|10001|Contoso|secret|__Host/);
});

test('without the setting no request leaves a line', async () => {
  const quiet = await startPortal({ cloudUrl: proxy.url });
  const reseller = await quiet.signIn('reseller@northwind.test');
  assert.equal((await reseller.get('/ui/data/customers.list?pageSize=1')).status, 200);
  assert.deepEqual(lines(quiet), []);
  await quiet.close();
});
