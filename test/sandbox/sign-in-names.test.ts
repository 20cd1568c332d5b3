import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'admin@contoso.test']);
const call = (who: string, method: string, path: string, body?: object) =>
  sandbox.call(tokens[who]!, method, path, body);
const rename = (path: string, SignInName: string, who = 'reseller') =>
  call(who, 'PUT', `${path}/sign-in-name`, { SignInName });
const staff = (userName: string) => `/api/staff/${encodeURIComponent(userName)}`;
const faultOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.Errors?.SignInName?.[0]];
const taken = [400, 'Somebody signs in with this name already.'];

test('a sign-in name is changed: what was open ends, the new name signs in, both addresses are told', async () => {
  const token = await sandbox.signIn('codes@northwind.test');
  const { status, body } = await rename(staff('codes@northwind.test'), 'Cora.O’Dell@northwind.test'.replace('’', "'"));
  assert.deepEqual(
    [status, body.Result],
    [200, { UserName: 'codes@northwind.test', SignInName: "cora.o'dell@northwind.test" }],
  );
  assert.equal((await sandbox.call(token, 'GET', '/api/users/login-user')).status, 401);
  await assert.rejects(sandbox.signIn('codes@northwind.test'), /wrong/);
  assert.equal(typeof (await sandbox.signIn("cora.o'dell@northwind.test")), 'string');
  const told = await sandbox.db
    .selectFrom('outbox')
    .select('recipient')
    .where('subject', '=', 'Your sign-in name was changed')
    .execute();
  assert.deepEqual(told.map(({ recipient }) => recipient).toSorted(), [
    'codes@northwind.test',
    "cora.o'dell@northwind.test",
  ]);
  const [latest] = (await call('reseller', 'GET', '/api/activity')).body.Result.Items;
  assert.deepEqual(
    [latest.Action, latest.Before, latest.After],
    ['Sign-in name changed', 'Sign-in name: codes@northwind.test', "Sign-in name: cora.o'dell@northwind.test"],
  );
});

test('a name is of one account over all resellers, also one that somebody had before, and nothing tells which', async () => {
  const path = staff('link@northwind.test');
  for (const name of ['engineer@northwind.test', 'RIVAL@southridge.test', 'codes@northwind.test'])
    assert.deepEqual(faultOf(await rename(path, name)), taken, name);
  const invited = await call('reseller', 'POST', '/api/staff-invitations/engineer', {
    Name: 'Codes',
    Email: 'codes@northwind.test',
  });
  assert.equal(invited.status, 400, JSON.stringify(invited.body));
  assert.equal((await rename(staff("cora.o'dell@northwind.test"), 'codes@northwind.test')).status, 200);
  assert.equal((await rename(path, 'no address')).status, 400);
});

test('nobody changes the own name here, nor that of who signs in elsewhere, is invited, or is out of reach', async () => {
  assert.equal((await rename(staff('reseller@northwind.test'), 'me@northwind.test')).status, 409);
  assert.equal((await rename(staff('sso@northwind.test'), 'other@northwind.test')).status, 409);
  assert.equal((await rename(staff('rival@southridge.test'), 'other@northwind.test')).status, 404);
  await call('reseller', 'POST', '/api/staff-invitations/engineer', { Name: 'New', Email: 'new@northwind.test' });
  assert.equal((await rename(staff('new@northwind.test'), 'newer@northwind.test')).status, 409);
});

test('the name of a customer’s user stays in the customer’s domain, and a mailbox keeps its address', async () => {
  const user = '/api/customers/10001/users/20002';
  const domain = await rename(user, 'una@elsewhere.test', 'admin');
  assert.deepEqual(faultOf(domain), [400, 'Must be an address of contoso.test']);
  assert.equal((await rename(user, 'una.marsh@contoso.test', 'admin')).status, 200);
  const { Email, Mailbox } = (await call('admin', 'GET', user)).body.Result;
  assert.deepEqual([Email, Mailbox.Address], ['una.marsh@contoso.test', 'user@contoso.test']);
  assert.equal(typeof (await sandbox.signIn('una.marsh@contoso.test')), 'string');
});

test('of two who take one name at once, one gets it and the other is told', async () => {
  const tried = await Promise.all(
    ['mfa@northwind.test', 'newmfa@northwind.test'].map(name => rename(staff(name), 'wanted@northwind.test')),
  );
  assert.deepEqual(tried.map(({ status }) => status).toSorted(), [200, 400]);
});
