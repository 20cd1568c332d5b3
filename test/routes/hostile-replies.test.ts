import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type Client, type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { type RecordingProxy, startRecordingProxy } from '../fixtures/recording-proxy.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

let sandbox: StartedSandbox;
let proxy: RecordingProxy;
let portal: StartedPortal;
let reseller: Client;

before(async () => {
  sandbox = await startSandbox();
  proxy = await startRecordingProxy(sandbox.url);
  portal = await startPortal({ cloudUrl: proxy.url });
  reseller = await portal.signIn('reseller@northwind.test');
});
after(async () => {
  await portal?.close();
  await proxy?.close();
  await sandbox?.close();
});
afterEach(() => proxy.intercept(undefined));

/** Has the cloud answer the list of customers, and a change of one, with this text. */
function replyWith(text: string): void {
  proxy.intercept(({ url }, response) => {
    if (!url.startsWith('/api/customers')) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    return true;
  });
}

/** A value below so many lists. */
const nested = (levels: number, value: string): string => `${'['.repeat(levels)}${value}${']'.repeat(levels)}`;
const levels = 100_000;

const replies = {
  'the reply': [nested(levels, '{}'), ''],
  rows: [`{"Items":${nested(levels, '{"Name":"Deep"}')},"Total":1}`, ',"Result":{"Items":[],"Total":1}'],
  'a field of a row': [
    `{"Items":[{"Name":${nested(levels, '"Deep"')}}],"Total":1}`,
    ',"Result":{"Items":[{}],"Total":1}',
  ],
  'what nobody reads': [`{"Items":[],"Total":0,"Extra":${nested(levels, '1')}}`, ',"Result":{"Items":[],"Total":0}'],
} as const;

test('a reply nested a hundred thousand lists deep is cut and answered, as data, on a screen and after a change', async () => {
  for (const [place, [given, passes]] of Object.entries(replies)) {
    replyWith(`{"Succeed":true,"Result":${given}}`);
    const read = await inTime(`Data, deep in ${place},`, reseller.get('/ui/data/customers.list'), 20_000);
    assert.deepEqual([read.status, read.body], [200, JSON.parse(`{"Succeed":true${passes}}`)], place);
    const screen = await inTime(`A screen, deep in ${place},`, reseller.get('/ui/screen?path=/customers'), 20_000);
    assert.deepEqual([screen.status, screen.body.data.customers], [200, read.body], place);
    const change = reseller.press('/customers', 'suspend', 'call:customers.suspend', { with: { customerId: '10001' } });
    assert.equal((await inTime(`A change, deep in ${place},`, change, 20_000)).status, 200, place);
  }
});

test('a deep reply whose names must be looked at one by one is a clear error', async () => {
  replyWith(`{"Succeed":true,"Result":{"Items":[],"Extra":${nested(levels, '{"__proto__":1}')}}}`);
  const read = await inTime('The error', reseller.get('/ui/data/customers.list'), 20_000);
  assert.deepEqual([read.status, read.body.Resources.code], [502, 'UPSTREAM_GARBLED']);
});
