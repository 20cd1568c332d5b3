import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { type BrowserClient, createBrowserClient } from '../fixtures/browser-client.ts';
import { type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { freshDatabase } from '../fixtures/postgres.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sso = 'sso@northwind.test';
const reseller = 'reseller@northwind.test';
const shared = process.env.TEST_DATABASE_URL;

const sandbox = withSandbox();
let database: Awaited<ReturnType<typeof freshDatabase>> | undefined;
let portal: StartedPortal;
/** Another process on the same database, where there is one to share. */
let other: StartedPortal;
setUp(
  async () => {
    database = shared ? await freshDatabase(shared) : undefined;
    const start = () =>
      startPortal({ cloudUrl: sandbox.url, ...(database && { env: { DATABASE_URL: database.url } }) });
    portal = await start();
    other = database ? await start() : portal;
  },
  async () => {
    if (other !== portal) await other?.close();
    await portal?.close();
    await database?.drop();
  },
);

const browser = (): BrowserClient => createBrowserClient(portal.url);

/** Goes to the provider and signs in there; gives the way back. */
async function signInAtProvider(browserClient: BrowserClient, username = sso, returnTo?: string): Promise<URL> {
  return browserClient.signInAt(await browserClient.login(username, returnTo), username, seedPassword);
}

async function expectFailure(browserClient: BrowserClient, back: string | URL, popup = 'sso-failed') {
  const { status, to } = await browserClient.go(back);
  assert.equal(status, 302);
  assert.equal(new URL(to).pathname, '/login');
  assert.equal(browserClient.jar.get('__Host-portal'), undefined);
  const shown = await browserClient.failure();
  assert.equal(shown.popup, popup);
  return shown;
}

test('a username of single sign-on leads to the provider, with code, PKCE, state and nonce bound to this browser', async () => {
  const browserClient = browser();
  const answer = await browserClient.press('/login', 'login', 'command:auth.login', { body: { Username: sso } });
  const { searchParams, origin, pathname } = new URL(answer.body.effects[0].to);
  assert.equal(origin + pathname, `${sandbox.url}/oidc/auth`);
  assert.equal(searchParams.get('redirect_uri'), `${portal.url}/auth/callback`);
  assert.equal(searchParams.get('response_type'), 'code');
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  assert.equal(searchParams.get('login_hint'), sso);
  for (const name of ['state', 'nonce', 'code_challenge']) assert.match(searchParams.get(name) ?? '', /^[\w-]{43}$/);
  const [cookie = ''] = answer.headers.getSetCookie().filter(one => one.startsWith('__Host-portal-trip-'));
  assert.match(cookie, /; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const again = await browserClient.login(sso);
  assert.notEqual(again.searchParams.get('state'), searchParams.get('state'));
});

test('the way back comes from the configuration, never from the Host header', async () => {
  // Not by fetch, which writes the header itself.
  const reply = await portal.app.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { host: 'evil.test', 'x-portal': '1' },
    payload: { node: 'login', layout: await portal.client().hashOf('/login'), body: { Username: sso } },
  });
  const [effect] = reply.json().effects;
  assert.match(effect.do === 'leave' ? effect.to : '', /redirect_uri=http%3A%2F%2F127\.0\.0\.1/);
});

test('a page that is asked for by another name of this machine is led to the portal’s own, where its cookies are good', async () => {
  const { port } = new URL(portal.url);
  for (const [host, path, to] of [
    [`localhost:${port}`, '/login?return=%2Fcustomers', `${portal.url}/login?return=%2Fcustomers`],
    [`[::1]:${port}`, '//evil.test/', `${portal.url}//evil.test/`],
    [`localhost.evil.test:${port}`, '/login', null],
    ['localhost:1', '/login', null],
    [`127.0.0.1:${port}`, '/login', null],
    ['evil.test', '/login', null],
  ] as const) {
    const { headers } = await portal.app.inject({ url: path, headers: { host, accept: 'text/html' } });
    assert.equal(headers.location ?? null, to, host);
  }
});

test('who signed in at the provider has a session where they were going, and nothing of the way is left', async () => {
  const browserClient = browser();
  const back = await signInAtProvider(browserClient, sso, '/customers?status=Active');
  const { status, to } = await browserClient.go(back);
  assert.deepEqual([status, to], [302, `${portal.url}/customers?status=Active`]);
  assert.deepEqual(
    [...browserClient.jar.keys()].filter(name => name.startsWith('__Host-')),
    ['__Host-portal', '__Host-portal-sign-on'],
  );
  const data = await browserClient.go(`${portal.url}/ui/data/customers.list`);
  assert.equal(data.status, 200);
});

