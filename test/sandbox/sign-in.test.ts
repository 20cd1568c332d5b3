import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

let now = new Date();
const sandbox = withSandbox({ now: () => now });

async function token(fields: Record<string, string>) {
  const reply = await fetch(`${sandbox.url}/auth/token`, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: reply.status, body: (await reply.json()) as Partial<Record<string, string>> };
}
const withPassword = (username: string, password = seedPassword) => ({ grant_type: 'password', username, password });
const refresh = (refresh_token = '') => ({ grant_type: 'refresh_token', refresh_token });
const whoAmI = (access: string, actor: string) =>
  sandbox.call(access, 'GET', '/api/users/login-user', undefined, { 'actor-id': actor });

test('a password gives tokens and says who signed in', async () => {
  const { status, body } = await token({ ...withPassword('Reseller@Northwind.test'), width: '1280', client_id: 'x' });
  assert.equal(status, 200);
  const { access_token, refresh_token, ...rest } = body;
  assert.deepEqual(rest, {
    token_type: 'bearer',
    expires_in: 900,
    userName: 'reseller@northwind.test',
    userType: 'reseller',
    currency: 'GBP',
  });
  const claims = JSON.parse(Buffer.from(access_token?.split('.')[1] ?? '', 'base64url').toString());
  assert.equal(claims.exp - claims.iat, 900);
  assert.ok(refresh_token);
});

test('a wrong password, an unknown name, a disabled account and one for SSO get the same reply', async () => {
  const wrong = { error: 'invalid_grant', error_description: 'The username or password is wrong.' };
  for (const fields of [
    withPassword('reseller@northwind.test', 'Demo-portal-2025'),
    withPassword('nobody@northwind.test'),
    withPassword('disabled@northwind.test'),
    withPassword('sso@northwind.test'),
    withPassword('', ''),
  ]) {
    assert.deepEqual(await token(fields), { status: 400, body: wrong });
  }
});

test('an unknown grant type and a malformed request are refused in the words of OAuth', async () => {
  assert.equal((await token({ grant_type: 'magic' })).body.error, 'unsupported_grant_type');
  assert.equal((await token({ username: 'x' })).body.error, 'invalid_request');
  assert.equal((await token(withPassword('a\0b'))).body.error, 'invalid_request');
});

test('the login flow of a name is Legacy, SSO or Unknown', async () => {
  const flows: unknown[] = [];
  for (const name of ['user@contoso.test', 'sso@northwind.test', 'nobody@nowhere.test']) {
    const reply = await fetch(`${sandbox.url}/auth/login-flow?username=${encodeURIComponent(name)}`);
    flows.push(((await reply.json()) as { Result: { loginFlow: string } }).Result.loginFlow);
  }
  assert.deepEqual(flows, ['Legacy', 'SSO', 'Unknown']);
});

test('an access token is good until it expires and not a moment longer', async () => {
  const start = now;
  const access = await sandbox.signIn('reseller@northwind.test');
  now = new Date(start.getTime() + 898_000);
  assert.equal((await whoAmI(access, 'reseller@northwind.test')).status, 200);
  now = new Date(start.getTime() + 901_000);
  const late = await whoAmI(access, 'reseller@northwind.test');
  now = start;
  assert.equal(late.status, 401);
  assert.equal(late.body.Error, 'Unauthorized');
});

test('a token that is missing, changed, unsigned or for the hub opens nothing', async () => {
  const access = await sandbox.signIn('reseller@northwind.test');
  const [head, body] = access.split('.');
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const { accessToken } = (await sandbox.call(access, 'GET', '/api/notifications/negotiate')).body.Result;
  for (const bad of ['', 'x', `${access}x`, `${head}.${body}.`, `${none}.${body}.`, `${access}.y`, accessToken]) {
    assert.equal((await whoAmI(bad, 'reseller@northwind.test')).status, 401, bad);
  }
});

