import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'admin@contoso.test', 'rival@southridge.test']);
const call = (who: string, method: string, path: string, body?: object) =>
  sandbox.call(tokens[who]!, method, path, body);
type Finding = { Code: string; Count: number; Detail: string };
type Check = { Version: string; Obstacle: string | null; Findings: Finding[]; HasLeft: boolean; MayTakeRoles: boolean };
const checkOf = async (path: string, who = 'reseller'): Promise<Check> =>
  (await call(who, 'GET', `${path}/leaving`)).body.Result;
const leave = async (path: string, more: object = {}, who = 'reseller') =>
  call(who, 'POST', `${path}/leave`, { Version: (await checkOf(path, who)).Version, ...more });
const undo = (path: string, who = 'reseller') => call(who, 'POST', `${path}/leave/undo`);
const staff = (userName: string) => `/api/staff/${encodeURIComponent(userName)}`;
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.Refusals?.[0]?.Code];
const accessOf = async (userName: string) => {
  const { Roles, Views, Permissions, Prices, All } = (await call('reseller', 'GET', `/api/users/${userName}/roles`))
    .body.Result;
  const roles = (Roles as { Name: string; Until: string | null }[]).map(({ Name, Until }) => [Name, Until]);
  return { roles, own: [Views, Permissions, Prices], All };
};
const invite = async (name: string): Promise<string> => {
  const email = `${name.toLowerCase()}@northwind.test`;
  await call('reseller', 'POST', '/api/staff-invitations/engineer', { Name: name, Email: email });
  return email;
};

test('the check says what will happen, and leaving does just that: suspended, signed out, roles taken', async () => {
  const name = 'codes@northwind.test';
  const token = await sandbox.signIn(name);
  const before = await accessOf(name);
  const { Findings, Obstacle, MayTakeRoles } = await checkOf(staff(name));
  assert.deepEqual(
    [Findings, Obstacle, MayTakeRoles],
    [
      [
        { Code: 'Suspended', Count: 1, Detail: '' },
        { Code: 'SessionsEnd', Count: 1, Detail: '' },
        { Code: 'Roles', Count: 1, Detail: before.roles[0]![0] },
      ],
      null,
      true,
    ],
  );
  const gone = await leave(staff(name), { TakeRoles: true });
  assert.deepEqual([gone.status, gone.body.Result.UserName], [200, name]);
  assert.equal((await sandbox.call(token, 'GET', '/api/users/login-user')).status, 401);
  await assert.rejects(sandbox.signIn(name), /wrong/);
  assert.deepEqual((await accessOf(name)).roles, []);
  assert.equal((await checkOf(staff(name))).HasLeft, true);

  assert.equal((await undo(staff(name))).status, 200);
  assert.deepEqual(await accessOf(name), before);
  assert.equal(typeof (await sandbox.signIn(name)), 'string');
  assert.deepEqual(refusal(await undo(staff(name))), [409, 'UndoOver']);
  const { Items } = (await call('reseller', 'GET', '/api/activity?pageSize=20')).body.Result;
  const actions = (Items as { Action: string; Target: string }[]).map(({ Action }) => Action);
  assert.ok(actions.includes('User left') && actions.includes('Leaving undone'), actions.join());
});

test('roles that are not taken stay, of no use until the person is back', async () => {
  const name = 'mfa@northwind.test';
  const before = await accessOf(name);
  assert.equal((await leave(staff(name))).status, 200);
  assert.deepEqual(await accessOf(name), before);
  assert.equal((await undo(staff(name))).status, 200);
});

test('of two who let somebody leave at once the second is told, and so is who decides by an old check', async () => {
  const name = 'codes@northwind.test';
  const { Version } = await checkOf(staff(name));
  const tried = await Promise.all([1, 2].map(() => call('reseller', 'POST', `${staff(name)}/leave`, { Version })));
  assert.deepEqual(tried.map(refusal).toSorted(), [
    [200, undefined],
    [409, 'AlreadyLeft'],
  ]);
  await undo(staff(name));
  await call('reseller', 'PUT', `/api/permissions/${name}`, { views: ['customers'], permissions: [] });
  const late = await call('reseller', 'POST', `${staff(name)}/leave`, { Version });
  assert.deepEqual(refusal(late), [409, 'AccessChanged']);
  assert.equal(typeof (await sandbox.signIn(name)), 'string');
});

test('undoing is refused once somebody gave rights anew or let them in by hand: nothing of that is lost', async () => {
  const name = 'codes@northwind.test';
  await leave(staff(name), { TakeRoles: true });
  await call('reseller', 'PUT', `/api/permissions/${name}`, { views: ['home'], permissions: [] });
  assert.deepEqual(refusal(await undo(staff(name))), [409, 'AccessChanged']);
  assert.equal((await checkOf(staff(name))).HasLeft, true);
  assert.equal((await call('reseller', 'POST', `${staff(name)}/enable`)).status, 200);
  assert.deepEqual(refusal(await undo(staff(name))), [409, 'UndoOver']);
  assert.deepEqual((await accessOf(name)).All.Views, ['home']);
});

