import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withApprovals } from '../fixtures/approvals.ts';

const { sandbox, as, get, code, demand, waitingOf, decide } = withApprovals();

const users = '/api/customers/10001/users';
const person = () => ({ FirstName: 'Ada', LastName: 'Waits', Email: `${randomUUID()}@contoso.test` });

test('making a user an administrator waits; a reseller’s demand is none of an administrator of a customer', async () => {
  await demand({ RoleWidening: 0 });
  const made = await as('single', 'POST', users, { ...person(), Type: 'endUser' });
  const at = `${users}/${made.body.Result.userId}`;
  const typeOf = async () => (await get(at)).Type;
  const approval = waitingOf(await as('single', 'POST', `${at}/make-administrator`));
  assert.equal(await typeOf(), 'endUser');
  const { Target, Names, After } = await get(`/api/approvals/${approval}`);
  assert.deepEqual([Target, Names], ['Ada Waits', 'Ada Waits']);
  assert.match(After, /^Views: .*customerUsers/);
  assert.equal((await decide('reseller', approval, 'approve')).status, 200);
  assert.equal(await typeOf(), 'endUserAdmin');
  // They have no more rights than before.
  assert.equal((await as('single', 'POST', `${at}/revert-administrator`)).status, 200);

  await sandbox.db
    .updateTable('account_permissions')
    .set(({ fn, val, ref }) => ({
      permissions: fn('array_append', [ref('permissions'), val('createCustomerAdmin')]) as never,
    }))
    .where('account_id', 'in', ({ selectFrom }) =>
      selectFrom('accounts').select('id').where('username', '=', 'admin@contoso.test'),
    )
    .execute();
  assert.equal((await as('admin', 'POST', `${at}/make-administrator`)).status, 200);
});

test('an administrator is not created where one needs a second person, but invited, which waits', async () => {
  await demand({ RoleWidening: 0 });
  const direct = await as('single', 'POST', users, {
    ...person(),
    Type: 'endUserAdmin',
    Password: 'Harbour-lantern-84',
  });
  assert.deepEqual(code(direct), [409, 'AdministratorWaits']);
  const invited = person();
  const approval = waitingOf(await as('single', 'POST', '/api/customers/10001/administrator-invitations', invited));
  const found = async () => (await get(`${users}?search=${invited.Email}`)).Items;
  assert.deepEqual(await found(), []);
  assert.equal((await decide('reseller', approval, 'approve')).status, 200);
  assert.equal((await found())[0].Type, 'endUserAdmin');
});

test('a deleted user who held more than users usually do comes back once another person has approved it', async () => {
  await demand({ RoleWidening: 0 });
  const made = person();
  const userId = (await as('single', 'POST', users, { ...made, Type: 'endUser' })).body.Result.userId;
  const usual = person();
  const usualId = (await as('single', 'POST', users, { ...usual, Type: 'endUser' })).body.Result.userId;
  await sandbox.db
    .updateTable('account_permissions')
    .set({ own_views: ['customerUsers', 'billing'], views: ['customerUsers', 'billing'] })
    .where('account_id', 'in', ({ selectFrom }) =>
      selectFrom('accounts').select('id').where('user_id', '=', Number(userId)),
    )
    .execute();
  for (const id of [userId, usualId]) assert.equal((await as('single', 'DELETE', `${users}/${id}`)).status, 200);
  const restore = (id: string) => as('single', 'POST', `/api/customers/10001/deleted-users/${id}/restore`);
  assert.equal((await restore(usualId)).status, 200, 'who has what users usually have comes back at once');
  const approval = waitingOf(await restore(userId));
  const found = async () => (await get(`${users}?search=${made.Email}`)).Items.length;
  assert.equal(await found(), 0);
  const { Target, Names, After } = await get(`/api/approvals/${approval}`);
  assert.deepEqual([Target, Names], ['Ada Waits', 'Ada Waits']);
  assert.match(After, /Views: .*billing/);
  assert.equal((await decide('reseller', approval, 'approve')).status, 200);
  assert.equal(await found(), 1);
  const rights = await get(`/api/permissions/${made.Email}`);
  assert.ok(rights.Views.includes('billing'), JSON.stringify(rights));
  // It has become another act than was approved: nothing comes back by a press of before.
  await as('single', 'DELETE', `${users}/${userId}`);
  const again = waitingOf(await restore(userId));
  assert.equal((await as('reseller', 'POST', `/api/customers/10001/deleted-users/${userId}/restore`)).status, 202);
  assert.notEqual(again, approval);
});

test('sight of more customers waits, with their names; sight of fewer does not', async () => {
  const userName = 'engineer@northwind.test';
  await demand({});
  const at = `/api/staff/${userName}/customer-limit`;
  const save = (limit: object) => as('single', 'PUT', at, limit);
  const some = (...Customers: string[]) => ({ Sees: 'Some', Word: '', Customers });
  await demand({ RoleWidening: 0 });
  assert.equal((await save(some('10001', '10002'))).status, 200);
  assert.equal((await save(some('10001'))).status, 200);
  const approval = waitingOf(await save(some('10001', '10002')));
  assert.equal((await get(at)).Seen, 1);
  const { Target, After } = await get(`/api/approvals/${approval}`);
  const { Name } = await get('/api/customers/10002');
  assert.deepEqual([Target, After], ['Ewan Fraser', `Customers: 2 now, 2 ticked; Newly seen: ${Name}`]);
  assert.equal((await decide('reseller', approval, 'approve')).status, 200);
  assert.equal((await get(at)).Seen, 2);
  // A word brings in customers that are added later.
  assert.equal((await save({ ...some('10001', '10002'), Word: 'contoso' })).status, 202);
  assert.equal((await save({ Sees: 'All' })).status, 202);
  assert.equal((await save({ Sees: 'None' })).status, 200);
});

test('an invitation says to whoever approves it which customers would be seen', async () => {
  await demand({ RoleWidening: 0 });
  const invited = { Name: 'Ida Narrow', Email: `${randomUUID()}@northwind.test`, Sees: 'Some', Customers: ['10001'] };
  const approval = waitingOf(await as('single', 'POST', '/api/staff-invitations/engineer', invited));
  assert.match((await get(`/api/approvals/${approval}`)).After, /Customers: 1 now, 1 ticked/);
});
