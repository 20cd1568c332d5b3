import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { deleteSpentGrants, revokeGrantsOf } from '../../server/sandbox/auth/grants.ts';
import { type Who, withApprovals } from '../fixtures/approvals.ts';
import { limitAccount } from '../fixtures/limit-account.ts';

const {
  clock,
  sandbox,
  as,
  get,
  code,
  demand,
  addCustomer,
  remove,
  waitingOf,
  askDeletion,
  decide,
  stateOf,
  isThere,
  activity,
  setRights,
} = withApprovals();

test('what a second person must approve is kept with what it means, and done in the name of whoever asked once it is approved', async () => {
  const { customer, approval } = await askDeletion();
  assert.ok(await isThere(customer));
  const { MayDecide, IsOwn, Kind, Target, AskedBy, State } = await get(`/api/approvals/${approval}`);
  assert.deepEqual(
    { MayDecide, IsOwn, Kind, Target, AskedBy, State },
    {
      ...{ MayDecide: true, IsOwn: false, Kind: 'CustomerDeletion', Target: customer.name },
      ...{ AskedBy: 'Silas Dunn', State: 'Waiting' },
    },
  );
  assert.equal((await get('/api/approvals?list=toDecide')).Items[0].ApprovalId, approval);
  assert.equal((await get('/api/approvals?list=toDecide', 'single')).Total, 0);
  assert.equal((await get('/api/approvals?list=mine', 'single')).Items[0].ApprovalId, approval);
  assert.equal((await get('/api/notifications'))[0].ApprovalId, approval);

  assert.equal((await decide('reseller', approval, 'approve')).status, 200);
  assert.ok(!(await isThere(customer)));
  const after = await get(`/api/approvals/${approval}`, 'single');
  assert.deepEqual([after.State, after.DecidedBy, after.IsOwn], ['Approved', 'Priya Raman', true]);
  assert.deepEqual(await activity(), [
    ['Approved', 'Priya Raman', customer.name],
    ['Customer deleted', 'Silas Dunn', customer.name],
    ['Approval asked', 'Silas Dunn', customer.name],
    ...(await activity()).slice(3),
  ]);
  const [told] = await get('/api/notifications', 'single');
  assert.deepEqual([told.ApprovalId, told.Category], [approval, 'success']);
});

test('nobody approves what they asked for, nor does anybody who does not manage access or who acts as somebody else', async () => {
  const { customer, approval } = await askDeletion();
  assert.deepEqual(code(await decide('single', approval, 'approve')), [409, 'ActOwn']);
  assert.deepEqual(code(await decide('single', approval, 'refuse', { Reason: 'No' })), [409, 'ActOwn']);
  assert.equal((await decide('engineer', approval, 'approve')).status, 403);
  assert.equal((await as('engineer', 'GET', `/api/approvals/${approval}`)).status, 404);
  assert.equal((await decide('rival', approval, 'approve')).status, 404);
  assert.equal((await decide('admin', approval, 'approve')).status, 403);
  // Whoever asked, in a sign-in in which they act as the other administrator.
  const grants = sandbox.db.selectFrom('grants as g').innerJoin('accounts as a', 'a.id', 'g.account_id');
  const grant = await grants
    .select(['g.id', 'g.actor_id'])
    .where('a.username', '=', 'mustsign@northwind.test')
    .orderBy('g.created', 'desc')
    .executeTakeFirstOrThrow();
  const setActor = (actor_id: number | null) =>
    sandbox.db.updateTable('grants').set({ actor_id }).where('id', '=', grant.id).execute();
  const asker = sandbox.db.selectFrom('accounts').select('id').where('username', '=', 'single@northwind.test');
  await setActor((await asker.executeTakeFirstOrThrow()).id);
  assert.equal((await decide('mustsign', approval, 'approve')).status, 404);
  await setActor(null);
  assert.ok(await isThere(customer));
  assert.equal((await decide('mustsign', approval, 'approve')).status, 200);
});