test('an invitation of who leaves is withdrawn, and its link works again once that is undone', async () => {
  const name = await invite('Odd');
  const open = async () => {
    const links = sandbox.db.selectFrom('password_links as l').innerJoin('accounts as a', 'a.id', 'l.account_id');
    return (await links.select('l.used').where('a.username', '=', name).execute()).filter(({ used }) => used === null);
  };
  const codes = (await checkOf(staff(name))).Findings.map(({ Code }) => Code);
  assert.ok(codes.includes('InvitationWithdrawn'), codes.join());
  await leave(staff(name));
  assert.deepEqual(await open(), []);
  await undo(staff(name));
  assert.equal((await open()).length, 1);
  const { State, InvitedBy } = (await call('reseller', 'GET', staff(name))).body.Result;
  assert.deepEqual([State, InvitedBy], ['Invited', 'Priya Raman']);
});

test('nobody leaves by their own press, the last administrator stays, and the check says so before', async () => {
  for (const [who, name, code] of [
    ['reseller', 'reseller@northwind.test', 'Oneself'],
    ['reseller', 'disabled@northwind.test', 'NotActive'],
  ] as const) {
    assert.equal((await checkOf(staff(name), who)).Obstacle, code);
    assert.deepEqual(refusal(await leave(staff(name), {}, who)), [409, code]);
  }
});

test('who manages people lets nobody leave who holds more, and cannot bring back what they do not hold', async () => {
  const engineer = 'link@northwind.test';
  const rights = {
    views: ['customers', 'manageUsers'],
    permissions: ['createResellerEngineer', 'createCustomerAdmin'],
  };
  await call('reseller', 'PUT', `/api/permissions/${engineer}`, rights);
  const token = await sandbox.signIn(engineer);
  const as = async (method: string, path: string, body?: object) => sandbox.call(token, method, path, body);
  const above = staff('newmfa@northwind.test');
  await call('reseller', 'PUT', '/api/permissions/newmfa@northwind.test', { views: ['billing'], permissions: [] });
  const check = (await as('GET', `${above}/leaving`)).body.Result as Check;
  assert.equal(check.Obstacle, 'HoldsMore');
  const tried = await as('POST', `${above}/leave`, { Version: check.Version });
  assert.deepEqual(refusal(tried), [409, 'HoldsMore']);
  assert.equal((await as('GET', `${staff('reseller@northwind.test')}/leaving`)).status, 403);
  await leave(above, { TakeRoles: true });
  const back = await as('POST', `${above}/leave/undo`);
  assert.equal(back.status, 400, JSON.stringify(back.body));
  assert.equal((await checkOf(above)).HasLeft, true);
  assert.equal((await undo(above)).status, 200);
});

test('an administrator of a customer lets users of theirs leave, takes no roles, and reaches nobody else', async () => {
  const user = '/api/customers/10001/users/20002';
  const token = await sandbox.signIn('user@contoso.test');
  const { Findings, MayTakeRoles } = await checkOf(user, 'admin');
  const codes = Findings.map(({ Code }) => Code);
  for (const code of ['Suspended', 'ServicesKept', 'MailboxKept']) assert.ok(codes.includes(code), codes.join());
  assert.equal(MayTakeRoles, false);
  assert.equal((await leave(user, { TakeRoles: true }, 'admin')).status, 403);
  assert.equal((await leave(user, {}, 'admin')).status, 200);
  assert.equal((await sandbox.call(token, 'GET', '/api/users/login-user')).status, 401);
  assert.equal((await call('admin', 'GET', user)).body.Result.Status, 'Suspended');
  assert.equal((await undo(user, 'rival')).status, 404);
  assert.equal((await undo(user, 'admin')).status, 200);
  assert.equal((await call('admin', 'GET', user)).body.Result.Status, 'Active');
  assert.deepEqual(refusal(await leave('/api/customers/10001/users/20001', {}, 'admin')), [409, 'Oneself']);
});

test('a user without an account leaves too, and a customer’s last administrator is named as such', async () => {
  const made = async (Email: string, Type: string) => {
    const body = { FirstName: 'Zoë', LastName: 'O’Brien-Łuk', Email, Type };
    return (await call('reseller', 'POST', '/api/customers/10005/users', body)).body.Result.userId as string;
  };
  const { Domain } = (await call('reseller', 'GET', '/api/customers/10005')).body.Result;
  const path = `/api/customers/10005/users/${await made(`zoe@${Domain}`, 'endUser')}`;
  await sandbox.db.deleteFrom('accounts').where('username', '=', `zoe@${Domain}`).execute();
  assert.deepEqual((await checkOf(path)).Findings, [{ Code: 'Suspended', Count: 1, Detail: '' }]);
  assert.equal((await leave(path)).status, 200);
  assert.equal((await call('reseller', 'GET', path)).body.Result.Status, 'Suspended');
  assert.equal((await undo(path)).status, 200);
  assert.equal((await call('reseller', 'GET', path)).body.Result.Status, 'Active');

  const { Items } = (await call('reseller', 'GET', '/api/customers/10005/users?type=endUserAdmin')).body.Result;
  const isLast = async (userId: string) =>
    (await checkOf(`/api/customers/10005/users/${userId}`)).Findings.some(({ Code }) => Code === 'LastOfCustomer');
  const first = (Items as { UserId: string }[])[0]?.UserId ?? (await made(`first@${Domain}`, 'endUserAdmin'));
  assert.equal(await isLast(first), true);
  await made(`second@${Domain}`, 'endUserAdmin');
  assert.equal(await isLast(first), false);
});
