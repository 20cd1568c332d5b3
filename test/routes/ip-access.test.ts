import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { io } from 'socket.io-client';
import { demoPassword } from '../../server/sandbox-process.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { untilConnected } from '../fixtures/wait.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox, { env: { TRUSTED_PROXIES: '127.0.0.1' } });
const office = '203.0.113.24';
const abroad = '192.0.2.88';
const engineer = 'engineer@northwind.test';

const clientFrom = (address: string) => portal.client({ 'x-forwarded-for': address });
const signInFrom = async (address: string) => {
  const client = clientFrom(address);
  const { status, body } = await signInAs(client, engineer, demoPassword);
  return { client, status, code: body.Resources?.code };
};

/** A socket of the browser of `client` from an address: when it opens, which fails where it is refused, and what it hears. */
function listenFrom(t: TestContext, { cookie }: Client, address: string) {
  const socket = io(portal.url, {
    ...{ path: '/ui/socket', transports: ['websocket'], reconnection: false, forceNew: true },
    extraHeaders: { cookie, origin: portal.url, 'x-forwarded-for': address },
  });
  t.after(() => void socket.disconnect());
  const heard = new Set<string>();
  socket.onAny(event => void heard.add(event));
  return {
    opens: untilConnected(socket),
    hears: (event: string) => eventually(() => heard.has(event), `the socket has heard "${event}"`),
  };
}

/** The reseller lets its people in from the network of the office alone. */
async function lockIn(): Promise<void> {
  const token = await sandbox.signIn('reseller@northwind.test');
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'x-forwarded-for': office };
    const reply = await sandbox.call(token, method, `/api/IpLockdown/${path}`, body, headers);
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body.Result;
  };
  await call('POST', 'rules', { Address: '203.0.113.0/24', Does: 'Allow', Note: 'Office', Hours: '0' });
  await call('PUT', 'draft', { On: true, Elsewhere: 'Refuse', Admins: false });
  const { Version } = await call('GET', 'GetIpAccessSettings/draft');
  await call('POST', `SaveIpLockdownSetting/${Version}`, { Confirmed: false });
}

test('rules of the organisation end the sessions that they shut out, and hold at the sign-in; refusals are recorded once a minute', async t => {
  const { client: outside } = await signInFrom(abroad);
  const { client: inside } = await signInFrom(`::ffff:${office}`);
  assert.equal((await outside.get('/customers')).status, 200);
  const { client: between } = await signInFrom(office);
  const away = listenFrom(t, between, abroad);
  // The line to the cloud stands: what it says from now on is heard.
  await away.hears('publish');
  assert.equal((await between.get('/customers')).status, 200);
  await lockIn();
  // Its last request came from inside.
  await away.hears('session-ended');

  assert.equal((await inside.get('/customers')).status, 200);
  const refused = await outside.get('/customers');
  assert.equal(refused.status, 403);
  assert.match(refused.text, /Your organisation does not allow access from this network/);
  assert.match((await outside.get('/customers')).headers.get('location') ?? '', /^\/login/);

  assert.deepEqual(await signInFrom(office).then(({ code }) => code), 'SESSION_CHANGED');
  const { client, status, code } = await signInFrom(abroad);
  assert.deepEqual([status, code], [403, 'ADDRESS_NOT_ALLOWED']);
  assert.match((await client.get('/customers')).headers.get('location') ?? '', /^\/login/);

  const records = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('address', '=', abroad).where('outcome', '=', 'refused').execute(),
  );
  assert.equal(records.filter(record => JSON.stringify(record).includes('ADDRESS_NOT_ALLOWED')).length, 1);
});

test('a session that goes to a network that is shut out ends there', async () => {
  const { client } = await signInFrom(office);
  assert.equal((await client.get('/customers')).status, 200);
  assert.equal((await client.get('/customers', { 'x-forwarded-for': abroad })).status, 403);
  assert.match((await client.get('/customers')).headers.get('location') ?? '', /^\/login/);
});

test('what needs nothing from the cloud is not given to an address that it has not let in either', async t => {
  const layout = `/ui/layouts/${await (await signInFrom(office)).client.hashOf('/customers')}`;
  for (const path of ['/ui/boot', layout, '/account-setting']) {
    const { client } = await signInFrom(office);
    assert.equal((await client.get(path)).status, 200, path);
    const { status, text } = await client.get(path, { 'x-forwarded-for': abroad });
    assert.deepEqual([status, /Northwind|Customers/.test(text)], [403, false], path);
    assert.match((await client.get('/customers')).headers.get('location') ?? '', /^\/login/);
  }
  const { client } = await signInFrom(office);
  await assert.rejects(listenFrom(t, client, abroad).opens);
  assert.match((await client.get('/customers')).headers.get('location') ?? '', /^\/login/);
});