test('a refresh token gives a new pair and is used up; using it again ends the sign-in', async () => {
  const first = (await token(withPassword('reseller@northwind.test'))).body;
  const second = await token(refresh(first.refresh_token));
  assert.equal(second.status, 200);
  assert.notEqual(second.body.refresh_token, first.refresh_token);
  const again = await token(refresh(first.refresh_token));
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
  assert.equal((await token(refresh(second.body.refresh_token))).status, 400);
  assert.equal((await whoAmI(second.body.access_token ?? '', 'reseller@northwind.test')).status, 401);
});

test('of two refreshes at the same time with one token only one succeeds', async () => {
  const { refresh_token } = (await token(withPassword('engineer@northwind.test'))).body;
  const replies = await Promise.all([token(refresh(refresh_token)), token(refresh(refresh_token))]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400]);
});

test('a refresh token dies after two weeks', async () => {
  const start = now;
  const { refresh_token } = (await token(withPassword('engineer@northwind.test'))).body;
  now = new Date(start.getTime() + 14 * 86_400_000);
  const late = await token(refresh(refresh_token));
  now = start;
  assert.equal(late.status, 400);
});

test('signing out ends the sign-in, with an expired access token too, but only with its own refresh token', async () => {
  const start = now;
  const mine = (await token(withPassword('reseller@northwind.test'))).body;
  const other = (await token(withPassword('reseller@northwind.test'))).body;
  const access = mine.access_token ?? '';
  const out = (refresh_token = '') => sandbox.call(access, 'POST', '/auth/logout', { refresh_token });
  assert.equal((await out(other.refresh_token)).status, 401);
  now = new Date(start.getTime() + 1_000_000);
  const { status } = await out(mine.refresh_token);
  now = start;
  assert.equal(status, 200);
  assert.equal((await whoAmI(access, 'reseller@northwind.test')).status, 401);
  assert.equal((await token(refresh(mine.refresh_token))).status, 400);
  assert.equal((await whoAmI(other.access_token ?? '', 'reseller@northwind.test')).status, 200);
});

test('an account without a permissions record learns who it is and nothing else', async () => {
  const access = await sandbox.signIn('norecord@northwind.test');
  assert.equal((await sandbox.call(access, 'GET', '/api/users/login-user')).status, 200);
  for (const path of ['/api/permissions', '/api/customers', '/api/notifications', '/api/account-settings/display']) {
    const { status, body } = await sandbox.call(access, 'GET', path);
    assert.deepEqual([status, body.Error], [403, 'PermissionNotFound'], path);
  }
});

test('an account with empty permissions has them and may do nothing that needs one', async () => {
  const access = await sandbox.signIn('noaccess@northwind.test');
  const rights = (await sandbox.call(access, 'GET', '/api/permissions')).body.Result;
  assert.deepEqual(rights.usersPermissions, { views: [], permissions: [] });
  const { status, body } = await sandbox.call(access, 'GET', '/api/customers');
  assert.deepEqual([status, body.Error], [403, 'NotPermitted']);
});

test('the actor must be the account, by user name or email', async () => {
  const access = await sandbox.signIn('reseller@northwind.test');
  assert.equal((await whoAmI(access, 'RESELLER@northwind.test')).status, 200);
  for (const actor of ['', 'rival@southridge.test']) {
    const { status, body } = await whoAmI(access, actor);
    assert.deepEqual([status, body.Error], [400, 'ActorUnknown']);
  }
});

test('a suspended user is locked out at once with the tokens it holds, and let in again when reactivated', async () => {
  const access = await sandbox.signIn('user@contoso.test');
  const admin = await sandbox.signIn('admin@contoso.test');
  const { userId, organisationId } = (await sandbox.call(access, 'GET', '/api/users/login-user')).body.Result;
  const path = `/api/customers/${organisationId}/users/${userId}`;
  assert.equal((await sandbox.call(admin, 'POST', `${path}/suspend`)).status, 200);
  const locked = await sandbox.call(access, 'GET', '/api/permissions');
  assert.deepEqual([locked.status, locked.body.Error], [403, 'AccountDisabled']);
  await assert.rejects(sandbox.signIn('user@contoso.test'), /username or password is wrong/);
  assert.equal((await sandbox.call(admin, 'POST', `${path}/reactivate`)).status, 200);
  assert.equal((await sandbox.call(access, 'GET', '/api/permissions')).status, 200);
});
