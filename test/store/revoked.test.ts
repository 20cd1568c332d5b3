import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { io } from 'socket.io-client';
import { type DatabaseProxy, startDatabaseProxy } from '../fixtures/database-proxy.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type Answer, type Client, type StartedPortal, signInAs, startPortal } from '../fixtures/portal.ts';
import { findPostgres, freshDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { type RecordingProxy, startRecordingProxy } from '../fixtures/recording-proxy.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

const binaries = findPostgres();
const read = '/ui/data/customers.list?pageSize=1';
let postgres: Postgres;
let database: { url: string; drop: () => Promise<void> };
let databaseProxy: DatabaseProxy;
let sandbox: StartedSandbox;
let proxy: RecordingProxy;
let one: StartedPortal;
/** Reaches the database through a proxy that can keep notices from it. */
let other: StartedPortal;

/** The same browser at another process. */
function at(portal: StartedPortal, { cookie }: Client): Client {
  const client = portal.client();
  client.cookie = cookie;
  return client;
}

/** How often the portal has asked the cloud what its callers may do. */
const rightsAsked = () => proxy.exchanges.filter(({ url }) => url === '/api/permissions').length;

if (binaries !== undefined) {
  before(async () => {
    postgres = await startPostgres(binaries);
    database = await freshDatabase(postgres.url);
    databaseProxy = await startDatabaseProxy(database.url);
    sandbox = await startSandbox();
    proxy = await startRecordingProxy(sandbox.url);
    // The clock stands, so that no right is ever old enough to be asked for again.
    const started = Date.now();
    const start = (url: string) => startPortal({ cloudUrl: proxy.url, env: { DATABASE_URL: url }, now: () => started });
    one = await start(database.url);
    other = await start(databaseProxy.url);
    await eventually(() => one.store.isListening() && other.store.isListening());
  });
  after(async () => {
    await one?.close();
    await other?.close();
    await databaseProxy?.close();
    await proxy?.close();
    await sandbox?.close();
    await database?.drop();
    await postgres?.stop();
  });

  test('a session that ends at one process is gone at the other, which asks the cloud nothing for it', async () => {
    const first = await one.signIn('reseller@northwind.test');
    const second = at(other, first);
    assert.equal((await second.get(read)).status, 200);
    await first.post('/auth/sign-out');
    const asked = rightsAsked();
    await eventually(async () => (await at(other, second).get(read)).status === 401);
    assert.equal(rightsAsked(), asked);
  });

  test('a right that is taken away is gone at both processes once one of them hears of it', async () => {
    const first = await one.signIn('engineer@northwind.test');
    const second = at(other, first);
    assert.deepEqual([(await first.get(read)).status, (await second.get(read)).status], [200, 200]);
    // Only the process with an open page follows the hub of the cloud.
    const socket = io(one.url, {
      path: '/ui/socket',
      transports: ['websocket'],
      reconnection: false,
      extraHeaders: { cookie: first.cookie, origin: one.url },
    });
    const published = (name: string) =>
      inTime(
        `A hint of ${name}`,
        new Promise<void>(resolve => socket.on('publish', names => names.includes(name) && resolve())),
      );
    await published('services');
    const told = published('permissions');
    const asked = rightsAsked();
    const owner = await sandbox.signIn('reseller@northwind.test');
    const change = { views: ['support'], permissions: [] };
    await sandbox.call(owner, 'PUT', '/api/permissions/engineer%40northwind.test', change);
    await told;
    assert.equal((await first.get(read)).status, 403);
    await eventually(async () => (await second.get(read)).status === 403);
    assert.equal(rightsAsked() - asked, 1);
    socket.disconnect();
  });

  test('a switch at one process is the switch of the other, and the identifier of before is nobody at both', async () => {
    const cookieOf = ({ headers }: Answer): string =>
      headers
        .getSetCookie()
        .find(cookie => cookie.startsWith('__Host-portal='))
        ?.split(';')[0] ?? '';
    const first = one.client();
    await signInAs(first, 'switcher@contoso.test', 'Demo-portal-2026');
    const chosen = await first.press('switch-user', 'choose-admin', 'command:auth.switch-user', {
      body: { MasterControl: true },
    });
    first.cookie = cookieOf(chosen);
    const typeAt = async (portal: StartedPortal, browser: Client) =>
      (await at(portal, browser).get('/ui/boot')).body.principal.type;
    assert.deepEqual([await typeAt(one, first), await typeAt(other, first)], ['endUserAdmin', 'endUserAdmin']);
    const next = at(other, first);
    const body = { node: 'switch-user', layout: 'navigation', body: { MasterControl: false } };
    next.cookie = cookieOf(await at(other, first).post('/auth/switch-user', body));
    assert.deepEqual([await typeAt(one, next), await typeAt(other, next)], ['endUser', 'endUser']);
    await eventually(async () => (await typeAt(one, first)) === 'public');
    assert.equal(await typeAt(other, first), 'public');
  });

  test('a process that cannot hear notices asks the database with every request, and answers', async () => {
    const first = await one.signIn('reseller@northwind.test');
    const second = at(other, first);
    assert.equal((await second.get(read)).status, 200);
    databaseProxy.cutNotices(true);
    await eventually(() => !other.store.isListening());
    // Known a moment ago, and still good: the database says so.
    assert.equal((await second.get(read)).status, 200);
    await first.post('/auth/sign-out');
    assert.equal((await at(other, second).get(read)).status, 401);
    assert.equal(other.store.isListening(), false);
  });

  test('what was ended while a process could not hear is not remembered when it hears again', async () => {
    databaseProxy.cutNotices(false);
    await eventually(() => other.store.isListening());
    const first = await one.signIn('reseller@northwind.test');
    const second = at(other, first);
    assert.equal((await second.get(read)).status, 200);
    databaseProxy.cutNotices(true);
    await eventually(() => !other.store.isListening());
    await first.post('/auth/sign-out');
    databaseProxy.cutNotices(false);
    await eventually(() => other.store.isListening());
    assert.equal((await second.get(read)).status, 401);
  });
}
