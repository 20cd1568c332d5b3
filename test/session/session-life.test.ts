import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const minute = 60_000;
let passed = 0;

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, { now: () => Date.now() + passed });

const read = '/ui/data/customers.list?pageSize=1';
const asked = (url: string) => proxy.exchanges.filter(exchange => exchange.url.startsWith(url)).length;

test('the cookie is bound to the host, secure, out of reach of scripts and of other sites', async () => {
  const browser = portal.client();
  const reply = await browser.press('/sign-in', 'sign-in', 'command:auth.sign-in', {
    with: { username: 'reseller@northwind.test' },
    body: { Password: 'Demo-portal-2026' },
  });
  const [cookie = ''] = reply.headers.getSetCookie();
  assert.match(cookie, /^__Host-portal=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test('an identifier has 256 random bits, and only its hash is stored', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  const identifier = browser.cookie.split('=')[1] ?? '';
  assert.equal(Buffer.from(identifier, 'base64url').length, 32);
  const rows = await portal.store.run(db => db.selectFrom('sessions').selectAll().execute());
  assert.ok(rows.some(({ key }) => key === createHash('sha256').update(identifier).digest('base64url')));
  assert.ok(!JSON.stringify(rows).includes(identifier));
});

test('tokens of the cloud are stored sealed, under a key that the database does not have', async () => {
  await portal.signIn('reseller@northwind.test');
  const { access_token, refresh_token } = JSON.parse(
    proxy.exchanges.findLast(({ url }) => url === '/auth/token')?.reply ?? '',
  );
  const sessions = await portal.store.run(db => db.selectFrom('sessions').selectAll().execute());
  const rows = JSON.stringify(notEmpty(sessions));
  assert.ok(!rows.includes(access_token) && !rows.includes(refresh_token));
});

test('after sign-out the old cookie gives 401, also at the cloud, and the browser forgets its cache', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  const old = browser.cookie;
  assert.equal((await browser.get(read)).status, 200);
  const reply = await browser.post('/auth/sign-out');
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('clear-site-data'), '"cache"');
  assert.equal(browser.cookie, '');
  browser.cookie = old;
  const refused = await browser.get(read);
  assert.deepEqual([refused.status, refused.body.Resources.code], [401, 'SESSION_ENDED']);
  assert.equal(browser.cookie, '');
  await eventually(() => asked('/auth/logout') > 0, 'the cloud has heard of the sign-out');
});

test('half an hour without a request ends a session', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  passed += 29 * minute;
  assert.equal((await browser.get(read)).status, 200);
  passed += 29 * minute;
  assert.equal((await browser.get(read)).status, 200);
  passed += 31 * minute;
  assert.equal((await browser.get(read)).status, 401);
});

test('reads that no person asked for do not keep a session alive', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  for (let count = 0; count < 3; count++) {
    passed += 9 * minute;
    assert.equal((await browser.get(read, { 'x-portal-poll': '1' })).status, 200);
  }
  passed += 4 * minute;
  assert.equal((await browser.get(read)).status, 401);
});

test('twelve hours after signing in a session ends, however busy it was', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  for (let count = 0; count < 28; count++) {
    passed += 25 * minute;
    assert.equal((await browser.get(read)).status, 200, `after ${count * 25} minutes`);
  }
  passed += 25 * minute;
  assert.equal((await browser.get(read)).status, 401);
});

test('a minute later the rights of the cloud are asked for again, and a lost one is gone', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  assert.equal((await browser.get('/ui/screen?path=/customers/add')).body.redirect, undefined);
  const before = asked('/api/permissions');
  assert.equal((await browser.get(read)).status, 200);
  assert.equal(asked('/api/permissions'), before);
  proxy.intercept(({ url }, response) =>
    url === '/api/permissions'
      ? answerJson(response, 200, {
          Succeed: true,
          Result: { usersPermissions: { views: ['customers'], permissions: [] }, featureFlags: [] },
        })
      : false,
  );
  const redirect = async () => (await browser.get('/ui/screen?path=/customers/add')).body.redirect;
  passed += minute;
  // A cloud that takes long holds nobody up: its answer counts when it comes.
  await eventually(async () => (await redirect()) === '/access-denied?from=%2Fcustomers%2Fadd');
  proxy.intercept(undefined);
  passed += minute;
  await eventually(async () => (await redirect()) === undefined);
});

test('with the cloud out of reach rights are kept for ten minutes and no longer', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  proxy.intercept(({ url }, response) => (url === '/api/permissions' ? answerJson(response, 500, {}) : false));
  passed += 2 * minute;
  assert.equal((await browser.get('/ui/boot')).status, 200);
  passed += 9 * minute;
  assert.equal((await browser.get('/ui/boot')).status, 502);
  proxy.intercept(undefined);
  assert.equal((await browser.get('/ui/boot')).status, 200);
});

test('an account that the cloud refuses is signed out', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  proxy.intercept(({ url }, response) =>
    url.startsWith('/api/customers') ? answerJson(response, 403, { Succeed: false, Error: 'AccountDisabled' }) : false,
  );
  assert.equal((await browser.get(read)).status, 401);
  proxy.intercept(undefined);
  assert.equal((await browser.get('/ui/boot')).body.principal.type, 'public');
});

test('every session of a user ends when the user is suspended, wherever it was opened', async () => {
  const sessions = [await portal.signIn('user@contoso.test'), await portal.signIn('user@contoso.test')];
  const other = await portal.signIn('admin@contoso.test');
  const own = '/ui/data/endUser.services';
  for (const browser of sessions) assert.equal((await browser.get(own)).status, 200);
  const { organisationId, userId } = (await sessions[0]?.get('/ui/boot'))?.body.principal ?? {};
  const owner = await sandbox.signIn('reseller@northwind.test');
  const user = `/api/customers/${organisationId}/users/${userId}`;
  assert.equal((await sandbox.call(owner, 'POST', `${user}/suspend`)).status, 200);
  for (const browser of sessions) assert.equal((await browser.get(own)).status, 401);
  assert.equal((await other.get('/ui/data/customers.get')).status, 200);
  assert.equal((await sandbox.call(owner, 'POST', `${user}/reactivate`)).status, 200);
});

test('a refusal of a read that no person asked for does not sign out', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  proxy.intercept(({ url }, response) =>
    url.startsWith('/api/customers') ? answerJson(response, 403, { Succeed: false, Error: 'Forbidden' }) : false,
  );
  assert.equal((await browser.get(read, { 'x-portal-poll': '1' })).status, 403);
  proxy.intercept(undefined);
  assert.equal((await browser.get(read)).status, 200);
});

test('an account without a permissions record is sent to the permission-error page', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  proxy.intercept(({ url }, response) =>
    url.startsWith('/api/customers')
      ? answerJson(response, 403, { Succeed: false, Error: 'PermissionNotFound' })
      : false,
  );
  const reply = await browser.get(read);
  assert.deepEqual([reply.status, reply.body.Resources.code], [403, 'PERMISSION_NOT_FOUND']);
  assert.equal((await browser.get('/ui/screen?path=/customers')).body.redirect, '/permission-error');
  proxy.intercept(undefined);
});
