import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPassword } from '../../server/sandbox/identity/people.ts';
import { linkFor } from '../fixtures/outbox.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'engineer@northwind.test',
  'single@northwind.test',
  'mustsign@northwind.test',
  'empty@eastmoor.test',
]);
const call = (who: string, method: string, path: string, body?: object) =>
  sandbox.call(tokens[who]!, method, path, body);
type Person = { UserName: string; Team: string; MayAct: boolean; State: string };
const find = async (userName: string, who = 'reseller'): Promise<Person> => {
  const { body } = await call(who, 'GET', `/api/staff?search=${encodeURIComponent(userName)}`);
  return (body.Result.Items as Person[]).find(one => one.UserName === userName)!;
};
const act = (who: string, userName: string, verb: string) =>
  call(who, 'POST', `/api/staff/${encodeURIComponent(userName)}/${verb}`);
const grant = async (userName: string, views: string[], permissions: string[]) =>
  assert.equal((await call('reseller', 'PUT', `/api/permissions/${userName}`, { views, permissions })).status, 200);

test('the list has the own people and the administrators of the own customers, and never an end user', async () => {
  const { body } = await call('reseller', 'GET', '/api/staff?pageSize=100');
  const items = notEmpty(body.Result.Items as (Person & { Kind: string; CustomerName: string | null })[]);
  assertEvery(items, one => ['reseller', 'admin', 'endUserAdmin'].includes(one.Kind));
  assertEvery(items, one => (one.Team === 'customers') === (one.CustomerName !== null));
  const accounts = sandbox.db.selectFrom('accounts').select('id').where('reseller_id', '=', 1001);
  const expected = await accounts.where('user_type', '!=', 'endUser').execute();
  assert.equal(body.Result.Total, expected.length);
});

test('who is disabled is signed out at once and let in by nothing, until the account is enabled again', async () => {
  const name = 'codes@northwind.test';
  const token = await sandbox.signIn(name);
  assert.equal((await act('reseller', name, 'disable')).status, 200);
  assert.equal((await sandbox.call(token, 'GET', '/api/users/login-user')).status, 401);
  await assert.rejects(sandbox.signIn(name), /wrong/);
  assert.equal((await find(name)).State, 'Disabled');
  assert.equal((await act('reseller', name, 'enable')).status, 200);
  assert.equal(typeof (await sandbox.signIn(name)), 'string');
  const seenBy = async (by: string) =>
    (await sandbox.call(await sandbox.signIn(by), 'GET', '/api/activity')).body.Result.Items.map(
      ({ Action }: { readonly Action: string }) => Action,
    );
  assert.deepEqual((await seenBy('reseller@northwind.test')).slice(0, 2), ['Account enabled', 'Account disabled']);
  // Somebody who does not manage people sees nothing of it.
  assert.ok(!(await seenBy('engineer@northwind.test')).includes('Account disabled'));
});

test('a customer’s administrator who is disabled is a suspended user, in the activity of the customer as well', async () => {
  assert.equal((await act('reseller', 'admin@contoso.test', 'disable')).status, 200);
  const user = await call('reseller', 'GET', '/api/customers/10001/users/20001');
  assert.equal(user.body.Result.Status, 'Suspended');
  const [latest] = (await call('reseller', 'GET', '/api/customers/10001/activity')).body.Result.Items;
  assert.deepEqual([latest.Action, latest.Actor], ['Account disabled', 'Priya Raman']);
  assert.equal((await act('reseller', 'admin@contoso.test', 'enable')).status, 200);
});

test('nobody acts upon themselves, engineers upon no administrator of the reseller, and each upon the kinds of their permission alone', async () => {
  const oneself = await act('reseller', 'reseller@northwind.test', 'disable');
  assert.deepEqual([oneself.status, oneself.body.Messages], [409, ['You cannot do this to yourself.']]);
  await grant('engineer@northwind.test', ['customers', 'manageUsers'], ['createResellerEngineer']);
  assert.equal((await act('engineer', 'single@northwind.test', 'disable')).status, 403);
  assert.equal((await act('engineer', 'admin@contoso.test', 'disable')).status, 403);
  assert.deepEqual(
    await Promise.all(
      ['single@northwind.test', 'admin@contoso.test', 'mfa@northwind.test', 'engineer@northwind.test'].map(
        async name => (await find(name, 'engineer')).MayAct,
      ),
    ),
    [false, false, true, false],
  );
  await grant('engineer@northwind.test', ['customers', 'manageUsers'], ['createCustomerAdmin']);
  assert.equal((await act('engineer', 'mfa@northwind.test', 'disable')).status, 403);
  assert.equal((await act('engineer', 'admin@contoso.test', 'disable')).status, 200);
  assert.equal((await act('engineer', 'admin@contoso.test', 'enable')).status, 200);
});

