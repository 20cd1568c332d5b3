import assert from 'node:assert/strict';
import { request } from 'node:http';
import { afterEach, test } from 'node:test';
import { io, type Socket } from 'socket.io-client';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { eventually } from '../fixtures/eventually.ts';
import { startFakeHub } from '../fixtures/fake-hub.ts';
import { type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime, untilConnected } from '../fixtures/wait.ts';

let passed = 0;
const open: Socket[] = [];

const schemas = withEditedSchemas();
const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, () => ({ schemasDir: schemas.folder, now: () => Date.now() + passed }));
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});

type Heard = {
  readonly socket: Socket;
  readonly events: [string, unknown][];
  until(name: string, matches?: (value: unknown) => boolean): Promise<unknown>;
};

/** Opens a socket as the browser of `client` would, and remembers what it hears. */
async function listen(client: Client, auth: Record<string, unknown> = {}): Promise<Heard> {
  const socket = io(portal.url, {
    path: '/ui/socket',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth,
    extraHeaders: { cookie: client.cookie, origin: portal.url },
  });
  open.push(socket);
  const events: [string, unknown][] = [];
  socket.onAny((name, value) => void events.push([name, value]));
  socket.on('disconnect', reason => void events.push(['disconnect', reason]));
  await untilConnected(socket);
  return {
    socket,
    events,
    async until(name, matches = () => true) {
      const find = () => events.find(([event, value]) => event === name && matches(value));
      await eventually(() => find() !== undefined, `the socket has heard "${name}"`);
      return find()?.[1];
    },
  };
}

