import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { insertEqualRoles } from '../../server/sandbox/roles/usual-role.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const path = '/api/customers/10001/users';
const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const call = (method: string, at: string, body?: unknown, headers?: Record<string, string>) =>
  sandbox.call(token, method, at, body, headers);
const get = async (at: string) => (await call('GET', at)).body.Result;
const person = (email: string, more: object = {}) => ({
  FirstName: 'Gwen',
  LastName: 'Tully',
  Email: email,
  Type: 'endUser',
  ...more,
});
const latest = async () => (await get('/api/customers/10001/activity')).Items[0];

test('a user’s page has the mailbox, groups and what the user costs', async () => {
  const user = await get(`${path}/20002`);
  assert.deepEqual(
    [user.DisplayName, user.Type, user.Mailbox.Address, user.Groups[0], user.Currency],
    ['Una Marsh', 'endUser', 'user@contoso.test', 'All staff', 'GBP'],
  );
  assert.ok(Number(user.MonthlyCost) > 0);
});

test('a new user is counted, may sign in with the password given, and is welcomed by mail', async () => {
  const { Users } = await get('/api/customers/10001');
  const totals = await get('/api/dashboard/summary');
  const { status, body } = await call(
    'POST',
    path,
    person('Gwen.Tully@contoso.test', { Password: 'Harvest-moon-9', Phone: '01134960123' }),
  );
  assert.equal(status, 201);
  const { Email, Phone } = await get(`${path}/${body.Result.userId}`);
  assert.deepEqual([Email, Phone], ['gwen.tully@contoso.test', '01134960123']);
  assert.equal((await get('/api/customers/10001')).Users, Users + 1);
  assert.equal((await get('/api/dashboard/summary')).Users, totals.Users + 1);
  assert.deepEqual((await latest()).Target, 'Gwen Tully');
  const theirs = await sandbox.signIn('gwen.tully@contoso.test', 'Harvest-moon-9');
  const me = (await sandbox.call(theirs, 'GET', '/api/users/login-user')).body.Result;
  assert.deepEqual([me.userId, me.organisationId, me.isEndUser], [body.Result.userId, '10001', true]);
  const outbox = await fetch(`${sandbox.url}/outbox`);
  assert.match(outbox.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(
    await outbox.text(),
    /To gwen\.tully@contoso\.test.*you can now sign in with gwen\.tully@contoso\.test/s,
  );
});

test('a name in a mail is text, not HTML', async () => {
  await call('POST', path, person('html@contoso.test', { FirstName: '<script>alert(1)</script>' }));
  const outbox = await (await fetch(`${sandbox.url}/outbox`)).text();
  assert.ok(outbox.includes('Hello &#60;script&#62;') && !outbox.includes('<script>'));
});

test('a user without a password cannot sign in', async () => {
  assert.equal((await call('POST', path, person('later@contoso.test'))).status, 201);
  for (const password of ['', 'Demo-portal-2026']) {
    await assert.rejects(sandbox.signIn('later@contoso.test', password), /username or password is wrong/);
  }
});

test('an email address belongs to one user of the whole cloud, in any case', async () => {
  const other = { Name: 'Contoso Two', Domain: 'contoso.test', ContactName: 'C', ContactEmail: 'c@contoso.test' };
  const { organisationId } = (await call('POST', '/api/customers', other)).body.Result;
  for (const at of [path, `/api/customers/${organisationId}/users`]) {
    const { status, body } = await call('POST', at, person('USER@contoso.test'));
    assert.deepEqual([status, body.Messages], [409, ['A user with this email address already exists.']]);
  }
});

test('a user has an address of the customer’s domain, added by hand or from a file', async () => {
  for (const email of ['engineer@northwind.test', 'a@contoso.test.example', 'a@notcontoso.test']) {
    const { status, body } = await call('POST', path, person(email));
    assert.deepEqual([status, body.Errors], [400, { Email: ['Must be an address of contoso.test'] }]);
  }
});

test('a refused user leaves nothing behind: no mail, no activity, no count', async () => {
  const before = [
    await get('/api/customers/10001'),
    await latest(),
    await sandbox.db.selectFrom('outbox').selectAll().execute(),
  ];
  await call('POST', path, person('USER@contoso.test'));
  const after = [
    await get('/api/customers/10001'),
    await latest(),
    await sandbox.db.selectFrom('outbox').selectAll().execute(),
  ];
  assert.deepEqual(after, before);
});

test('email, type, names and password are checked', async () => {
  const faults = async (more: object) => (await call('POST', path, person('check@contoso.test', more))).body.Errors;
  for (const Email of ['x', 'a@b', 'a b@c.test', 'ä@c.test', 'a@c.abcdefghijklmnop', `${'a'.repeat(250)}@c.test`]) {
    assert.ok((await faults({ Email })).Email, Email);
  }
  assert.deepEqual(await faults({ Type: 'reseller' }), { Type: ['Must be one of endUser, endUserAdmin'] });
  assert.deepEqual(await faults({ FirstName: '' }), { FirstName: ['First name is required'] });
  assert.deepEqual(await faults({ LastName: 'x'.repeat(51) }), { LastName: ['Must be a maximum of 50 character(s)'] });
  assert.deepEqual(await faults({ Password: 'short' }), {
    Password: [
      'Must be a minimum of 10 character(s)',
      'Must have an upper-case letter, a lower-case letter and a digit',
      'Must be harder to guess',
    ],
  });
});

test('a changed user has the new name everywhere', async () => {
  const change = { FirstName: 'Una', LastName: 'Marsh-Bell', Phone: '01214960777', JobTitle: 'Events lead' };
  assert.equal((await call('PUT', `${path}/20002`, change)).status, 200);
  const user = await get(`${path}/20002`);
  assert.deepEqual([user.DisplayName, user.Phone, user.JobTitle], ['Una Marsh-Bell', '01214960777', 'Events lead']);
  const theirs = await sandbox.signIn('user@contoso.test');
  assert.equal((await sandbox.call(theirs, 'GET', '/api/users/login-user')).body.Result.displayName, 'Una Marsh-Bell');
  assert.equal((await latest()).Action, 'User changed');
});

test('suspending and deleting a user say whose account it was, so that its sessions can be ended', async () => {
  const made = (await call('POST', path, person('ended@contoso.test'))).body.Result.userId;
  const suspended = await call('POST', `${path}/${made}/suspend`);
  assert.deepEqual(suspended.body.Result, { Account: 'ended@contoso.test' });
  const deleted = await call('DELETE', `${path}/${made}`);
  assert.deepEqual(deleted.body.Result, { Account: 'ended@contoso.test' });
  assert.equal('Account' in (await get(`${path}/20002`)), false);
});

test('nobody suspends or deletes himself', async () => {
  const admin = await sandbox.signIn('admin@contoso.test');
  for (const [method, at] of [
    ['POST', `${path}/20001/suspend`],
    ['DELETE', `${path}/20001`],
  ] as const) {
    assert.equal((await sandbox.call(admin, method, at)).status, 409);
  }
});

test('a deleted user is gone with the account, and the address is free again', async () => {
  const created = await call('POST', path, person('leaver@contoso.test', { Password: 'Harvest-moon-9' }));
  const theirs = await sandbox.signIn('leaver@contoso.test', 'Harvest-moon-9');
  const { Users } = await get('/api/customers/10001');
  const at = `${path}/${created.body.Result.userId}`;
  assert.equal((await call('DELETE', at)).status, 200);
  assert.equal((await call('GET', at)).status, 404);
  assert.equal((await call('DELETE', at)).status, 404);
  assert.equal((await get('/api/customers/10001')).Users, Users - 1);
  assert.equal((await sandbox.call(theirs, 'GET', '/api/permissions')).status, 401);
  assert.deepEqual([(await latest()).Action, (await latest()).Detail], ['User deleted', 'leaver@contoso.test']);
  assert.equal((await call('POST', path, person('leaver@contoso.test'))).status, 201);
});

test('who deletes a user knows before what goes and stays, and an order under way stands in the way', async () => {
  const { Obstacle, Findings } = await get(`${path}/20002/can-delete`);
  assert.equal(Obstacle, null);
  const found = Object.fromEntries(Findings.map((one: { Code: string; Detail: string }) => [one.Code, one.Detail]));
  assert.equal(found.MailboxKept, 'user@contoso.test');
  assert.ok('ServicesKept' in found);

  for (const { UserId, Services, Mailbox, OtherAdministrators } of (await get(`${path}?pageSize=100`)).Items) {
    const told = await get(`${path}/${UserId}/can-delete`);
    const counts = new Map(told.Findings.map((one: { Code: string; Count: number }) => [one.Code, one.Count]));
    assert.deepEqual(
      [counts.get('ServicesKept') ?? 0, counts.has('MailboxKept'), counts.has('LastOfCustomer')],
      [Services, Mailbox !== null, OtherAdministrators === 0],
      `the row of ${UserId} says what the question says`,
    );
  }

  const made = await call('POST', path, person('ordered@contoso.test'));
  const at = `${path}/${made.body.Result.userId}`;
  assert.deepEqual(await get(`${at}/can-delete`), { Obstacle: null, Days: 30, Findings: [] });
  const { rows } = await sql<{ id: number }>`
    update orders set status = 'Placed', cancelled = null, user_id = ${made.body.Result.userId}::bigint,
      customer_id = (select id from customers where organisation_id = 10001)
    where id = (select min(id) from orders) returning id`.execute(sandbox.db);
  assert.equal(rows.length, 1);
  assert.equal((await get(`${at}/can-delete`)).Obstacle, 'UserOrders');
  const [listed] = (await get(`${path}?search=ordered@contoso.test`)).Items;
  assert.equal(listed.Obstacle, 'UserOrders');
  const refused = await call('DELETE', at);
  assert.deepEqual([refused.status, refused.body.Refusals], [409, [{ Code: 'UserOrders' }]]);
  await sql`update orders set status = 'Done' where id = ${rows[0]!.id}`.execute(sandbox.db);
  assert.equal((await call('DELETE', at)).status, 200);
});

test('an administrator of a customer deletes nobody who holds rights that they lack', async () => {
  const made = await call('POST', path, person('above@contoso.test', { Type: 'endUserAdmin' }));
  const at = `${path}/${made.body.Result.userId}`;
  await sql`
    update account_permissions set views = array_append(views, 'billing')
    where account_id = (select id from accounts where username = 'above@contoso.test')`.execute(sandbox.db);
  const admin = await sandbox.signIn('admin@contoso.test');
  const refused = await sandbox.call(admin, 'DELETE', at);
  assert.deepEqual([refused.status, refused.body.Refusals], [409, [{ Code: 'HoldsMore' }]]);
  assert.equal((await call('DELETE', at)).status, 200);
});

const accountOf = async (userName: string) =>
  (await get(`/api/users/${userName}/roles`)) as {
    UserType: string;
    Roles: { Name: string }[];
    Views: string[];
    All: { Views: string[]; Permissions: string[] };
  };

test('whoever is added has the usual role of their type and no single rights besides', async () => {
  await call('POST', path, person('role.user@contoso.test'));
  await call('POST', path, person('role.admin@contoso.test', { Type: 'endUserAdmin' }));
  for (const [name, role] of [
    ['role.user@contoso.test', 'User'],
    ['role.admin@contoso.test', 'Customer administrator'],
  ] as const) {
    const { Roles, Views } = await accountOf(name);
    assert.deepEqual([Roles.map(({ Name }) => Name), Views], [[role], []], name);
  }
});

test('single rights that are exactly a predefined role become this role, and others stay as they are', async () => {
  for (const name of ['equal@contoso.test', 'more@contoso.test'])
    await call('POST', path, person(name, { Type: 'endUserAdmin' }));
  const ids = await sandbox.db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('username', 'in', ['equal@contoso.test', 'more@contoso.test'])
    .execute();
  await sandbox.db
    .deleteFrom('account_roles')
    .where(
      'account_id',
      'in',
      ids.map(({ id }) => id),
    )
    .execute();
  const more = ids.find(({ username }) => username === 'more@contoso.test')!;
  await sandbox.db
    .updateTable('account_permissions')
    .set({ permissions: ['createCustomerAdmin', 'liveChat'] })
    .where('account_id', '=', more.id)
    .execute();
  await sandbox.db.transaction().execute(trx => insertEqualRoles(trx, new Date()));
  assert.deepEqual(
    (await accountOf('equal@contoso.test')).Roles.map(({ Name }) => Name),
    ['Customer administrator'],
  );
  assert.deepEqual((await accountOf('more@contoso.test')).Roles, []);
});

test('a user is made an administrator and reverted: the role follows, a mailbox stays, and their sign-ins end', async () => {
  const before = await accountOf('user@contoso.test');
  const theirs = await sandbox.signIn('user@contoso.test');
  assert.equal((await call('POST', `${path}/20002/make-administrator`)).status, 200);
  assert.equal((await sandbox.call(theirs, 'GET', '/api/users/login-user')).status, 401);
  const during = await accountOf('user@contoso.test');
  assert.deepEqual(
    [during.UserType, during.Roles.map(({ Name }) => Name)],
    ['endUserAdmin', ['Customer administrator']],
  );
  assert.equal((await call('POST', `${path}/20002/make-administrator`)).status, 409);
  assert.equal((await call('POST', `${path}/20002/revert-administrator`)).status, 200);
  const after = await accountOf('user@contoso.test');
  assert.deepEqual([after.UserType, after.All], ['endUser', before.All]);
  assert.ok(after.All.Permissions.includes('hostedExchange'));
  assert.deepEqual((await latest()).Action, 'Administrator made user');
});

test('an administrator of a customer reverts nobody who holds rights that they lack, and not themselves', async () => {
  const admin = await sandbox.signIn('admin@contoso.test');
  const { Items } = await get(`${path}?search=switcher`);
  const above = await sandbox.call(admin, 'POST', `${path}/${Items[0].UserId}/revert-administrator`);
  assert.deepEqual([above.status, above.body.Refusals], [409, [{ Code: 'HoldsMore' }]]);
  assert.equal((await sandbox.call(admin, 'POST', `${path}/20001/revert-administrator`)).status, 409);
});
