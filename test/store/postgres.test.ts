import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { io } from 'socket.io-client';
import { setUpApp } from '../fixtures/authenticator.ts';
import { eventually } from '../fixtures/eventually.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { type Client, createClient, type StartedPortal, signInAs, startPortal } from '../fixtures/portal.ts';
import { startPortalProcess } from '../fixtures/portal-process.ts';
import { findPostgres, freshDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { type RecordingProxy, startRecordingProxy } from '../fixtures/recording-proxy.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { nextEvent, untilConnected } from '../fixtures/wait.ts';

const binaries = findPostgres();
const read = '/ui/data/customers.list?pageSize=1';
let postgres: Postgres;
let database: { url: string; drop: () => Promise<void> };
let sandbox: StartedSandbox;
let proxy: RecordingProxy;
let one: StartedPortal;
let other: StartedPortal;
let passed = 0;

/** The same browser at another process. */
function at(portal: StartedPortal, { cookie }: Client): Client {
  const client = portal.client();
  client.cookie = cookie;
  return client;
}

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Several processes on one database is what only PostgreSQL can do. */
if (binaries !== undefined) {
  before(async () => {
    postgres = await startPostgres(binaries);
    database = await freshDatabase(postgres.url);
    sandbox = await startSandbox({ now: () => new Date(Date.now() + passed) });
    proxy = await startRecordingProxy(sandbox.url);
    const options = { cloudUrl: proxy.url, env: { DATABASE_URL: database.url }, now: () => Date.now() + passed };
    [one, other] = await Promise.all([startPortal(options), startPortal(options)]);
  });
  after(async () => {
    await one?.close();
    await other?.close();
    await proxy?.close();
    await sandbox?.close();
    await database?.drop();
    await postgres?.stop();
  });

  test('a session of one process is good at the other, and signing out at one ends it at both', async () => {
    const first = await one.signIn('reseller@northwind.test');
    const second = at(other, first);
    assert.equal((await second.get(read)).status, 200);
    const socket = io(one.url, {
      path: '/ui/socket',
      transports: ['websocket'],
      reconnection: false,
      extraHeaders: { cookie: first.cookie, origin: one.url },
    });
    await untilConnected(socket);
    const ended = nextEvent(socket, 'session-ended');
    await second.post('/auth/sign-out');
    await ended;
    assert.equal((await at(one, first).get(read)).status, 401);
    socket.disconnect();
  });

  test('a process that is killed takes no session with it: opened there, it is good at the others and ends at them', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-killed-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const third = await startPortalProcess(proxy.url, folder, database.url);
    t.after(third.kill);
    const browser = createClient(third.url);
    const answer = await signInAs(browser, 'rival@southridge.test', 'Demo-portal-2026');
    assert.equal(answer.body.Resources?.code, 'SESSION_CHANGED', answer.text);
    await third.kill();
    assert.equal((await at(one, browser).get(read)).status, 200);
    await at(other, browser).post('/auth/sign-out');
    await eventually(async () => (await at(one, browser).get(read)).status === 401);
  });

  test('a session that its user ends at one process is over at the other at once', async () => {
    const first = await one.signIn('user@contoso.test');
    const second = await other.signIn('user@contoso.test');
    const mine = '/ui/data/sessions.mine';
    assert.equal((await second.get(mine)).status, 200);
    const { Items } = (await first.get(mine)).body.Result;
    const { Handle } = Items.find((item: { IsThis: boolean }) => !item.IsThis);
    const socket = io(other.url, {
      path: '/ui/socket',
      transports: ['websocket'],
      reconnection: false,
      extraHeaders: { cookie: second.cookie, origin: other.url },
    });
    await untilConnected(socket);
    const ended = nextEvent(socket, 'session-ended');
    await first.press('/account-setting/profile', 'end-session', 'call:sessions.end', { with: { session: Handle } });
    await ended;
    assert.equal((await second.get(mine)).status, 401);
    socket.disconnect();
  });

  test('a changed password ends the sessions of its user at every process, and not the one that changed it', async () => {
    const username = 'reset@northwind.test';
    await sandbox.db
      .updateTable('accounts')
      .set({ must_choose_password: false })
      .where('username', '=', username)
      .execute();
    const own = await one.signIn(username);
    const others = [await one.signIn(username), await other.signIn(username)];
    const mine = '/ui/data/sessions.mine';
    for (const portal of [one, other])
      for (const browser of [own, ...others]) assert.equal((await at(portal, browser).get(mine)).status, 200);
    const changed = await own.press('change-password', 'change-password', 'command:password.update', {
      body: {
        ExistingPassword: 'Demo-portal-2026',
        NewPassword: 'Quiet-harbour-71-lanterns',
        NewPasswordAgain: 'Quiet-harbour-71-lanterns',
      },
    });
    assert.equal(changed.body.Succeed, true, changed.text);
    for (const portal of [one, other])
      for (const browser of others) await eventually(async () => (await at(portal, browser).get(mine)).status === 401);
    assert.equal((await at(other, own).get(mine)).status, 200);
  });

  test('a code of an app that is entered at two processes at once lets one browser in', async () => {
    const username = 'mfa@northwind.test';
    const clients = [one, other, one, other].map(portal => portal.client());
    for (const client of clients) await signInAs(client, username, 'Demo-portal-2026');
    const Code = codeAt('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', Date.now() + passed);
    const answers = await Promise.all(
      clients.map(client =>
        client.press('configure-mfa-verification-code', 'verify-code', 'command:auth.second-factor', {
          body: { Code },
        }),
      ),
    );
    assert.equal(answers.filter(({ body }) => body.Resources?.code === 'SESSION_CHANGED').length, 1);
  });

  test('a recovery code that is used at two processes at once lets one browser in', async () => {
    const username = 'codes@northwind.test';
    const { codes } = await setUpApp(await one.signIn(username), Date.now() + passed);
    const clients = [one, other, one, other].map(portal => portal.client());
    for (const client of clients) await signInAs(client, username, 'Demo-portal-2026');
    const answers = await Promise.all(
      clients.map(client =>
        client.press('configure-mfa-verification-code', 'verify-recovery-code', 'command:auth.recovery-code', {
          body: { RecoveryCode: codes[0] ?? '' },
        }),
      ),
    );
    const letIn = answers.filter(({ body }) => body.Resources?.code === 'SESSION_CHANGED');
    assert.equal(letIn.length, 1);
  });

  test('a hundred parallel guesses at two processes together never pass the limit', async () => {
    const guesses = () => proxy.exchanges.filter(({ url }) => url === '/auth/token').length;
    const before = guesses();
    const [first, second] = [one.client(), other.client()];
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        signInAs(index % 2 ? first : second, 'engineer@northwind.test', 'wrong', { NotRobot: true }),
      ),
    );
    assert.equal(guesses() - before, 10);
  });

  test('tokens are exchanged once for all processes', async () => {
    const first = await one.signIn('reseller@northwind.test');
    const second = at(other, first);
    await second.get(read);
    passed += 13 * 60_000;
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? first : second).get(read)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    const { refresh_token } = JSON.parse(
      proxy.exchanges.find(({ body }) => body.includes('grant_type=password'))?.reply ?? '{}',
    );
    assert.ok(refresh_token);
    const exchanges = proxy.exchanges.filter(({ body }) => body.includes('grant_type=refresh_token'));
    assert.equal(exchanges.length, 1);
  });

  test('a connection that breaks while its work does something else fails that work alone', async () => {
    const from = one.log().length;
    const work = one.store.announce(async db => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
      await asSuperuser(`select pg_terminate_backend(${rows[0]?.pid})`);
      await eventually(() => one.log().slice(from).includes('a database connection broke'), 'the connection has told');
      await sql`select 1`.execute(db);
      return undefined;
    });
    await assert.rejects(work, { code: 'STORE_DOWN' });
    assert.equal(await one.store.isUp(), true);
  });

  test('while the notices of others cannot be heard, every request asks the database', async () => {
    const first = await one.signIn('reseller@northwind.test');
    assert.equal((await first.get(read)).status, 200);
    await asSuperuser(`alter database "${new URL(database.url).pathname.slice(1)}" with allow_connections false`);
    await asSuperuser(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(database.url).pathname.slice(1)}'`,
    );
    await eventually(async () => !one.store.isListening());
    const closed = await first.get(read);
    assert.deepEqual([closed.status, closed.body.Resources.code], [503, 'STORE_DOWN']);
    assert.equal((await first.get('/health')).status, 200);
    assert.equal((await first.get('/ready')).status, 503);
    await asSuperuser(`alter database "${new URL(database.url).pathname.slice(1)}" with allow_connections true`);
    await eventually(async () => (await first.get(read)).status === 200);
  });
}
