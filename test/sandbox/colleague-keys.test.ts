import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);
const call = (who: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[who] ?? '', method, path, body, { 'idempotency-key': randomUUID() });
type Listed = { KeyId: string; Name: string; Owner: string; State: string; MayRevoke: boolean };
const list = async (who = 'reseller', query = ''): Promise<Listed[]> =>
  (await call(who, 'GET', `/api/ManageApi/Colleagues${query}`)).body.Result.Items;

/** Gives somebody a key, and the key itself. */
async function giveKey(username: string, name: string): Promise<string> {
  const key = `portal_${name.padEnd(43, 'x')}`;
  const account = await sandbox.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  const expires = new Date(Date.now() + 86_400_000);
  await sandbox.db
    .insertInto('api_keys')
    .values({
      ...{ account_id: account.id, name, hash: createHash('sha256').update(key).digest('base64url') },
      ...{ old_hash: null, old_until: null, operations: ['customers.list'], calls: ['GET /api/customers'] },
      ...{ addresses: [], created: new Date(), expires, last_used: null, last_address: null },
    })
    .execute();
  return key;
}
const isGood = async (key: string): Promise<boolean> => {
  const body = new URLSearchParams({ grant_type: 'api_key', api_key: key });
  return (await fetch(`${sandbox.url}/auth/token`, { method: 'POST', body })).status === 200;
};

test('whoever manages people lists the keys of colleagues, ends one at once, and its owner is told', async () => {
  const key = await giveKey('engineer@northwind.test', 'Report');
  await giveKey('reseller@northwind.test', 'Own');
  await giveKey('rival@southridge.test', 'Rival');
  assert.equal(await isGood(key), true);
  const rows = await list();
  assert.deepEqual(
    rows.map(({ Name, Owner, State, MayRevoke }) => [Name, Owner, State, MayRevoke]),
    [['Report', 'Ewan Fraser', 'Good', true]],
  );
  assert.doesNotMatch(JSON.stringify(rows), /hash|portal_/i);
  assert.equal((await list('reseller', '?search=ewan')).length, 1);
  assert.equal((await list('reseller', '?search=nobody')).length, 0);
  const path = `/api/ManageApi/Colleagues/${rows[0]?.KeyId}/Revoke`;
  assert.equal((await call('rival', 'POST', path)).status, 404);
  const [own] = (await call('reseller', 'GET', '/api/ManageApi/Initialise')).body.Result.Items;
  assert.equal((await call('reseller', 'POST', `/api/ManageApi/Colleagues/${own.KeyId}/Revoke`)).status, 404);
  assert.equal((await call('reseller', 'POST', path)).status, 200);
  assert.equal(await isGood(key), false);
  assert.deepEqual(await list(), []);
  const { Items } = (await call('reseller', 'GET', '/api/activity?pageSize=5')).body.Result;
  assert.deepEqual(
    [Items[0].Action, Items[0].Target, Items[0].Detail],
    ['API key revoked', 'Report', 'Of Ewan Fraser'],
  );
  const told = sandbox.db.selectFrom('notifications').select('content').where('message', '=', 'API key revoked');
  assert.match((await told.executeTakeFirstOrThrow()).content, /Priya Raman has revoked your API key Report/);
  const mails = sandbox.db.selectFrom('outbox').select('recipient').where('subject', '=', 'Your API key was revoked');
  assert.deepEqual(await mails.execute(), [{ recipient: 'engineer@northwind.test' }]);
});

test('a key is stopped while its owner is disabled, and ends for good when they leave', async () => {
  const name = 'codes@northwind.test';
  const key = await giveKey(name, 'Stopped');
  const person = `/api/staff/${encodeURIComponent(name)}`;
  assert.equal((await call('reseller', 'POST', `${person}/disable`)).status, 200);
  assert.equal(await isGood(key), false);
  assert.equal((await list())[0]?.State, 'Stopped');
  assert.equal((await call('reseller', 'POST', `${person}/enable`)).status, 200);
  assert.equal(await isGood(key), true);
  const check = (await call('reseller', 'GET', `${person}/leaving`)).body.Result;
  assert.deepEqual(
    check.Findings.find(({ Code }: { Code: string }) => Code === 'KeysEnd'),
    { Code: 'KeysEnd', Count: 1, Detail: 'Stopped' },
  );
  assert.equal((await call('reseller', 'POST', `${person}/leave`, { Version: check.Version })).status, 200);
  assert.deepEqual([await isGood(key), await list()], [false, []]);
  assert.equal((await call('reseller', 'POST', `${person}/leave/undo`)).status, 200);
  assert.equal(await isGood(key), false);
});
