import assert from 'node:assert/strict';
import { test } from 'node:test';
import { io } from 'socket.io-client';
import { type Answer, type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { nextEvent, untilConnected } from '../fixtures/wait.ts';

const password = 'Demo-portal-2026';
const profile = '/account-setting/profile';
const read = '/ui/data/customers.list?pageSize=1';
const minute = 60_000;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
let passed = 0;

const sandbox = withSandbox();
const portal = withPortal(sandbox, { now: () => Date.now() + passed });

async function signIn(username: string, userAgent = firefox): Promise<Client> {
  const browser = portal.client({ 'user-agent': userAgent });
  await signInAs(browser, username, password);
  return browser;
}

type Own = { Handle: string; Device: string; Address: string; IsThis: boolean };
const list = async (browser: Client): Promise<Own[]> => (await browser.get('/ui/data/sessions.mine')).body.Result.Items;
const end = (browser: Client, session: string): Promise<Answer> =>
  browser.press(profile, 'end-session', 'call:sessions.end', { with: { session } });
const endOthers = (browser: Client): Promise<Answer> => browser.press(profile, 'end-others', 'call:sessions.endOthers');

test('a user sees their own open sessions alone, which device each is on, and which is this one', async () => {
  const browser = await signIn('reseller@northwind.test');
  await signIn('reseller@northwind.test', 'curl/8.5.0 \u00ff<script>');
  await signIn('engineer@northwind.test');
  const sessions = await list(browser);
  assert.deepEqual(sessions.map(({ Device, Address, IsThis }) => `${Device}, ${Address}, ${IsThis}`).sort(), [
    'Firefox on Linux, 127.0.0.1, true',
    'Unknown device, 127.0.0.1, false',
  ]);
});

test('a session is named by a handle from which neither its key nor its cookie can be had', async () => {
  const browser = await signIn('reseller@northwind.test');
  const { text } = await browser.get('/ui/data/sessions.mine');
  const rows = await portal.store.run(db => db.selectFrom('sessions').select('key').execute());
  for (const { key } of notEmpty(rows)) assert.ok(!text.includes(key));
  assert.ok(!text.includes(browser.cookie.split('=')[1] ?? ''));
  for (const { Handle } of notEmpty(await list(browser))) {
    const thief = portal.client();
    thief.cookie = `__Host-portal=${Handle}`;
    assert.equal((await thief.get(read)).status, 401);
  }
});

test('an ended session is refused at once, its socket is cut, and the others go on', async () => {
  const browser = await signIn('rival@southridge.test');
  const other = await signIn('rival@southridge.test');
  const socket = io(portal.url, {
    path: '/ui/socket',
    transports: ['websocket'],
    reconnection: false,
    extraHeaders: { cookie: other.cookie, origin: portal.url },
  });
  await untilConnected(socket);
  const told = nextEvent(socket, 'session-ended');
  const cut = nextEvent(socket, 'disconnect');
  const target = (await list(browser)).find(({ IsThis }) => !IsThis);
  const reply = await end(browser, target?.Handle ?? '');
  assert.deepEqual(reply.body.effects, [{ do: 'refresh-operations', operations: ['sessions.mine'] }]);
  await Promise.all([told, cut]);
  socket.close();
  assert.equal((await other.get(read)).status, 401);
  assert.equal((await list(browser)).length, 1);
  assert.equal((await end(browser, target?.Handle ?? '')).status, 404);
});

test('the handle of a session of somebody else answers as one that does not exist', async () => {
  const victim = await signIn('engineer@northwind.test');
  const attacker = await signIn('rival@southridge.test');
  const before = await list(victim);
  const none = await end(attacker, '00000000-0000-4000-8000-000000000000');
  const told = ({ status, body }: Answer) => `${status} ${body.Error} ${body.Resources?.code}`;
  for (const { Handle } of notEmpty(before)) assert.equal(told(await end(attacker, Handle)), told(none));
  assert.equal(none.status, 404);
  assert.deepEqual(
    (await list(victim)).map(({ Handle }) => Handle),
    before.map(({ Handle }) => Handle),
  );
});

test('a handle that is none is refused', async () => {
  const browser = await signIn('rival@southridge.test');
  for (const handle of ['', "' or 1=1", '../x', '\u202e', 'f'.repeat(41), '🚀'])
    assert.equal((await end(browser, handle)).status, 400, handle);
});

test('all other sessions end together, and a record says who ended them', async () => {
  const browser = await signIn('admin@contoso.test');
  const others = [await signIn('admin@contoso.test'), await signIn('admin@contoso.test')];
  const stranger = await signIn('user@contoso.test');
  const reply = await endOthers(browser);
  assert.equal(reply.status, 200, reply.text);
  for (const other of others) assert.equal((await other.get('/ui/data/sessions.mine')).status, 401);
  assert.deepEqual(
    (await list(browser)).map(({ IsThis }) => IsThis),
    [true],
  );
  assert.equal((await stranger.get('/ui/data/sessions.mine')).status, 200);
  const records = await portal.store.run(db =>
    db
      .selectFrom('audit')
      .select(['account', 'device', 'outcome'])
      .where('action', '=', 'session.ended-others')
      .execute(),
  );
  assert.deepEqual(records, [{ account: 'admin@contoso.test', device: 'Firefox on Linux', outcome: 'done' }]);
});

test('what has timed out is no session any more', async () => {
  const early = await signIn('noaccess@northwind.test');
  passed += 31 * minute;
  const browser = await signIn('noaccess@northwind.test');
  assert.equal((await list(browser)).length, 1);
  assert.equal((await early.get('/ui/data/sessions.mine')).status, 401);
});
