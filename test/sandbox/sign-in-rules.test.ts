import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'rival@southridge.test']);
const call = (who: string, method: string, path: string, body?: object) =>
  sandbox.call(tokens[who]!, method, path, body);
const settings = '/api/role-based-access/settings';
const require = (who: string, kind: string, Required: boolean) =>
  call(who, 'PUT', `${settings}/mfa/${kind}`, { Required });
const setSuffix = (kind: string, Suffix: string) => call('reseller', 'PUT', `${settings}/suffix/${kind}`, { Suffix });
const ruleOf = async (who: string, kind: string) => {
  const { Result } = (await call(who, 'GET', settings)).body;
  return (Result as { UserType: string; MfaRequired: boolean; WithoutFactor: number }[]).find(
    one => one.UserType === kind,
  )!;
};

test('a second factor is required of all of a kind at one reseller from the next sign-in on, until it is not', async () => {
  const name = 'codes@northwind.test';
  assert.equal((await require('reseller', 'admin', true)).status, 200);
  await assert.rejects(sandbox.signIn(name), /mfa_config_needed/);
  assert.equal(typeof (await sandbox.signIn('rival@southridge.test')), 'string');
  assert.equal(typeof (await sandbox.signIn('admin@contoso.test')), 'string');
  const person = (await call('reseller', 'GET', `/api/staff/${name}`)).body.Result;
  assert.equal(person.SecondFactor, 'Required');
  const rule = await ruleOf('reseller', 'admin');
  assert.ok(rule.MfaRequired && rule.WithoutFactor > 0);
  assert.equal((await ruleOf('rival', 'admin')).MfaRequired, false);
  assert.equal((await require('reseller', 'admin', false)).status, 200);
  assert.equal(typeof (await sandbox.signIn(name)), 'string');
});

test('nobody makes a rule for a kind that they may not change', async () => {
  const rights = { views: ['customers', 'manageUsers'], permissions: ['createResellerEngineer'] };
  await call('reseller', 'PUT', '/api/permissions/engineer@northwind.test', rights);
  assert.equal((await require('engineer', 'reseller', true)).status, 403);
  assert.equal((await require('engineer', 'endUserAdmin', true)).status, 403);
  assert.equal((await require('engineer', 'nothing', true)).status, 404);
  assert.equal((await require('engineer', 'admin', false)).status, 200);
});

test('new sign-in names have the suffix, which is refused where a name would be that of another account', async () => {
  assert.equal((await setSuffix('endUserAdmin', 'adm')).status, 200);
  const invite = (Email: string) =>
    call('reseller', 'POST', '/api/customers/10001/administrator-invitations', {
      ...{ FirstName: 'Ana', LastName: 'Pope', Email },
    });
  assert.equal((await invite('ana@contoso.test')).body.Result.UserName, 'ana.adm@contoso.test');
  const { rows } = { rows: await sandbox.db.selectFrom('outbox').select(['recipient']).execute() };
  assert.ok(rows.some(({ recipient }) => recipient === 'ana@contoso.test'));
  const other = sandbox.db.updateTable('accounts').set({ username: 'admin.boss@contoso.test' });
  await other.where('username', '=', 'user@contoso.test').execute();
  const refused = await setSuffix('endUserAdmin', 'boss');
  assert.deepEqual(
    [refused.status, refused.body.Messages],
    [409, ['With this suffix a name would be that of another account: admin.boss@contoso.test.']],
  );
  assert.equal((await setSuffix('endUserAdmin', 'Not good')).status, 400);
  assert.equal((await setSuffix('endUserAdmin', '')).status, 200);
  assert.equal((await invite('ben@contoso.test')).body.Result.UserName, 'ben@contoso.test');
});

test('the suffix of a kind is read by its kind, with what it makes of a name', async () => {
  await setSuffix('admin', 'adm');
  const { Result } = (await call('reseller', 'GET', `${settings}/suffix/admin`)).body;
  assert.deepEqual(Result, { UserType: 'admin', Suffix: 'adm', Example: 'reseller.adm@northwind.test' });
  assert.equal((await call('reseller', 'GET', `${settings}/suffix/endUser`)).status, 404);
  assert.equal((await call('rival', 'GET', `${settings}/suffix/admin`)).body.Result.Suffix, '');
});

test('advanced administrators are those at the own reseller who may change what others may do', async () => {
  const names = async (who: string) =>
    ((await call(who, 'GET', '/api/users/advanced-administrators')).body.Result as { UserName: string }[]).map(
      ({ UserName }) => UserName,
    );
  assert.ok((await names('reseller')).includes('reseller@northwind.test'));
  assert.ok(!(await names('reseller')).includes('mfa@northwind.test'));
  assert.deepEqual(await names('rival'), ['rival@southridge.test']);
});
