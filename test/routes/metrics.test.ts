import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInAs, startPortal, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const token = 'a-token-for-figures';

const sandbox = withSandbox();
const portal = withPortal(sandbox, { env: { METRICS_TOKEN: token } });

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
