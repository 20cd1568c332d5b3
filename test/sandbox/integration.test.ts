import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

let now = new Date();
const sandbox = withSandbox({ now: () => now });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);
const call = async (who: string, method: string, path: string, body?: unknown) => {
  const reply = await sandbox.call(tokens[who] ?? '', method, path, body, { 'idempotency-key': randomUUID() });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  return reply.body.Result;
};
const read = (guide: string, who = 'reseller') => call(who, 'GET', `/api/integration-guides/${guide}`);
const check = (guide: string, who = 'reseller') => call(who, 'POST', `/api/integration-guides/${guide}/check`);

test('the API is set up step by step by what is done with keys, and an end that comes near takes a tick back', async () => {
  const none = { KeyMade: false, Called: false, AddressesSaid: false, Lasts: false };
  const before = await read('api');
  assert.deepEqual([before.State, before.Steps], ['notstarted', none]);
  const { Key } = await call('reseller', 'POST', '/api/ManageApi/Register', {
    ...{ Name: 'Nightly', Days: '30', Operations: ['customers.list'], Calls: ['GET /api/customers'] },
  });
  const made = await read('api');
  assert.deepEqual([made.State, made.Steps], ['inprogress', { ...none, KeyMade: true, Lasts: true }]);
  await fetch(`${sandbox.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'api_key', api_key: Key }),
  });
  assert.equal((await read('api')).Steps.Called, true);
  await sandbox.db
    .updateTable('api_keys')
    .set({ addresses: ['192.0.2.0/24'] })
    .execute();
  assert.equal((await check('api')).State, 'completed');
  const expire = (days: number) =>
    sandbox.db
      .updateTable('api_keys')
      .set({ expires: new Date(now.getTime() + days * 86_400_000) })
      .execute();
  await expire(13);
  const { State, Steps } = await read('api');
  assert.deepEqual([State, Steps.Lasts], ['abouttoexpire', false]);
  await expire(-1);
  const after = await read('api');
  assert.deepEqual([after.State, after.Steps], ['expired', none]);
});

test('a business system is looked at by the check, which says whether it answers and lets us in', async () => {
  const answers = async () => {
    const { State, Steps, Checked } = await check('business-system');
    assert.ok(Date.parse(Checked) >= now.getTime());
    return [State, Steps.Answers];
  };
  const { System, CustomersLeft, Steps } = await read('business-system');
  assert.equal(System, 'ConnectWise');
  assert.ok(CustomersLeft > 0);
  assert.deepEqual([Steps.Connected, Steps.SwitchedOn, Steps.CustomersMatched], [true, true, false]);
  assert.deepEqual(await answers(), ['inprogress', true]);
  const connection = sandbox.db.updateTable('psa_connections').where('reseller_id', '=', 1001);
  const { credentials } = await sandbox.db
    .selectFrom('psa_connections')
    .select('credentials')
    .where('reseller_id', '=', 1001)
    .executeTakeFirstOrThrow();
  await connection.set({ credentials: JSON.stringify({ ...credentials, privateKey: 'changed' }) }).execute();
  now = new Date(now.getTime() + 10_000);
  assert.deepEqual(await answers(), ['invalid', false]);
  await connection.set({ credentials: JSON.stringify(credentials), enabled: false }).execute();
  await check('business-system');
  assert.deepEqual((await read('business-system')).Steps.SwitchedOn, false);
  await connection.set({ enabled: true }).execute();
  now = new Date(now.getTime() + 10_000);
  assert.deepEqual(await answers(), ['inprogress', true]);
});

test('single sign-on is ticked once the identity provider answers, somebody is linked, and has signed in by it', async () => {
  assert.deepEqual((await read('sign-on')).Steps, { Answers: false, Linked: true, SignedIn: false });
  assert.equal((await read('sign-on')).Checked, null);
  const { State, Steps, Checked } = await check('sign-on');
  assert.deepEqual([State, Steps.Answers], ['inprogress', true]);
  assert.equal(Date.parse(Checked), now.getTime());
  assert.equal((await read('sign-on', 'rival')).Checked, null);
  await sandbox.db.updateTable('identities').set({ last_used: now }).execute();
  assert.equal((await read('sign-on')).State, 'completed');
  assert.equal((await read('sign-on', 'rival')).State, 'notstarted');
});
