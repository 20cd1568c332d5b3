import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { signInAs, startPortal, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const token = 'a-token-for-figures';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, { env: { METRICS_TOKEN: token } });

test('the figures tell of calls of the cloud, the database, sockets, documents and refusals by code', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  await reseller.get('/ui/data/customers.list?pageSize=1');
  await signInAs(portal.client(), 'rival@southridge.test', 'wrong');
  await portal.client().get('/ui/data/customers.list');
  const { text } = await portal.client().get('/metrics', { authorization: `Bearer ${token}` });
  for (const line of [
    /^http_request_duration_seconds_bucket\{le="\+Inf",method="GET",route="\/ui\/data\/:operation",status="200"\} 1$/m,
    /^http_request_duration_seconds_count\{method="GET",route="\/ui\/data\/:operation",status="200"\} 1$/m,
    /^cloud_call_duration_seconds_count\{service="cloud",outcome="answered"\} [1-9]/m,
    /^cloud_call_duration_seconds_count\{service="auth",outcome="answered"\} [1-9]/m,
    /^cloud_call_duration_seconds_count\{service="rights",outcome="answered"\} [1-9]/m,
    /^http_failures_total\{code="SIGN_IN_FAILED"\} 1$/m,
    /^http_failures_total\{code="SESSION_ENDED"\} 1$/m,
    /^database_up 1$/m,
    /^database_connections [1-9]/m,
    /^database_waiting 0$/m,
    /^sockets_open 0$/m,
    /^sessions_live 1$/m,
    /^schemas_broken 0$/m,
  ])
    assert.match(text, line);
});

test('a file that breaks off is counted as cut, not by the status with which it began', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const file = '/ui/downloads/agreements.download?agreementId=2';
  const counts = async (): Promise<string[]> => {
    const { text } = await portal.client().get('/metrics', { authorization: `Bearer ${token}` });
    return text.match(/^http_request_duration_seconds_count\{method="GET",route="\/ui\/downloads.*$/gm) ?? [];
  };
  const line = (status: string, count: number) =>
    `http_request_duration_seconds_count{method="GET",route="/ui/downloads/:operation",status="${status}"} ${count}`;
  assert.equal((await reseller.file(file)).status, 200);
  await eventually(async () => (await counts()).length > 0);
  assert.deepEqual(await counts(), [line('200', 1)]);
  proxy.intercept(({ url }, response) => {
    if (url !== '/api/agreements/2/download') return false;
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.write(Buffer.alloc(100_000), () => response.destroy());
    return true;
  });
  await assert.rejects(reseller.file(file));
  proxy.intercept(undefined);
  await eventually(async () => (await counts()).join() !== line('200', 1));
  assert.deepEqual(await counts(), [line('200', 1), line('cut', 1)]);
});

test('sessions are counted, those of all processes, at most every 30 seconds', async () => {
  let passed = 0;
  const own = await startPortal({
    cloudUrl: sandbox.url,
    env: { METRICS_TOKEN: token },
    now: () => Date.now() + passed,
  });
  const count = async (): Promise<string> => {
    const { text } = await own.client().get('/metrics', { authorization: `Bearer ${token}` });
    return /^sessions_live (.*)$/m.exec(text)?.[1] ?? 'none';
  };
  assert.equal(await count(), '0');
  await own.signIn('reseller@northwind.test');
  await own.signIn('engineer@northwind.test');
  assert.equal(await count(), '0');
  passed += 31_000;
  assert.equal(await count(), '2');
  // Those that time out are no longer counted, though nobody has swept them away yet.
  passed += 31 * 60_000;
  assert.equal(await count(), '0');
  await own.close();
});
