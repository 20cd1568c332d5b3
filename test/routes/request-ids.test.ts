import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type Answer, type Client, type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { type RecordingProxy, startRecordingProxy } from '../fixtures/recording-proxy.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

const read = '/ui/data/customers.list?pageSize=1';
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
const requestId = '8e5c2b0a-1d7f-4c3e-9a41-6f0d2b7c9e55';
const ownReference = /^[A-Z2-9]{4}-[A-Z2-9]{4}$/;

let sandbox: StartedSandbox;
let proxy: RecordingProxy;
let trusting: StartedPortal;
let careful: StartedPortal;

before(async () => {
  sandbox = await startSandbox();
  proxy = await startRecordingProxy(sandbox.url);
  trusting = await startPortal({ cloudUrl: proxy.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  careful = await startPortal({ cloudUrl: proxy.url });
});
after(async () => {
  await careful?.close();
  await trusting?.close();
  await proxy?.close();
  await sandbox?.close();
});
afterEach(() => proxy.intercept(undefined));

const referenceOf = ({ body }: Answer): string => body.Resources.reference;
const refused = async (portal: StartedPortal, headers: Record<string, string>): Promise<string> =>
  referenceOf(await portal.client().get('/ui/data/customers.list', headers));
/** `traceparent` of what the cloud was asked last. */
const traceAsked = () =>
  proxy.exchanges.filter(({ url }) => url.startsWith('/api/customers')).at(-1)?.headers.traceparent;

test('the reference of an error is the request id that a trusted proxy gave, and stands in its log line', async () => {
  assert.equal(await refused(trusting, { 'x-request-id': requestId }), requestId);
  const line = trusting
    .log()
    .split('\n')
    .find(text => text.includes(requestId));
  const { reference, code } = JSON.parse(line ?? '{}') as { reference?: string; code?: string };
  assert.deepEqual([reference, code], [requestId, 'SESSION_ENDED']);
});

test('without an id the reference is that of the trace, and a request id goes before it', async () => {
  assert.equal(await refused(trusting, { traceparent }), trace);
  assert.equal(await refused(trusting, { traceparent, 'x-request-id': requestId }), requestId);
});

test('what has not the shape of an id is not taken from anybody, and nothing at all from who is no trusted proxy', async () => {
  const misshapen: Record<string, string>[] = [
    { 'x-request-id': 'short' },
    { 'x-request-id': 'x'.repeat(65) },
    { 'x-request-id': 'two words and more' },
    { 'x-request-id': '<b>12345678</b>' },
    { 'x-request-id': '{"level":60}' },
    { traceparent: trace },
    { traceparent: traceparent.toUpperCase() },
    { traceparent: `ff${traceparent.slice(2)}` },
    { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
    { traceparent: `${traceparent}-more` },
  ];
  for (const headers of misshapen)
    assert.match(await refused(trusting, headers), ownReference, JSON.stringify(headers));
  assert.match(await refused(careful, { 'x-request-id': requestId, traceparent }), ownReference);
});

test('a trace goes on to the cloud with reads and commands, from trusted proxies only', async () => {
  const readAs = async (portal: StartedPortal, headers: Record<string, string>): Promise<void> => {
    const reseller: Client = await portal.signIn('reseller@northwind.test');
    assert.equal((await reseller.get(read, headers)).status, 200);
  };
  await readAs(trusting, { traceparent });
  assert.equal(traceAsked(), traceparent);
  await readAs(trusting, {});
  assert.equal(traceAsked(), undefined);
  await readAs(trusting, { traceparent: 'x' });
  assert.equal(traceAsked(), undefined);
  await readAs(careful, { traceparent });
  assert.equal(traceAsked(), undefined);
});

test('failures of an outage are told apart by the ids of their requests', async () => {
  const reseller = await trusting.signIn('reseller@northwind.test');
  proxy.intercept(({ url }, response) => {
    if (!url.startsWith('/api/customers')) return false;
    response.socket?.destroy();
    return true;
  });
  const answer = await reseller.get(read, { 'x-request-id': `${requestId}-2` });
  assert.deepEqual([answer.status, referenceOf(answer)], [502, `${requestId}-2`]);
  assert.match(trusting.log(), new RegExp(`"reference":"${requestId}-2"`));
});
