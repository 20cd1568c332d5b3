import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import { sendHint } from '../../server/sandbox/notifications/hints.ts';
import { eventually } from '../fixtures/eventually.ts';
import { limitAccount } from '../fixtures/limit-account.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime, nextEvent } from '../fixtures/wait.ts';

let now = new Date();
const open: HubConnection[] = [];
// Hooks run in the order in which they stand: the connections end before their sandbox.
after(() => Promise.all(open.map(connection => connection.stop())));
const sandbox = withSandbox({ now: () => now });

type Listener = {
  readonly hints: unknown[];
  readonly closed: () => Promise<void>;
  until(count: number): Promise<unknown[]>;
};

const negotiate = async (token: string) =>
  (await sandbox.call(token, 'GET', '/api/notifications/negotiate')).body.Result as {
    url: string;
    accessToken: string;
  };

/** Counts from when it is awaited. */
function endOf(connection: HubConnection): () => Promise<void> {
  const closed = new Promise<void>(resolve => connection.onclose(() => resolve()));
  return () => inTime('The end of the connection', closed);
}

/** Connects as the portal does: the real client, straight to WebSockets, a hub token for each connection. */
async function listen(token: string): Promise<Listener> {
  const { url } = await negotiate(token);
  const connection = new HubConnectionBuilder()
    .withUrl(url, {
      skipNegotiation: true,
      transport: HttpTransportType.WebSockets,
      accessTokenFactory: async () => (await negotiate(token)).accessToken,
    })
    .configureLogging(LogLevel.None)
    .build();
  const hints: unknown[] = [];
  connection.on('SendMessage', hint => void hints.push(hint));
  const closed = endOf(connection);
  await connection.start();
  open.push(connection);
  const until = async (count: number) => {
    await eventually(() => hints.length >= count, `${count} hints have arrived`);
    return hints;
  };
  return { hints, closed, until };
}

/** Hints arrive in order: once a later one of the own has arrived, a missing earlier one was never sent. */
async function readAll(token: string): Promise<void> {
  await sandbox.call(token, 'POST', '/api/notifications/read-all');
}

test('a change of a service is hinted to the reseller’s people and the customer’s, and to nobody else', async () => {
  const tokens = [];
  for (const name of [
    'reseller@northwind.test',
    'engineer@northwind.test',
    'admin@contoso.test',
    'user@contoso.test',
  ]) {
    tokens.push(await sandbox.signIn(name));
  }
  const [reseller, engineer, admin, user] = await Promise.all(tokens.map(listen));
  const rivalToken = await sandbox.signIn('rival@southridge.test');
  const otherToken = await sandbox.signIn(await someUserOf(10002));
  const rival = await listen(rivalToken);
  const other = await listen(otherToken);
  now = new Date(now.getTime() + 60_000);
  await sandbox.tickOnce();
  const changed = { kind: 'service-changed', organisationId: '10001' };
  assert.deepEqual(await reseller?.until(2), [{ kind: 'notification' }, changed]);
  assert.deepEqual(await engineer?.until(2), [{ kind: 'notification' }, changed]);
  assert.deepEqual(await admin?.until(1), [changed]);
  assert.deepEqual(await user?.until(1), [changed]);
  await readAll(rivalToken);
  await readAll(otherToken);
  assert.deepEqual(await rival.until(1), [{ kind: 'notification' }]);
  assert.deepEqual(await other.until(1), [{ kind: 'notification' }]);
});

test('who is limited to certain customers hears of these alone', async () => {
  const { db } = sandbox;
  const limitedTo = (ids: number[]) => limitAccount(db, 'engineer@northwind.test', ids);
  await limitedTo([10003]);
  const all = await listen(await sandbox.signIn('reseller@northwind.test'));
  const limited = await listen(await sandbox.signIn('engineer@northwind.test'));
  for (const organisation of [10001, 10003]) {
    const found = db.selectFrom('customers').select(['id', 'reseller_id']).where('organisation_id', '=', organisation);
    const { id: customer, reseller_id: reseller } = await found.executeTakeFirstOrThrow();
    await sendHint(db, { reseller, customer }, { kind: 'service-changed', organisationId: String(organisation) });
  }
  assert.equal((await all.until(2)).length, 2);
  assert.deepEqual(await limited.until(1), [{ kind: 'service-changed', organisationId: '10003' }]);
  const token = await sandbox.signIn('reseller@northwind.test');
  const path = '/api/staff/engineer@northwind.test/customer-limit';
  assert.equal((await sandbox.call(token, 'PUT', path, { Sees: 'All' })).status, 200);
  // The line of before the change ends; the portal opens another.
  await limited.closed();
});

test('what disturbs the network is hinted to everybody, also when an announced maintenance begins and ends', async () => {
  const [reseller, rival, user] = await Promise.all(
    ['reseller@northwind.test', 'rival@southridge.test', 'user@contoso.test'].map(async name =>
      listen(await sandbox.signIn(name)),
    ),
  );
  const of = ({ hints }: Listener) =>
    hints.filter(hint => (hint as { kind: string }).kind === 'network-changed').length;
  const told = async (count: number) => {
    for (const listener of [reseller!, rival!, user!])
      await eventually(() => of(listener) === count, `${count} changes of the network were hinted`);
  };
  const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString().slice(0, 16);
  const fields = { component: 'mail', kind: 'Maintenance', title: 'New disks', starts: at(10), ends: at(20) };
  const { status } = await fetch(`${sandbox.url}/network/announce`, {
    method: 'POST',
    headers: { origin: sandbox.url },
    body: new URLSearchParams(fields),
  });
  assert.equal(status, 200);
  await told(1);
  for (const [minutes, count] of [
    [5, 1],
    [6, 2],
    [10, 3],
  ] as const) {
    now = new Date(now.getTime() + minutes * 60_000);
    await sandbox.tickOnce();
    await told(count);
  }
});

