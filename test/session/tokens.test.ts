import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const read = '/ui/data/customers.list?pageSize=1';
let passed = 0;

const sandbox = withSandbox({ now: () => new Date(Date.now() + passed) });
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, { now: () => Date.now() + passed });

const exchangesOfTokens = () => proxy.exchanges.filter(({ body }) => body.includes('grant_type=refresh_token')).length;

test('tokens are exchanged once before they expire, however many requests wait for them', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  const before = exchangesOfTokens();
  passed += 13 * 60_000;
  const replies = await Promise.all(Array.from({ length: 20 }, () => browser.get(read)));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  assert.equal(exchangesOfTokens() - before, 1);
});

test('a token that the cloud refuses early is exchanged once, and the read is made again', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  await browser.get(read);
  // Tokens of one second are alike.
  passed += 2000;
  const before = exchangesOfTokens();
  let refused = '';
  proxy.intercept(({ url, headers }, response) => {
    refused ||= String(headers.authorization);
    return url.startsWith('/api/') && headers.authorization === refused
      ? answerJson(response, 401, { Succeed: false, Error: 'Unauthorized' })
      : false;
  });
  const replies = await Promise.all(Array.from({ length: 10 }, () => browser.get(read)));
  proxy.intercept(undefined);
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
  assert.equal(exchangesOfTokens() - before, 1);
});

test('a write that met a refused token is not repeated behind the back of the user', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  const { body } = await browser.get('/ui/data/customers.list?pageSize=1&status=Active');
  const customerId = body.Result.Items[0].OrganisationId;
  let writes = 0;
  proxy.intercept(({ url }, response) => {
    if (!url.endsWith('/name')) return false;
    writes += 1;
    return answerJson(response, 401, { Succeed: false });
  });
  const rename = () =>
    browser.press('rename-customer', 'rename', 'call:customers.rename', {
      with: { customerId },
      body: { NewName: 'Renamed once Ltd' },
    });
  const reply = await rename();
  proxy.intercept(undefined);
  assert.deepEqual([reply.status, reply.body.Resources?.code, writes], [502, 'UPSTREAM_TRY_AGAIN', 1]);
  const again = await rename();
  assert.equal(again.body.Succeed, true);
});

test('a refused refresh token ends the session', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  passed += 13 * 60_000;
  proxy.intercept(({ body }, response) =>
    body.includes('grant_type=refresh_token') ? answerJson(response, 400, { error: 'invalid_grant' }) : false,
  );
  assert.equal((await browser.get(read)).status, 401);
  proxy.intercept(undefined);
  assert.equal((await browser.get(read)).status, 401);
});

test('an auth service that is away for a moment ends nothing', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  passed += 13 * 60_000;
  proxy.intercept(({ url }, response) => (url === '/auth/token' ? answerJson(response, 503, {}) : false));
  assert.equal((await browser.get(read)).status, 502);
  proxy.intercept(undefined);
  assert.equal((await browser.get(read)).status, 200);
});