test('the token of the provider is in no answer', async () => {
  const browserClient = browser();
  await browserClient.go(await signInAtProvider(browserClient));
  assert.doesNotMatch((await browserClient.go(portal.url)).text, /eyJ[\w-]{10}/);
});

test('a foreign return address is not followed', async () => {
  for (const bad of ['//evil.test', '/\\evil.test', 'https://evil.test', '/%2f/evil.test']) {
    const browserClient = browser();
    const { to } = await browserClient.go(await signInAtProvider(browserClient, sso, bad));
    assert.equal(to, `${portal.url}/customers`, bad);
  }
});

test('the way back works once', async () => {
  const browserClient = browser();
  const back = await signInAtProvider(browserClient);
  await browserClient.go(back);
  browserClient.jar.delete('__Host-portal');
  await expectFailure(browserClient, back);
});

test('of two that come back at the same moment one gets in', async () => {
  const browserClient = browser();
  const back = await signInAtProvider(browserClient);
  const replies = await Promise.all([browserClient.go(back), browserClient.go(back)]);
  assert.equal(replies.filter(({ to }) => to === `${portal.url}/customers`).length, 1);
});

test('another browser cannot come back in place of the one that left', async () => {
  const [victim, thief] = [browser(), browser()];
  const back = await signInAtProvider(victim);
  await expectFailure(thief, back);
  await thief.login(sso);
  await expectFailure(thief, back);
  assert.equal((await victim.go(back)).to, `${portal.url}/customers`);
});

test('who signs on, cancels or comes back wrong leaves a record, and nothing of the provider is in it', async () => {
  const records = () =>
    portal.store.run(db =>
      db.selectFrom('audit').selectAll().where('action', '=', 'session.sign-in').orderBy('id').execute(),
    );
  const before = (await records()).length;
  const browserClient = browser();
  const back = await signInAtProvider(browserClient);
  const wrong = new URL(back);
  wrong.searchParams.set('state', 'x\n{"forged":true}');
  await expectFailure(browserClient, wrong);
  await browserClient.go(back);
  const made = (await records()).slice(before);
  assert.deepEqual(
    made.map(({ outcome, account }) => [outcome, account]),
    [
      ['refused', null],
      ['done', sso],
    ],
  );
  assert.doesNotMatch(JSON.stringify(made), /forged/);
});

test('a wrong, missing or doubled state opens nothing, and the round trip goes on', async () => {
  const browserClient = browser();
  const back = await signInAtProvider(browserClient);
  const variants = [
    (url: URL) => url.searchParams.set('state', 'x'.repeat(43)),
    (url: URL) => url.searchParams.delete('state'),
    (url: URL) => url.searchParams.set('state', `${url.searchParams.get('state')} `),
    (url: URL) => {
      url.search = '';
    },
    (url: URL) => {
      url.search = `?error=access_denied&state=${'🚀'.repeat(50)}`;
    },
  ];
  for (const change of variants) {
    const url = new URL(back);
    change(url);
    await expectFailure(browserClient, url);
  }
  assert.equal((await browserClient.go(back)).to, `${portal.url}/customers`);
});

test('who cancels at the provider is told at the sign-in, keeps the address, and can try again', async () => {
  const browserClient = browser();
  const page = (await browserClient.go(await browserClient.login(sso, '/customers?page=2'))).to;
  const cancelled = await browserClient.go((await browserClient.go(page, { cancel: 'yes' })).to);
  assert.equal(new URL(cancelled.to).searchParams.get('error'), 'access_denied');
  const { to } = await browserClient.go(cancelled.to);
  assert.equal(new URL(to).searchParams.get('return'), '/customers?page=2');
  assert.equal((await browserClient.failure()).popup, 'sso-failed');
  const again = await browserClient.press('sso-failed', 'again', 'command:auth.sign-on-again');
  assert.equal(again.body.effects[0].do, 'leave');
});

test('a code with a mark of another round trip is refused: PKCE, nonce', async () => {
  const browserClient = browser();
  const stolen = await signInAtProvider(browser());
  const own = await browserClient.login(sso);
  stolen.searchParams.set('state', own.searchParams.get('state') ?? '');
  const { with: given } = await expectFailure(browserClient, stolen);
  assert.match(given.reason?.value ?? '', /We could not read the answer/);
});

