import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'engineer@northwind.test',
  'admin@contoso.test',
  'user@contoso.test',
]);
const call = (who: string, method: string, path: string, body?: object) =>
  sandbox.call(tokens[who]!, method, path, body);
const own = '/api/users/profile';
const ofStaff = (userName: string) => `/api/staff/${encodeURIComponent(userName)}/profile`;
const read = async (who: string, path: string) => (await call(who, 'GET', path)).body.Result;
const nameOf = async (who: string) => (await read(who, '/api/users/login-user')).displayName;

test('people change their own profile: the name is theirs at once, and it is told before and after', async () => {
  const before = await read('engineer', own);
  assert.deepEqual([before.FirstName, before.LastName, before.Phone], ['Ewan', 'Fraser', '']);
  const { Version } = before;
  const body = { FirstName: 'Ewan James', LastName: 'Fraser', Phone: '01134960123', JobTitle: 'Engineer', Version };
  assert.equal((await call('engineer', 'PUT', own, body)).status, 200);
  assert.equal(await nameOf('engineer'), 'Ewan James Fraser');
  const after = await read('engineer', own);
  assert.deepEqual([after.FirstName, after.LastName, after.JobTitle], ['Ewan James', 'Fraser', 'Engineer']);
  const [latest] = (await read('reseller', '/api/activity')).Items;
  assert.deepEqual(
    [latest.Action, latest.Actor, latest.Before, latest.After],
    [
      'Profile changed',
      'Ewan Fraser',
      'Name: Ewan Fraser; Phone: ; Job title: ',
      'Name: Ewan James Fraser; Phone: 01134960123; Job title: Engineer',
    ],
  );
});

test('who manages people changes the profile of another, and of two who save over one state the second is told', async () => {
  const path = ofStaff('codes@northwind.test');
  const { Version } = await read('reseller', path);
  const body = { FirstName: 'Cora', LastName: 'O’Dell', Phone: '', JobTitle: '', Version };
  assert.equal((await call('reseller', 'PUT', path, body)).status, 200);
  const second = await call('reseller', 'PUT', path, { ...body, LastName: 'Odell-Smith' });
  assert.deepEqual(
    [second.status, second.body.Refusals],
    [409, [{ Code: 'ProfileChanged', Data: { Name: 'Cora O’Dell' } }]],
  );
  assert.equal((await read('reseller', path)).LastName, 'O’Dell');
  const wrong = await call('reseller', 'PUT', path, { FirstName: ' ', LastName: 'O', Phone: 'x', JobTitle: '' });
  assert.deepEqual(Object.keys(wrong.body.Errors), ['FirstName', 'Phone']);
  assert.equal((await call('reseller', 'PUT', ofStaff('rival@southridge.test'), body)).status, 404);
});

test('an administrator of a customer has one profile, whoever changes it and wherever', async () => {
  const user = '/api/customers/10001/users/20001';
  const { Version, LastName } = await read('reseller', user);
  const body = { FirstName: 'Anna', LastName, Phone: '', JobTitle: 'Office manager', Version };
  assert.equal((await call('admin', 'PUT', own, body)).status, 200);
  assert.equal((await read('reseller', ofStaff('admin@contoso.test'))).JobTitle, 'Office manager');
  assert.equal(await nameOf('admin'), `Anna ${LastName}`);
  const stale = await call('reseller', 'PUT', user, { ...body, Phone: '01134960000' });
  assert.deepEqual([stale.status, stale.body.Refusals[0].Code], [409, 'ProfileChanged']);
  const now = await read('reseller', ofStaff('admin@contoso.test'));
  const changed = { ...body, Phone: '01134960000', Version: now.Version };
  assert.equal((await call('reseller', 'PUT', ofStaff('admin@contoso.test'), changed)).status, 200);
  assert.equal((await read('admin', own)).Phone, '01134960000');
  const [latest] = (await read('reseller', '/api/customers/10001/activity')).Items;
  assert.deepEqual([latest.Action, latest.After], ['User changed', 'Phone: 01134960000']);
});

test('who acts for another by a jump reads the profile and changes nothing', async () => {
  const jump = await call('reseller', 'POST', '/api/jumps', { UserName: 'admin@contoso.test' });
  const { CmToken: cmtoken, AdminId: adminid } = jump.body.Result;
  const given = { grant_type: 'password', cmtoken, adminid, username: 'admin@contoso.test' };
  const signIn = await fetch(`${sandbox.url}/auth/token`, { method: 'POST', body: new URLSearchParams(given) });
  const { access_token: token } = (await signIn.json()) as { access_token: string };
  const as = (method: string, body?: object) =>
    sandbox.call(token, method, own, body, { 'actor-id': 'admin@contoso.test' });
  assert.equal((await as('GET')).status, 200);
  assert.equal((await as('PUT', { FirstName: 'A', LastName: 'B', Phone: '', JobTitle: '' })).status, 403);
});