test('a customer whose deletion waits says so to whoever asked and whoever decides, by either of its ids', async () => {
  const { customer, approval } = await askDeletion();
  const { CustomerId, OrganisationId } = await get(`/api/customers/${customer.id}`);
  const deletions = async (who: Who, ids = `10001,${OrganisationId}`) =>
    (await get(`/api/approvals/deletions?customerIds=${ids}`, who)).Items;
  const [asked] = await deletions('reseller');
  assert.deepEqual(
    [asked.CustomerId, asked.ApprovalId, asked.AskedBy, Number.isNaN(Date.parse(asked.Until))],
    [OrganisationId, approval, 'Silas Dunn', false],
  );
  assert.equal((await deletions('single')).length, 1);
  assert.deepEqual(await deletions('engineer'), []);
  assert.deepEqual(await deletions('rival'), []);
  assert.deepEqual(await deletions('reseller', '10001'), []);
  await decide('single', approval, 'withdraw');
  assert.deepEqual(await deletions('reseller'), []);

  waitingOf(await remove('single', { ...customer, id: CustomerId }));
  assert.equal((await deletions('reseller')).length, 1);
});

test('of two who approve at once one carries it out, and the other is told that it was decided', async () => {
  const { approval } = await askDeletion();
  const both = await Promise.all((['reseller', 'mustsign'] as const).map(who => decide(who, approval, 'approve')));
  assert.deepEqual(both.map(code).sort(), [
    [200, undefined],
    [409, 'ActDecided'],
  ]);
  const lines = (await activity()).filter(([action]) => action === 'Customer deleted');
  assert.equal(lines.filter(([, , target]) => target === lines[0]![2]).length, 1);
});

test('who asks again finds what waits, by the same press and by another one', async () => {
  const { customer, approval } = await askDeletion();
  assert.equal(waitingOf(await remove('single', customer)), approval);
  const other = await addCustomer();
  const key = { 'idempotency-key': randomUUID() };
  const first = waitingOf(await remove('single', other, key));
  await decide('single', first, 'withdraw');
  assert.equal(waitingOf(await remove('single', other, key)), first);
  assert.notEqual(waitingOf(await remove('single', other)), first);
});

test('what could not be done is refused when it is asked for', async () => {
  assert.equal((await remove('single', { id: '10001', name: 'Contoso' })).status, 409);
  const customer = await addCustomer();
  assert.equal((await remove('single', { ...customer, name: 'Another' })).status, 400);
});

test('what has changed or gone since, or may not be done by the asker any more, ends as outdated', async () => {
  const changed = await askDeletion();
  const user = { FirstName: 'Una', LastName: 'Late', Email: `${randomUUID()}@waits.test`, Type: 'endUser' };
  await as('reseller', 'POST', `/api/customers/${changed.customer.id}/users`, user);
  assert.deepEqual(code(await decide('reseller', changed.approval, 'approve')), [409, 'ActOutdated']);
  assert.ok(await isThere(changed.customer));
  const ended = await get(`/api/approvals/${changed.approval}`);
  assert.deepEqual([ended.State, ended.Reason], ['Outdated', 'What it would do or cost has changed.']);
  assert.equal((await get('/api/notifications', 'single'))[0].ApprovalId, changed.approval);

  const gone = await askDeletion();
  await demand({});
  await remove('reseller', gone.customer);
  await demand({ CustomerDeletion: 0 });
  assert.deepEqual(code(await decide('reseller', gone.approval, 'approve')), [409, 'ActOutdated']);
  assert.equal((await get(`/api/approvals/${gone.approval}`)).Reason, 'It is not there any more.');

  const lost = await askDeletion('mustsign');
  const name = 'mustsign@northwind.test';
  const { Views, Permissions } = await get(`/api/permissions/${name}`);
  await setRights(name, Views, []);
  assert.deepEqual(code(await decide('reseller', lost.approval, 'approve')), [409, 'ActOutdated']);
  await setRights(name, Views, Permissions);
  assert.equal((await get(`/api/approvals/${lost.approval}`)).Reason, 'Maeve Sterling may not do this any more.');
  assert.ok(await isThere(lost.customer));
});

test('who could not do it cannot approve it, and it goes on waiting for somebody who can', async () => {
  const { customer, approval } = await askDeletion();
  const name = 'mustsign@northwind.test';
  const { Views, Permissions } = await get(`/api/permissions/${name}`);
  await setRights(name, Views, []);
  assert.equal((await get(`/api/approvals/${approval}`, 'mustsign')).MayDecide, false);
  assert.deepEqual(code(await decide('mustsign', approval, 'approve')), [409, 'ActBeyondRights']);
  await setRights(name, Views, Permissions);
  assert.equal(await stateOf(approval), 'Waiting');
  assert.ok(await isThere(customer));
});

