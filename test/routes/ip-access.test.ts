import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoPassword } from '../../server/sandbox-process.ts';
import { signInAs, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

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

test('rules of the organisation end the sessions that they shut out, and hold at the sign-in; refusals are recorded once a minute', async () => {
  const { client: outside } = await signInFrom(abroad);
  const { client: inside } = await signInFrom(`::ffff:${office}`);
  assert.equal((await outside.get('/customers')).status, 200);
  await lockIn();

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