async function someUserOf(organisation: number): Promise<string> {
  const { email } = await sandbox.db
    .selectFrom('users as u')
    .innerJoin('customers as c', 'c.id', 'u.customer_id')
    .where('c.organisation_id', '=', organisation)
    .where('u.status', '=', 'Active')
    .select('u.email')
    .limit(1)
    .executeTakeFirstOrThrow();
  return email;
}

test('reading in one window is hinted to the account’s other windows only', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const engineerToken = await sandbox.signIn('engineer@northwind.test');
  const [mine, theirs] = [await listen(await sandbox.signIn('reseller@northwind.test')), await listen(engineerToken)];
  await readAll(token);
  assert.deepEqual(await mine.until(1), [{ kind: 'notification' }]);
  await sandbox.call(token, 'PUT', '/api/permissions/engineer@northwind.test', { views: [], permissions: [] });
  assert.deepEqual(await theirs.until(1), [{ kind: 'permissions-changed' }]);
});

test('a refused write hints nothing', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const mine = await listen(token);
  const missing = { Id: '999999', Status: 'read' };
  assert.equal((await sandbox.call(token, 'PATCH', '/api/notifications', missing)).status, 404);
  await readAll(token);
  assert.equal((await mine.until(1)).length, 1);
});

test('signing out, being suspended and being deleted close the connection', async () => {
  const reply = await fetch(`${sandbox.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username: 'user@contoso.test', password: 'Demo-portal-2026' }),
  });
  const { access_token, refresh_token } = (await reply.json()) as Record<string, string>;
  const call = (token: string, actor: string, method: string, path: string, body?: unknown) =>
    sandbox.call(token, method, path, body, { 'actor-id': actor });
  const negotiated = await call(access_token!, 'user@contoso.test', 'GET', '/api/notifications/negotiate');
  const { url, accessToken } = negotiated.body.Result;
  const connection = new HubConnectionBuilder()
    .withUrl(url, {
      skipNegotiation: true,
      transport: HttpTransportType.WebSockets,
      accessTokenFactory: () => accessToken,
    })
    .configureLogging(LogLevel.None)
    .build();
  const signedOut = endOf(connection);
  await connection.start();
  await call(access_token!, 'user@contoso.test', 'POST', '/auth/logout', { refresh_token });
  await signedOut();
  const after = await call(access_token!, 'user@contoso.test', 'GET', '/api/notifications/negotiate');
  assert.equal(after.status, 401);

  const una = await listen(await sandbox.signIn('user@contoso.test'));
  const admin = await sandbox.signIn('admin@contoso.test');
  await sandbox.call(admin, 'POST', '/api/customers/10001/users/20002/suspend');
  await una.closed();
  await sandbox.call(admin, 'POST', '/api/customers/10001/users/20002/reactivate');
  const again = await listen(await sandbox.signIn('user@contoso.test'));
  await sandbox.call(admin, 'DELETE', '/api/customers/10001/users/20002');
  await again.closed();
});

/** The status that the hub's handshake is refused with, or 101. */
async function knock(path: string): Promise<number> {
  const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}${path}`);
  const status = new Promise<number>(resolve => {
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('open', () => {
      socket.close();
      resolve(101);
    });
    socket.on('error', () => {});
  });
  return inTime('The answer to the handshake', status);
}

test('only a hub token that is still good opens the hub', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const { accessToken } = await negotiate(token);
  const at = (text: string) => knock(`/hubs/notifications?access_token=${text}`);
  assert.equal(await at(accessToken), 101);
  assert.equal(await at(token), 401);
  assert.equal(await at(''), 401);
  assert.equal(await at(`${accessToken}x`), 401);
  assert.equal(await knock(`/elsewhere?access_token=${accessToken}`), 404);
  const start = now;
  now = new Date(start.getTime() + 61_000);
  assert.equal(await at(accessToken), 401);
  now = start;
});

test('a peer that speaks another protocol, or nonsense, is sent away and harms nobody', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  for (const message of ['{"protocol":"messagepack","version":1}\u001e', 'nonsense', 'null\u001e', '[1\u001e']) {
    const { url, accessToken } = await negotiate(token);
    const socket = new WebSocket(`${url.replace('http', 'ws')}?access_token=${accessToken}`);
    await nextEvent(socket, 'open');
    socket.send(message);
    await nextEvent(socket, 'close');
  }
  assert.equal((await fetch(`${sandbox.url}/health`)).status, 200);
});

test('that a synchronisation of the business system begins and ends is told to the people of its reseller alone', async () => {
  const [own, other] = [await sandbox.signIn('reseller@northwind.test'), await sandbox.signIn('rival@southridge.test')];
  const [listener, stranger] = [await listen(own), await listen(other)];
  assert.equal((await sandbox.call(own, 'POST', '/api/integration/refresh/all')).status, 200);
  assert.deepEqual(await listener.until(1), [{ kind: 'psa-synchronised' }]);
  await sandbox.tickOnce();
  const told = await listener.until(4);
  assert.deepEqual(
    told.slice(1).map(hint => (hint as { kind: string }).kind),
    ['psa-synchronised', 'psa-synchronised', 'psa-synchronised'],
  );
  await readAll(other);
  await stranger.until(1);
  assert.ok(!stranger.hints.some(hint => (hint as { kind: string }).kind === 'psa-synchronised'));
});