test('each message of the cloud opens its own popup, with the organisation that it names', async () => {
  for (const [username, popup, organisation] of [
    ['sso-none@northwind.test', 'sso-no-organisation', undefined],
    ['sso-other@northwind.test', 'sso-other-organisation', '1002'],
    ['sso-required@northwind.test', 'sso-required', '1001'],
  ] as const) {
    const browserClient = browser();
    const shown = await expectFailure(browserClient, await signInAtProvider(browserClient, username), popup);
    assert.equal(shown.with.organisation?.value, organisation, username);
    assert.equal(shown.with.reason, undefined);
  }
});

test('who has to use Microsoft continues with the organisation, and gets in', async () => {
  const browserClient = browser();
  const username = 'sso-required@northwind.test';
  await expectFailure(
    browserClient,
    await signInAtProvider(browserClient, username, '/customers?page=2'),
    'sso-required',
  );
  const { body } = await browserClient.press('sso-required', 'continue', 'command:auth.sign-on-again');
  const address = new URL(body.effects[0].to);
  assert.equal(address.searchParams.get('organization'), '1001');
  const back = (await browserClient.go(address)).to;
  assert.equal((await browserClient.go(back)).to, `${portal.url}/customers?page=2`);
});

test('to choose another account the provider is asked for its chooser', async () => {
  const browserClient = browser();
  await expectFailure(
    browserClient,
    await signInAtProvider(browserClient, 'sso-required@northwind.test'),
    'sso-required',
  );
  const { body } = await browserClient.press('sso-required', 'choose', 'command:auth.sign-on-again', {
    with: { choose: true },
  });
  const address = new URL(body.effects[0].to);
  assert.equal(address.searchParams.get('prompt'), 'select_account');
  assert.equal(address.searchParams.get('organization'), null);
  const chooser = await browserClient.go((await browserClient.go(address)).to);
  assert.match(chooser.text, /Continue as sso-required@northwind\.test/);
});

test('who leaves single sign-on alone is at the sign-in, with nothing kept', async () => {
  const browserClient = browser();
  await expectFailure(
    browserClient,
    await signInAtProvider(browserClient, 'sso-none@northwind.test', '/customers'),
    'sso-no-organisation',
  );
  const { body } = await browserClient.press('sso-no-organisation', 'another', 'command:auth.leave-sign-on');
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/login?return=%2Fcustomers', replace: true }]);
  assert.deepEqual(
    [...browserClient.jar.keys()].filter(name => name.startsWith('__Host-')),
    [],
  );
});

test('who may switch user is asked after single sign-on too, and has a session only once they have chosen', async () => {
  const openedBy = (username: string) =>
    sql`update identities set account_id = (select id from accounts where username = ${username})
        where issuer = '/oidc' and subject = (select subject::text from people where username = ${sso})`.execute(
      sandbox.db,
    );
  await openedBy('switcher@contoso.test');
  for (const [MasterControl, type, landing] of [
    [true, 'endUserAdmin', '/customers/customer/10001'],
    [false, 'endUser', '/end-user'],
  ] as const) {
    const browserClient = browser();
    const back = await signInAtProvider(browserClient);
    browserClient.jar.set('__Host-portal', (await portal.signIn(reseller)).cookie.split('=')[1] ?? '');
    const { to } = await browserClient.go(back);
    assert.equal(to, `${portal.url}/login?signOn=choose`);
    // The session of before is over, and there is none yet.
    assert.deepEqual(
      [...browserClient.jar.keys()].filter(name => name.startsWith('__Host-')),
      ['__Host-portal-stage'],
    );
    const asked = await browserClient.press('/login', 'portal-choice', 'command:auth.portal-choice');
    assert.deepEqual(asked.body.effects, [
      { do: 'close-popup' },
      { do: 'open-popup', popup: 'switch-user', with: { isAdmin: { value: true } } },
    ]);
    const chosen = await browserClient.press('switch-user', 'choose-admin', 'command:auth.switch-user', {
      body: { MasterControl },
    });
    assert.deepEqual(chosen.body.effects, [{ do: 'navigate', to: landing, replace: true }]);
    const client = portal.client();
    client.cookie = `__Host-portal=${browserClient.jar.get('__Host-portal')}`;
    assert.equal((await client.get('/ui/boot')).body.principal.type, type);
    // It is still a session of the provider.
    assert.equal((await client.post('/auth/sign-out')).body.effects[0].do, 'leave');
  }
  await openedBy(sso);
});

