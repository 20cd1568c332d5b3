import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seesPrices } from '../../server/session/identity.ts';
import { withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);

test('resellers always see prices; others only when loaded settings say that they are not hidden', () => {
  assert.equal(seesPrices('reseller', undefined), true);
  assert.equal(seesPrices('reseller', { HidePricing: true }), true);
  for (const type of ['engineer', 'endUserAdmin', 'endUser', 'public'] as const) {
    assert.equal(seesPrices(type, { HidePricing: false }), true, type);
    for (const display of [undefined, {}, { HidePricing: true }, { HidePricing: 0 }, { HidePricing: 'false' }])
      assert.equal(seesPrices(type, display), false, type);
  }
});

test('the type admin of the cloud is an engineer', async () => {
  const { body } = await (await portal.signIn('engineer@northwind.test')).get('/ui/boot');
  assert.equal(body.principal.type, 'engineer');
});

test('calls go out in the user name of an end user and in the e-mail address of others', async () => {
  for (const [username, path] of [
    ['user@contoso.test', '/ui/data/endUser.services'],
    ['reseller@northwind.test', '/ui/data/customers.list'],
  ] as const) {
    proxy.exchanges.length = 0;
    proxy.intercept(({ url }, response) =>
      url === '/api/users/login-user'
        ? answerJson(response, 200, {
            Succeed: true,
            Result: {
              userName: username,
              emailAddress: 'mail@elsewhere.test',
              displayName: 'A',
              userType: username.startsWith('user') ? 'endUser' : 'reseller',
              organisationId: '1',
              currency: 'GBP',
            },
          })
        : false,
    );
    const browser = await portal.signIn(username);
    await browser.get(path);
    const sent = proxy.exchanges.findLast(({ url }) => /services|customers/.test(url))?.headers['actor-id'];
    assert.equal(sent, username.startsWith('user') ? username : 'mail@elsewhere.test');
  }
  proxy.intercept(undefined);
});

test('settings that cannot be had hide prices and stop nothing else', async () => {
  proxy.intercept(({ url }, response) =>
    url === '/api/account-settings/display' ? answerJson(response, 500, {}) : false,
  );
  const admin = await portal.signIn('admin@contoso.test');
  proxy.intercept(undefined);
  assert.ok(!(await admin.get('/ui/data/customers.services')).text.includes('MonthlyPrice'));
});

test('links to other systems are those that the cloud says are linked; none where it does not say', async () => {
  const systems = async (username: string, status = 200) => {
    proxy.intercept(({ url }, response) => {
      if (url !== '/api/partner-systems') return false;
      const linked = ['comms', 'cloud', 'elsewhere', 5].map(slug => ({ slug, name: '', url: '', linked: true }));
      const Result = [...linked, { slug: 'hardware', linked: false }, { slug: 'distribution', linked: 'true' }, null];
      return answerJson(response, status, { Succeed: status === 200, Result });
    });
    const { text } = await (await portal.signIn(username)).get('/customers', { accept: 'text/html' });
    proxy.intercept(undefined);
    return ['comms', 'hardware', 'distribution'].filter(slug => text.includes(`https://${slug}.fernhill.test`));
  };
  assert.deepEqual(await systems('reseller@northwind.test'), ['comms']);
  assert.deepEqual(await systems('engineer@northwind.test'), ['comms']);
  assert.deepEqual(await systems('reseller@northwind.test', 500), []);
  assert.deepEqual(await systems('admin@contoso.test'), []);
});

test('an account of a type that nobody knows cannot sign in', async () => {
  proxy.intercept(({ url }, response) =>
    url === '/api/users/login-user'
      ? answerJson(response, 200, { Succeed: true, Result: { userName: 'x', userType: 'superuser' } })
      : false,
  );
  await assert.rejects(portal.signIn('reseller@northwind.test'), /UPSTREAM_GARBLED/);
  proxy.intercept(undefined);
});

test('tokens of the cloud never show in a response', async () => {
  const browser = await portal.signIn('reseller@northwind.test');
  const seen: string[] = [];
  const paths = [
    '/',
    '/customers',
    '/dashboard',
    '/not-found',
    '/ui/boot',
    '/ui/screen?path=/customers',
    '/ui/data/customers.list',
    '/ui/data/notifications.list?status=new',
    '/ui/data/none',
    '/openapi.json',
    '/metrics',
    '/ready',
  ];
  for (const path of paths) {
    const { text, headers } = await browser.get(path, { accept: 'text/html, */*' });
    seen.push(text, JSON.stringify([...headers]));
  }
  // The cloud echoes a token in every field that it has, and fails with it.
  const { access_token: token } = JSON.parse(
    proxy.exchanges.findLast(({ url }) => url === '/auth/token')?.reply ?? '{}',
  );
  proxy.intercept(({ url }, response) => {
    if (url.startsWith('/api/customers'))
      return answerJson(response, 200, {
        Succeed: true,
        Labels: token,
        Resources: { token },
        Token: token,
        Result: { Token: token, Items: [{ Token: token, Name: 'A' }] },
      });
    return url.startsWith('/api/dashboard') ? answerJson(response, 500, { Succeed: false, Error: token }) : false;
  });
  for (const path of ['/ui/data/customers.list', '/ui/data/dashboard.summary', '/customers', '/dashboard'])
    seen.push((await browser.get(path, { accept: 'text/html, */*' })).text);
  proxy.intercept(undefined);
  const [, identifier = ''] = browser.cookie.split('=');
  await browser.post('/auth/sign-out');
  const all = proxy.exchanges
    .filter(({ url }) => url === '/auth/token')
    .flatMap(({ reply }) =>
      [JSON.parse(reply).access_token, JSON.parse(reply).refresh_token].filter(value => value !== undefined),
    );
  assert.ok(all.length >= 2);
  assert.equal(identifier.length, 43);
  for (const secret of [...all, identifier, 'Demo-portal-2026']) assert.ok(!seen.some(text => text.includes(secret)));
});
