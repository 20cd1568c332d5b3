import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { startPortal, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
// What many addresses send comes from one here.
const portal = withPortal(proxy, { env: { REQUESTS_PER_ADDRESS: '2000', CONNECTIONS_PER_ADDRESS: '2000' } });

test('however many reads a cloud leaves unanswered, pages, boot and the sign-in are answered', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  assert.equal((await reseller.get('/ui/data/customers.list?pageSize=1')).status, 200);
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  proxy.intercept(async ({ url }) => {
    if (url.startsWith('/api/customers')) await released;
    return false;
  });
  const agent = new Agent({ keepAlive: false });
  const codes: string[] = [];
  const reads = Array.from(
    { length: 1100 },
    () =>
      new Promise<void>((resolve, reject) => {
        const asked = request(`${portal.url}/ui/data/customers.list?pageSize=1`, {
          agent,
          headers: { cookie: reseller.cookie },
        });
        asked.on('response', async reply => {
          let text = '';
          for await (const part of reply) text += part;
          codes.push(reply.statusCode === 200 ? 'done' : JSON.parse(text).Resources.code);
          resolve();
        });
        asked.on('error', reject);
        asked.end();
      }),
  );
  // Those beyond the bound are told so at once.
  await eventually(() => codes.length > 0);
  assert.equal(codes[0], 'UPSTREAM_BUSY');
  assert.equal((await portal.client().get('/login', { accept: 'text/html' })).status, 200);
  assert.equal((await reseller.get('/ui/boot')).status, 200);
  assert.equal((await reseller.get('/ui/screen?path=/account-setting/profile')).status, 200);
  assert.equal((await portal.signIn('rival@southridge.test')).cookie === '', false);
  release();
  proxy.intercept(undefined);
  await inTime('The answers to all reads', Promise.all(reads), 120_000);
  agent.destroy();
  // The others have waited for the cloud, as long as it may take, or until it was known not to answer.
  const waited = codes.filter(code => code !== 'UPSTREAM_BUSY' && code !== 'UPSTREAM_PAUSED');
  assert.deepEqual([...new Set(['done', 'UPSTREAM_TIMEOUT', ...waited])], ['done', 'UPSTREAM_TIMEOUT']);
});

test('while the cloud hangs, pages by their address come with their frame before a read has ended', async () => {
  const hasty = await startPortal({ cloudUrl: proxy.url, env: { FIRST_DATA_MS: '300' } });
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  try {
    const reseller = await hasty.signIn('reseller@northwind.test');
    proxy.intercept(async () => {
      await released;
      return false;
    });
    const read = reseller.get('/ui/data/customers.list?pageSize=1');
    const addresses = ['/customers', '/account-setting/profile', '/customers/customer/10001/add-service/share-point'];
    const pages = Promise.all(addresses.map(address => reseller.get(address, { accept: 'text/html' })));
    const first = await Promise.race([read.then(() => 'the read'), pages.then(() => 'the pages')]);
    assert.equal(first, 'the pages');
    for (const { status, text } of await pages) assert.deepEqual([status, text.includes('"layout":{')], [200, true]);
    release();
    await read;
  } finally {
    release();
    proxy.intercept(undefined);
    await hasty.close();
  }
});
