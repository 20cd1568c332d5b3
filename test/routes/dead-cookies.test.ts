import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { attacker, other } from '../fixtures/addresses.ts';
import { type Client, signInAs, startPortal, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const html = { accept: 'text/html' };

const sandbox = withSandbox();
// With the limits of production.
const portal = withPortal(sandbox, { env: { RATE_LIMIT: '' } });

const invented = (): string => `__Host-portal=${randomBytes(32).toString('base64url')}`;

/** Signs in as a person does: the page of the sign-in, the username, the password, the first page. */
async function arrive(browser: Client, username: string): Promise<number[]> {
  const login = await browser.get('/login', html);
  const asked = await browser.press('/login', 'login', 'command:auth.login', { body: { Username: username } });
  const signedIn = await browser.press('/sign-in', 'sign-in', 'command:auth.sign-in', {
    with: { username },
    body: { Password: 'Demo-portal-2026' },
  });
  // The stage of the username ends with the same reply.
  const set = signedIn.headers.getSetCookie().filter(one => /^__Host-portal=[^;]/.test(one));
  browser.cookie = set[0]?.split(';')[0] ?? '';
  const page = await browser.get('/customers', html);
  return [login, asked, signedIn, page].map(({ status }) => status);
}

async function spend(from: string, requests: number): Promise<void> {
  const stranger = portal.client({}, from);
  for (let sent = 0; sent < requests; sent += 20)
    await Promise.all(
      Array.from({ length: 20 }, () => {
        stranger.cookie = invented();
        return stranger.get('/ui/boot');
      }),
    );
}

test('a dead cookie goes with the first answer, whatever is asked for', async () => {
  const asks: ((browser: Client) => ReturnType<Client['get']>)[] = [
    browser => browser.get('/login', html),
    browser => browser.get('/customers', html),
    browser => browser.get('/ui/boot'),
    browser => browser.get('/ui/screen?path=/login'),
    browser => browser.get('/ui/data/customers.list'),
    browser => browser.post('/ui/call/customers.suspend', { node: 'a', layout: 'b' }),
    browser => browser.post('/auth/login', { node: 'a', layout: 'b' }),
    browser => browser.post('/auth/sign-out'),
    browser => browser.get('/nothing', html),
  ];
  for (const ask of asks)
    for (const cookie of [invented(), '__Host-portal=worn']) {
      const browser = portal.client();
      browser.cookie = cookie;
      const { headers } = await ask(browser);
      const gone = headers.getSetCookie().filter(one => /^__Host-portal=;.*Max-Age=0.*Secure/.test(one));
      assert.equal(gone.length, 1, `${ask} ${headers.getSetCookie()}`);
    }
});

test('a page that reads by itself loses no cookie, nor does a request that a change of the session overtook', async () => {
  const old = portal.client();
  old.cookie = invented();
  assert.deepEqual((await old.get('/ui/boot', { 'x-portal-poll': '1' })).headers.getSetCookie(), []);

  const browser = portal.client();
  const opened = (reply: Awaited<ReturnType<Client['get']>>): string => {
    const [cookie = ''] = reply.headers.getSetCookie().filter(one => /^__Host-portal=[^;]/.test(one));
    return cookie.split(';')[0] ?? '';
  };
  await signInAs(browser, 'switcher@contoso.test', 'Demo-portal-2026');
  const chosen = { body: { MasterControl: true } };
  browser.cookie = opened(await browser.press('switch-user', 'choose-admin', 'command:auth.switch-user', chosen));
  old.cookie = browser.cookie;
  const press = { node: 'switch-user', layout: 'navigation', body: { MasterControl: false } };
  const next = opened(await browser.post('/auth/switch-user', press));
  assert.ok(next !== '' && next !== old.cookie);
  const late = await old.get('/ui/data/services.list');
  assert.equal(late.status, 401);
  assert.deepEqual(late.headers.getSetCookie(), []);
});

test('a thousand invented cookies of an address cost a session there nothing, known to the process or not', async t => {
  const known = portal.client({}, attacker);
  known.cookie = (await portal.signIn('reseller@northwind.test')).cookie;
  assert.equal((await known.get('/ui/data/customers.list')).status, 200);
  await spend(attacker, 1000);
  assert.equal((await known.get('/ui/data/customers.list')).status, 200);
  assert.equal((await known.get('/customers', html)).status, 200);
  // A session of which this process knows nothing yet.
  const unknown = portal.client({}, attacker);
  unknown.cookie = (await portal.signIn('engineer@northwind.test')).cookie;
  assert.equal((await unknown.get('/ui/data/customers.list')).status, 200);
  await t.test('nor does it cost others', async () => {
    assert.equal((await portal.client({}, other).get('/login', html)).status, 200);
  });
});

test('signing out works when all limits of the address and of the session are spent, with a session and without', async t => {
  const small = await startPortal({ cloudUrl: sandbox.url, env: { RATE_LIMIT: '30' } });
  t.after(small.close);
  const browser = await small.signIn('reseller@northwind.test');
  const stranger = small.client();
  for (const one of [browser, stranger]) {
    for (let sent = 0; sent < 40; sent++) await one.get('/ui/boot');
    assert.equal((await one.get('/ui/boot')).status, 429);
  }
  stranger.cookie = invented();
  for (const one of [browser, stranger]) {
    const { cookie } = one;
    const reply = await one.post('/auth/sign-out');
    assert.deepEqual([reply.status, reply.body.Resources.code], [200, 'SESSION_CHANGED']);
    assert.ok(reply.headers.getSetCookie().some(line => line.startsWith('__Host-portal=;')));
    one.cookie = cookie;
  }
  const rows = await small.store.run(db => db.selectFrom('sessions').select('key').execute());
  assert.deepEqual(rows, []);
});

test('sixty colleagues behind one address with the cookies of yesterday sign in within the same minute', async () => {
  const names = ['reseller@northwind.test', 'engineer@northwind.test', 'rival@southridge.test'];
  const colleagues = Array.from({ length: 60 }, (_, index) => ({
    browser: portal.client({}, '127.0.0.4'),
    name: names[index % names.length] as string,
  }));
  const statuses: number[][] = [];
  for (let from = 0; from < colleagues.length; from += 6)
    statuses.push(
      ...(await Promise.all(
        colleagues.slice(from, from + 6).map(({ browser, name }) => {
          browser.cookie = invented();
          return arrive(browser, name);
        }),
      )),
    );
  assert.equal(statuses.length, 60);
  assert.deepEqual([...new Set(statuses.map(String))], ['200,200,200,200']);
});