const reset = (userName: string, body: object) =>
  call('reseller', 'PUT', `/api/users/admin/${encodeURIComponent(userName)}/reset-password`, body);

test('a password that is reset lets nobody in any more: the owner chooses another by the mailed link', async () => {
  const name = 'link@northwind.test';
  const token = await sandbox.signIn(name);
  assert.equal((await reset(name, {})).body.Result.UserName, name);
  assert.equal((await sandbox.call(token, 'GET', '/api/users/login-user')).status, 401);
  await assert.rejects(sandbox.signIn(name), /wrong/);
  const { owner, key } = await linkFor(sandbox.db, name);
  const chosen = { key, oldPassword: null, newPassword: 'Harbour-lantern-84' };
  assert.equal((await sandbox.call('', 'PUT', `/api/users/${owner}/change-password`, chosen)).status, 200);
  assert.equal(typeof (await sandbox.signIn(name, chosen.newPassword)), 'string');
});

test('a password that is given keeps the rules, and is changed at the next sign-in', async () => {
  const name = 'link@northwind.test';
  assert.equal((await reset(name, { newPassword: 'short' })).status, 400);
  const { Password } = (await call('reseller', 'POST', '/api/PasswordSecurity/password')).body.Result;
  assert.match(Password, /^(\w{4}-){3}\w{4}$/);
  assert.equal((await reset(name, { newPassword: Password })).status, 200);
  await assert.rejects(sandbox.signIn(name, Password), /resetrequired/);
  assert.equal((await reset('reseller@northwind.test', {})).status, 409);
  assert.equal((await reset('sso@northwind.test', {})).status, 409);
  assert.equal((await call('empty', 'PUT', `/api/users/admin/${name}/reset-password`, {})).status, 404);
});

test('nobody chooses the password of who holds more than they do, and so signs in as them: a link does', async () => {
  await grant('engineer@northwind.test', ['customers', 'manageUsers'], ['createResellerEngineer']);
  const at = '/api/users/admin/bookkeeper%40northwind.test/reset-password';
  const refused = await call('engineer', 'PUT', at, { newPassword: 'Harbour-lantern-84' });
  const Data = { Rights: 'billing, prices' };
  assert.deepEqual([refused.status, refused.body.Refusals], [409, [{ Code: 'PasswordOfMore', Data }]]);
  assert.equal(typeof (await sandbox.signIn('bookkeeper@northwind.test')), 'string');
  assert.equal((await call('engineer', 'PUT', at, {})).status, 200);
});

test('the password of single sign-on is chosen by a mailed link, and checked by the provider', async () => {
  const name = 'sso@northwind.test';
  const { id } = await sandbox.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', name)
    .executeTakeFirstOrThrow();
  assert.equal((await call('empty', 'POST', `/api/users/reset-sso-password/${id}`)).status, 404);
  assert.equal((await call('reseller', 'POST', `/api/users/reset-sso-password/${id}`)).status, 200);
  const { owner, key } = await linkFor(sandbox.db, name);
  const chosen = { key, oldPassword: null, newPassword: 'Harbour-lantern-84' };
  assert.equal((await sandbox.call('', 'PUT', `/api/users/${owner}/change-password`, chosen)).status, 200);
  const typed = { username: name, password: chosen.newPassword, address: '127.0.0.1' };
  assert.equal(typeof (await checkPassword(sandbox.db, '/oidc', typed)), 'object');
  await assert.rejects(sandbox.signIn(name, chosen.newPassword), /wrong/);
});

test('of two administrators who disable each other at once one stays, and so does the last', async () => {
  const all = sandbox.db.updateTable('accounts').set({ enabled: false }).where('reseller_id', '=', 1001);
  const pair = ['reseller@northwind.test', 'single@northwind.test'];
  await all.where('customer_id', 'is', null).where('username', 'not in', pair).execute();
  await Promise.all([
    act('reseller', 'single@northwind.test', 'disable'),
    act('single', 'reseller@northwind.test', 'disable'),
  ]);
  const accounts = sandbox.db.selectFrom('accounts').select('enabled').where('username', 'in', pair);
  assert.deepEqual((await accounts.execute()).map(({ enabled }) => enabled).sort(), [false, true]);
});
