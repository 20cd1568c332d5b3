import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, signInAs, startPortal, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const password = 'Demo-portal-2026';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);

/** A reply without what differs by chance. */
function withoutReference({ status, body }: Answer): unknown {
  const { reference, ...Resources } = body.Resources;
  assert.match(reference, /^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  return { status, ...body, Resources };
}

const guesses = () => proxy.exchanges.filter(({ url }) => url === '/auth/token').length;

test('a username that signs in by password leads to the password stage, with all that its address carries', async () => {
  const reply = await portal.client().press('/login', 'login', 'command:auth.login', {
    body: { Username: 'reseller@northwind.test' },
  });
  assert.deepEqual(reply.body, {
    Succeed: true,
    effects: [{ do: 'navigate', to: '/sign-in?username=reseller%40northwind.test', keep: true }],
  });
});

test('an unknown username is told so at its field', async () => {
  const reply = await portal
    .client()
    .press('/login', 'login', 'command:auth.login', { body: { Username: 'nobody@nowhere.test' } });
  assert.equal(reply.status, 422);
  assert.deepEqual(reply.body.Errors, { Username: ["We don't recognise that username."] });
});

test('a username of single sign-on is told so where no provider is configured', async t => {
  const none = { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' };
  const without = await startPortal({ cloudUrl: proxy.url, env: none });
  t.after(() => without.close());
  const reply = await without
    .client()
    .press('/login', 'login', 'command:auth.login', { body: { Username: 'sso@northwind.test' } });
  assert.equal(reply.status, 422);
  assert.equal(reply.body.Resources?.code, 'SIGN_IN_ELSEWHERE');
});

test('a right password opens a session and lands where the role lands', async () => {
  const landings = {
    'reseller@northwind.test': '/dashboard',
    'engineer@northwind.test': '/customers',
    'user@contoso.test': '/end-user',
    'noaccess@northwind.test': '/no-access-resources',
    'norecord@northwind.test': '/permission-error',
  };
  for (const [username, to] of Object.entries(landings)) {
    const browser = portal.client();
    const reply = await signInAs(browser, username, password);
    assert.deepEqual(reply.body.effects, [{ do: 'navigate', to, replace: true }], username);
    assert.equal(reply.body.Resources.code, 'SESSION_CHANGED');
    assert.equal((await browser.get(to, { accept: 'text/html' })).status, 200);
  }
});

test('a customer administrator lands on the page of the own organisation', async () => {
  const browser = await portal.signIn('admin@contoso.test');
  const { boot } = await browser.page('/no-access-resources');
  assert.equal(boot.landing, `/customers/customer/${boot.principal.organisationId}`);
});

test('signing in returns to the address that was asked for', async () => {
  const reply = await signInAs(
    portal.client(),
    'reseller@northwind.test',
    password,
    {},
    { return: '/customers?page=2' },
  );
  assert.equal(reply.body.effects[0].to, '/customers?page=2');
});

test('wrong, locked, disabled and unknown give one reply', async () => {
  const locked = portal.client();
  for (let count = 0; count < 12; count++) await signInAs(locked, 'user@contoso.test', 'wrong', { NotRobot: true });
  const replies = [
    // The fourth failure and later ones are alike; before, the count itself differs.
    await signInAs(locked, 'user@contoso.test', 'wrong', { NotRobot: true }),
    await signInAs(locked, 'user@contoso.test', password, { NotRobot: true }),
  ];
  for (const username of ['disabled@northwind.test', 'rival@southridge.test', 'nobody@nowhere.test']) {
    const browser = portal.client();
    for (let count = 0; count < 3; count++) await signInAs(browser, username, `${password}?`);
    replies.push(
      await signInAs(browser, username, username.startsWith('disabled') ? password : 'wrong', { NotRobot: true }),
    );
  }
  for (const reply of replies) assert.deepEqual(withoutReference(reply), withoutReference(replies[0] as Answer));
  assert.equal(replies[0]?.body.Error, 'The username or password is wrong.');
});

test('a hundred parallel guesses never pass the limit', async () => {
  const browser = portal.client();
  await browser.hashOf('/sign-in');
  const before = guesses();
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      signInAs(browser, index % 2 ? 'Engineer@Northwind.test' : ' engineer@northwind.test', 'wrong', {
        NotRobot: true,
      }),
    ),
  );
  assert.equal(guesses() - before, 10);
  assertEvery(replies, ({ body }) => body.Succeed === false);
  const right = await signInAs(browser, 'engineer@northwind.test', password, { NotRobot: true });
  assert.equal(right.status, 422);
});

test('after three failures the not-a-robot answer is required by the server', async () => {
  const browser = portal.client();
  const username = 'large@bigreseller.test';
  for (let count = 1; count <= 3; count++) {
    const reply = await signInAs(browser, username, 'wrong');
    assert.deepEqual(reply.body.effects, [{ do: 'set', path: 'form.$failures', value: count }]);
  }
  const before = guesses();
  const unanswered = await signInAs(browser, username, 'wrong');
  assert.deepEqual([unanswered.status, Object.keys(unanswered.body.Errors)], [422, ['NotRobot']]);
  assert.deepEqual(unanswered.body.effects, [{ do: 'set', path: 'form.$failures', value: 3 }]);
  const forged = await signInAs(browser, username, 'wrong', { $failures: 0 });
  assert.deepEqual(Object.keys(forged.body.Errors), ['NotRobot']);
  assert.equal(guesses(), before);
  const answered = await signInAs(browser, username, 'wrong', { NotRobot: true });
  assert.equal(answered.body.Resources.code, 'SIGN_IN_FAILED');
});

test('an answer that the browser asked for sooner than the server is taken', async () => {
  const reply = await signInAs(portal.client(), 'reseller@northwind.test', password, { NotRobot: true });
  assert.equal(reply.body.Succeed, true);
});

test('passwords go on byte for byte', async () => {
  const username = 'norecord@northwind.test';
  const odd = ['  spaced  ', 'päß+wörd&=%20', 'x'.repeat(100), '日本語🔑'];
  for (const word of odd) await signInAs(portal.client(), username, word, { NotRobot: true });
  const sent = proxy.exchanges
    .filter(({ url }) => url === '/auth/token')
    .map(({ body }) => new URLSearchParams(body))
    .filter(form => form.get('username') === username)
    .map(form => form.get('password'));
  assert.deepEqual(sent.slice(-odd.length), odd);
});

test('signing in gives a new identifier each time and never takes one that was planted', async () => {
  const planted = `__Host-portal=${'A'.repeat(43)}`;
  const browser = portal.client();
  browser.cookie = planted;
  await signInAs(browser, 'reseller@northwind.test', password);
  const first = browser.cookie;
  const second = (await portal.signIn('reseller@northwind.test')).cookie;
  assert.equal(new Set([planted, first, second]).size, 3);
  browser.cookie = planted;
  assert.equal((await browser.get('/ui/data/customers.list')).status, 401);
});

test('sign-ins and failures leave an audit record', async () => {
  const rows = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'session.sign-in').execute(),
  );
  assert.ok(rows.some(row => row.outcome === 'done' && row.account === 'reseller@northwind.test'));
  assert.ok(rows.some(row => row.outcome === 'refused' && row.account === 'user@contoso.test'));
});