test('it is refused with a reason, withdrawn by whoever asked, and over after seven days', async () => {
  const refused = await askDeletion();
  assert.equal((await decide('reseller', refused.approval, 'refuse', { Reason: ' ' })).status, 400);
  assert.equal((await decide('reseller', refused.approval, 'refuse', { Reason: 'They still pay.' })).status, 200);
  const told = await get(`/api/approvals/${refused.approval}`, 'single');
  assert.deepEqual([told.State, told.Reason, told.DecidedBy], ['Refused', 'They still pay.', 'Priya Raman']);
  assert.deepEqual(code(await decide('mustsign', refused.approval, 'approve')), [409, 'ActDecided']);

  const withdrawn = await askDeletion();
  assert.equal((await decide('reseller', withdrawn.approval, 'withdraw')).status, 404);
  assert.equal((await decide('single', withdrawn.approval, 'withdraw')).status, 200);
  assert.equal(await stateOf(withdrawn.approval), 'Withdrawn');

  const expired = await askDeletion();
  clock.now = new Date(clock.now.getTime() + 7 * 86_400_000 - 1000);
  await sandbox.tickOnce();
  assert.equal(await stateOf(expired.approval), 'Waiting');
  clock.now = new Date(clock.now.getTime() + 1000);
  await sandbox.tickOnce();
  assert.equal(await stateOf(expired.approval), 'Expired');
  assert.deepEqual((await activity())[0], ['Approval expired', 'Cloud', expired.customer.name]);
  assert.ok(await isThere(expired.customer));
});

test('an account has at most fifty acts that wait', async () => {
  const { approval } = await askDeletion();
  const row = await sandbox.db.selectFrom('approvals').selectAll().where('id', '=', Number(approval)).execute();
  const { id, asked, act, decided, decider_id, ...rest } = row[0]!;
  const copies = Array.from({ length: 50 }, (_, at) => ({
    ...{ ...rest, fingerprint: `copy ${at}`, asked: JSON.stringify(asked), act: JSON.stringify(act) },
  }));
  await sandbox.db.insertInto('approvals').values(copies).execute();
  assert.deepEqual(code(await remove('single', await addCustomer())), [409, 'ActsFull']);
  await sandbox.db.deleteFrom('approvals').where('fingerprint', 'like', 'copy %').execute();
});

test('whoever is limited to certain customers decides on nothing, and what they asked is done with the customers that they see then', async () => {
  const others = await askDeletion('reseller');
  const [seen, lost] = [await addCustomer(), await addCustomer()];
  const limit = (...customers: { id: string }[]) =>
    limitAccount(
      sandbox.db,
      'single@northwind.test',
      customers.map(({ id }) => Number(id)),
    );
  await limit(seen, lost);
  try {
    const approvals = [waitingOf(await remove('single', seen)), waitingOf(await remove('single', lost))] as const;
    assert.equal((await as('single', 'GET', `/api/approvals/${others.approval}`)).status, 404);
    for (const verb of ['approve', 'refuse'])
      assert.equal((await decide('single', others.approval, verb, { Reason: 'No.' })).status, 404);
    await limit(seen);
    assert.equal((await decide('reseller', approvals[0], 'approve')).status, 200);
    assert.ok(!(await isThere(seen)));
    assert.deepEqual(code(await decide('reseller', approvals[1], 'approve')), [409, 'ActOutdated']);
    assert.ok(await isThere(lost));
  } finally {
    await sql`update accounts set limited = false where username = 'single@northwind.test'`.execute(sandbox.db);
  }
});

test('what waits is done also when whoever asked has signed out days ago', async () => {
  const { customer, approval } = await askDeletion('mustsign');
  const { asker_id } = await sandbox.db
    .selectFrom('approvals')
    .select('asker_id')
    .where('id', '=', Number(approval))
    .executeTakeFirstOrThrow();
  await sandbox.db.transaction().execute(trx => revokeGrantsOf(trx, asker_id!, clock.now));
  const before = clock.now;
  clock.now = new Date(clock.now.getTime() + 3 * 86_400_000);
  try {
    await deleteSpentGrants(sandbox.db, clock.now);
    assert.equal((await decide('reseller', approval, 'approve')).status, 200);
    assert.ok(!(await isThere(customer)));
  } finally {
    clock.now = before;
  }
});