test('a choice that is no longer waited for says so at the sign-in', async () => {
  const { status, body } = await browser().press('/login', 'portal-choice', 'command:auth.portal-choice');
  assert.deepEqual([status, body.Resources?.code], [422, 'STEP_ENDED']);
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/login?notice=step-ended', replace: true }]);
});

test('a disabled account is not let in by its provider', async () => {
  const browserClient = browser();
  const back = await signInAtProvider(browserClient);
  const enable = (enabled: boolean) =>
    sandbox.db.updateTable('accounts').set({ enabled }).where('username', '=', sso).execute();
  await enable(false);
  await expectFailure(browserClient, back);
  await enable(true);
});

test('coming back as somebody ends the session that this browser had', async () => {
  const browserClient = browser();
  await browserClient.go(await signInAtProvider(browserClient));
  const first = browserClient.jar.get('__Host-portal') ?? '';
  browserClient.jar.delete('__Host-portal');
  const back = await signInAtProvider(browserClient);
  browserClient.jar.set('__Host-portal', first);
  await browserClient.go(back);
  assert.notEqual(browserClient.jar.get('__Host-portal'), first);
  const client = portal.client();
  client.cookie = `__Host-portal=${first}`;
  assert.equal((await client.get('/ui/data/customers.list')).status, 401);
});

test('whoever leaves at one process comes back at another', async () => {
  const browserClient = browser();
  const back = await signInAtProvider(browserClient);
  const elsewhere = new URL(back.pathname + back.search, other.url);
  const { to } = await browserClient.go(elsewhere);
  assert.equal(to, `${other.url}/customers`);
  assert.equal((await browserClient.go(`${portal.url}/ui/data/customers.list`)).status, 200);
});

test('signing out ends the session, and signs out of the provider on the way back, with no token in a byte of it', async () => {
  const browserClient = browser();
  await browserClient.go(await signInAtProvider(browserClient));
  const identifier = browserClient.jar.get('__Host-portal');
  const client = portal.client();
  client.cookie = `__Host-portal=${identifier}`;
  const out = await client.post('/auth/sign-out');
  const [effect] = out.body.effects;
  assert.equal(effect.do, 'leave');
  const address = new URL(effect.to);
  assert.equal(address.origin + address.pathname, `${sandbox.url}/oidc/session/end`);
  assert.deepEqual(Object.fromEntries(address.searchParams), {
    client_id: 'portal',
    post_logout_redirect_uri: `${portal.url}/login`,
  });
  const page = await browserClient.go(address);
  const [, action = ''] = /action="([^"]+)"/.exec(page.text) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.text) ?? [];
  const left = await browserClient.go(action, { xsrf, logout: 'yes' });
  assert.equal(left.to, `${portal.url}/login`);
  const bytes = [out, page, left].map(({ headers, text }) => JSON.stringify([...headers]) + text).join('');
  assert.ok(bytes.includes(xsrf));
  assert.doesNotMatch(bytes, /eyJ[\w-]{10}|token/i);
  // The provider asks for the password again.
  assert.match((await browserClient.go(await browserClient.login(sso))).to, /\/sign-in\//);
  client.cookie = `__Host-portal=${identifier}`;
  assert.equal((await client.get('/ui/data/customers.list')).status, 401);
});

test('a session of a password goes to the sign-in alone', async () => {
  const client = await portal.signIn('reseller@northwind.test');
  const { body } = await client.post('/auth/sign-out');
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/login', replace: true }]);
});

test('a person is issuer and subject: the same subject of another issuer is nobody', async () => {
  const { rows } = await sql<{ subject: string }>`select subject from identities where issuer = '/oidc'`.execute(
    sandbox.db,
  );
  assert.ok(rows.length > 0);
  await sql`update identities set issuer = '/office' where issuer = '/oidc'`.execute(sandbox.db);
  const browserClient = browser();
  await expectFailure(browserClient, await signInAtProvider(browserClient), 'sso-no-organisation');
  await sql`update identities set issuer = '/oidc' where subject = any(${rows.map(row => row.subject)})`.execute(
    sandbox.db,
  );
});