/** The status that an upgrade is answered with. */
function upgrade(headers: Record<string, string>, path = '/ui/socket/?EIO=4&transport=websocket'): Promise<number> {
  const status = new Promise<number>((resolve, reject) => {
    const asked = request(portal.url + path, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    asked.on('upgrade', (reply, socket) => {
      socket.destroy();
      resolve(reply.statusCode ?? 0);
    });
    asked.on('response', reply => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
  return inTime('The answer to an upgrade', status);
}

const has = (name: string) => (value: unknown) => (value as string[]).includes(name);

test('a handshake needs its own origin and a whole session', async () => {
  const client = await portal.signIn('reseller@northwind.test');
  const { cookie } = client;
  const origin = portal.url;
  assert.equal(await upgrade({ cookie, origin }), 101);
  assert.equal(await upgrade({ cookie }), 403);
  assert.equal(await upgrade({ cookie, origin: 'https://evil.test' }), 403);
  assert.equal(await upgrade({ cookie, origin: 'null' }), 403);
  assert.equal(await upgrade({ origin }), 401);
  assert.equal(await upgrade({ cookie: `__Host-portal=${'A'.repeat(43)}`, origin }), 401);
  assert.equal(await upgrade({ cookie, origin }, '/ui/other?EIO=4&transport=websocket'), 404);
  // Between password and code there is no session yet, by whatever name its cookie goes.
  const half = await signInAs(portal.client(), 'mfa@northwind.test', seedPassword);
  const stage = /__Host-portal-stage=([^;]+)/.exec(half.headers.getSetCookie().join())?.[1];
  assert.ok(stage);
  for (const name of ['__Host-portal-stage', '__Host-portal'])
    assert.equal(await upgrade({ cookie: `${name}=${stage}`, origin }), 401, name);
  await client.post('/auth/sign-out');
  assert.equal(await upgrade({ cookie, origin }), 401);
});

test('there is no way in but a WebSocket', async () => {
  const client = await portal.signIn('reseller@northwind.test');
  const reply = await client.get('/ui/socket/?EIO=4&transport=polling');
  assert.deepEqual([reply.status, reply.body.Resources.code], [404, 'NOT_FOUND']);
});

test('a page that missed a change while it was opening is told at its handshake, and one that is up to date is not', async () => {
  const client = await portal.signIn('engineer@northwind.test');
  const { hash } = (await client.get('/ui/boot')).body;
  const behind = await listen(client, { boot: 'older' });
  await behind.until('boot', told => told === hash);
  const current = await listen(client, { boot: hash });
  const marker = await listen(client, { boot: 'older' });
  await marker.until('boot');
  assert.ok(!current.events.some(([name]) => name === 'boot'));
});

test('after sign-out the sockets of the session are told and closed, and those of others stay', async () => {
  const client = await portal.signIn('reseller@northwind.test');
  const other = await portal.signIn('reseller@northwind.test');
  const first = await listen(client);
  const second = await listen(client);
  const stays = await listen(other);
  await client.post('/auth/sign-out');
  for (const heard of [first, second]) {
    await heard.until('session-ended');
    await heard.until('disconnect');
  }
  assert.equal(stays.socket.connected, true);
});

test('a change in the cloud arrives as a hint without content', async () => {
  const client = await portal.signIn('reseller@northwind.test');
  const heard = await listen(client);
  // The line to the hub opens with a hint of its own: what came before it may have been missed.
  await heard.until('publish', has('services'));
  heard.events.length = 0;
  await client.post('/ui/call/notifications.readAll', { node: 'bell', layout: 'navigation' });
  await heard.until('publish', has('notifications'));
  for (const [name, value] of notEmpty(heard.events)) {
    assert.equal(name, 'publish');
    assertEvery(value as string[], event => ['notifications', 'services', 'permissions'].includes(event));
  }
});

test('no token of the cloud is in a frame, whatever the hub says and to whomever', async t => {
  const hub = await startFakeHub();
  t.after(() => hub.close());
  const secrets = new Set<string>();
  proxy.intercept(({ url, headers }, response) => {
    if (!url.includes('negotiate')) return false;
    secrets.add(String(headers.authorization).replace('Bearer ', ''));
    const accessToken = `hub-token-${secrets.size}`;
    secrets.add(accessToken);
    return answerJson(response, 200, { url: hub.url, accessToken });
  });
  t.after(() => proxy.intercept(undefined));
  const client = await portal.signIn('reseller@northwind.test');
  const heard = await listen(client);
  const frames: string[] = [];
  heard.socket.io.engine.on('packet', ({ data }) => void frames.push(String(data)));
  await heard.until('publish', has('services'));
  heard.events.length = 0;
  for (const secret of secrets) {
    hub.say(secret, { kind: secret }, { kind: 'publish', [secret]: secret });
    hub.say({ kind: 'service-changed', id: secret, content: { [secret]: secret } });
  }
  hub.say({ kind: 'notification', content: [...secrets] });
  await heard.until('publish', has('notifications'));
  await heard.until('publish', has('services'));
  assert.equal(secrets.size, 2);
  assert.ok(frames.length >= 2);
  for (const secret of secrets) assert.ok(!frames.some(frame => frame.includes(secret)));
});

test('of a thousand changes in a row a page hears at once, then once a second, and of the last for certain', async t => {
  const hub = await startFakeHub();
  t.after(() => hub.close());
  proxy.intercept(
    ({ url }, response) =>
      url.includes('negotiate') && answerJson(response, 200, { url: hub.url, accessToken: 'a-token' }),
  );
  t.after(() => proxy.intercept(undefined));
  const heard = await listen(await portal.signIn('reseller@northwind.test'));
  await heard.until('publish', has('services'));
  heard.events.length = 0;
  for (let at = 0; at < 1000; at += 1) hub.say({ kind: 'service-changed' });
  const ofServices = () => heard.events.filter(([, names]) => has('services')(names)).length;
  await eventually(() => ofServices() > 1, 'the page has heard a second time');
  // Another kind goes out at once, after whatever of this one was on its way.
  hub.say({ kind: 'notification' });
  await heard.until('publish', has('notifications'));
  assert.ok(ofServices() <= 20, String(ofServices()));
  const before = ofServices();
  hub.say({ kind: 'service-changed' });
  await eventually(() => ofServices() > before, 'the page has heard of the last');
});

test('a session hears of changes of its own layouts only, by the hash of its new boot', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const endUser = await portal.signIn('user@contoso.test');
  const bootOf = async (client: typeof reseller) => (await client.get('/ui/boot')).body.hash;
  const before = await bootOf(endUser);
  const first = await listen(reseller);
  const second = await listen(endUser);
  await schemas.editLive(portal, 'customers/customers.json', text =>
    text.replace('"priority": "low"', '"priority": "normal"'),
  );
  assert.equal(await first.until('boot'), await bootOf(reseller));
  assert.equal(await bootOf(endUser), before);
  await schemas.editLive(portal, 'errors/not-found.json', text => text.replace('"icon": "alert"', '"icon": "search"'));
  assert.equal(await second.until('boot'), await bootOf(endUser));
  assert.equal(second.events.filter(([name]) => name === 'boot').length, 1);
});

test('a right that was taken away is gone at once where the cloud says so, and the open page hears of it', async () => {
  const engineer = await portal.signIn('engineer@northwind.test');
  const heard = await listen(engineer);
  await heard.until('publish', has('services'));
  const owner = await sandbox.signIn('reseller@northwind.test');
  const change = (views: string[]) =>
    sandbox.call(owner, 'PUT', '/api/permissions/engineer%40northwind.test', { views, permissions: [] });
  assert.equal((await change(['support'])).status, 200);
  await heard.until('boot');
  await heard.until('publish', has('permissions'));
  assert.equal((await engineer.get('/ui/data/customers.list')).status, 403);
  await change(['customers', 'support']);
  await eventually(() => heard.events.filter(([name]) => name === 'boot').length > 1, 'the page has heard again');
  assert.equal((await engineer.get('/ui/data/customers.list')).status, 200);
});

test('rights that the cloud took away reach the open page', async () => {
  const client = await portal.signIn('reseller@northwind.test');
  const heard = await listen(client);
  proxy.intercept(({ url }, response) =>
    url === '/api/permissions'
      ? answerJson(response, 200, {
          Succeed: true,
          Result: { usersPermissions: { views: ['customers'], permissions: [] }, featureFlags: [] },
        })
      : false,
  );
  passed += 61_000;
  await client.get('/ui/boot');
  const { hash, routes } = (await client.get('/ui/boot')).body;
  await heard.until('boot', told => told === hash);
  assert.ok(!routes.some(([, screen]: readonly string[]) => screen === 'add-customer'));
  proxy.intercept(undefined);
  passed += 61_000;
});

test('an account has a bounded number of sockets', async () => {
  const client = await portal.signIn('engineer@northwind.test');
  const sockets: Heard[] = [];
  for (let count = 0; count < 20; count++) sockets.push(await listen(client));
  await assert.rejects(listen(client));
  assert.equal(await upgrade({ cookie: client.cookie, origin: portal.url }), 429);
  sockets[0]?.socket.disconnect();
  await sockets[0]?.until('disconnect');
  const reopened = async () => (await upgrade({ cookie: client.cookie, origin: portal.url })) === 101;
  await eventually(reopened, 'a closed socket makes room');
});

test('a page hears that a file which is made for its session has come on, and no page of another session', async () => {
  const client = await portal.signIn('reseller@northwind.test');
  const hers = await listen(client);
  const others = await listen(await portal.signIn('engineer@northwind.test'));
  const { key } = await portal.store.run(db =>
    db
      .selectFrom('sessions')
      .select('key')
      .where('account', '=', 'reseller@northwind.test')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow(),
  );
  const isOfFiles = (names: unknown) => Array.isArray(names) && names.includes('exports');
  await portal.store.announce(async () => ({ kind: 'exports', session: key }));
  await hers.until('publish', isOfFiles);
  assert.ok(!others.events.some(([name, names]) => name === 'publish' && isOfFiles(names)));
});
