import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { deleteSpentGrants, revokeGrantsOf } from '../../server/sandbox/auth/grants.ts';
import { limitAccount } from '../fixtures/limit-account.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

let now = new Date();
const sandbox = withSandbox({ now: () => now, tokenSeconds: 30 * 86_400, phaseMilliseconds: 0 });
const people = ['reseller', 'single', 'mustsign', 'engineer'] as const;
type Who = (typeof people)[number] | 'admin' | 'rival' | 'empty';
const tokens: Record<string, string> = withTokens(sandbox, [
  ...people.map(name => `${name}@northwind.test`),
  ...['admin@contoso.test', 'rival@southridge.test', 'empty@eastmoor.test'],
]);
const as = (who: Who, method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  sandbox.call(tokens[who]!, method, path, body, headers);
const get = async (path: string, who: Who = 'reseller') => (await as(who, 'GET', path)).body.Result;
const code = ({ status, body }: { status: number; body: { Refusals?: { Code: string }[] } }) => [
  status,
  body.Refusals?.[0]?.Code,
];

/** Lets the reseller demand approval for these kinds alone, above these numbers. */
async function demand(given: Readonly<Record<string, number>>): Promise<void> {
  await sandbox.db.deleteFrom('approval_demands').execute();
  for (const [kind, above] of Object.entries(given))
    await sandbox.db.insertInto('approval_demands').values({ reseller_id: 1001, kind, above }).execute();
}
beforeEach(() => demand({ CustomerDeletion: 0 }));

async function addCustomer(): Promise<{ id: string; name: string }> {
  const name = `Waits ${randomUUID().slice(0, 8)}`;
  const body = { Name: name, Domain: 'waits.test', ContactName: 'W', ContactEmail: 'w@waits.test' };
  return { id: (await as('reseller', 'POST', '/api/customers', body)).body.Result.organisationId, name };
}
const remove = (who: Who, { id, name }: { id: string; name: string }, headers?: Record<string, string>) =>
  as(who, 'POST', `/api/customers/${id}/delete`, { Confirmation: name }, headers);
const waitingOf = ({ status, body }: { status: number; body: { Waits?: { ApprovalId: string } } }): string => {
  assert.equal(status, 202, JSON.stringify(body));
  return body.Waits!.ApprovalId;
};
/** Somebody asks for the deletion of a new customer. */
async function askDeletion(who: Who = 'single') {
  const customer = await addCustomer();
  return { customer, approval: waitingOf(await remove(who, customer)) };
}
const decide = (who: Who, approval: string, verb: string, body?: object) =>
  as(who, 'POST', `/api/approvals/${approval}/${verb}`, body);
const stateOf = async (approval: string) => (await get(`/api/approvals/${approval}`)).State;
const isThere = async ({ id }: { id: string }) => (await as('reseller', 'GET', `/api/customers/${id}`)).status === 200;
const activity = async (who: Who = 'reseller'): Promise<[string, string, string][]> =>
  (await get('/api/activity?pageSize=5', who)).Items.map(
    ({ Action, Actor, Target }: Record<'Action' | 'Actor' | 'Target', string>) => [Action, Actor, Target],
  );
const setRights = (userName: string, views: string[], permissions: string[]) =>
  sandbox.db
    .updateTable('account_permissions')
    .set({ views: views as never, permissions: permissions as never })
    .where('account_id', 'in', ({ selectFrom }) => selectFrom('accounts').select('id').where('username', '=', userName))
    .execute();

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
  now = new Date(now.getTime() + 7 * 86_400_000 - 1000);
  await sandbox.tickOnce();
  assert.equal(await stateOf(expired.approval), 'Waiting');
  now = new Date(now.getTime() + 1000);
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

test('to demand less needs a second person itself, to demand more does not', async () => {
  await demand({});
  const put = (kind: string, body: object, who: Who = 'single') =>
    as(who, 'PUT', `/api/approval-demands/${kind}`, body);
  const read = async (kind: string) =>
    (await get('/api/approval-demands')).find((one: { Kind: string }) => one.Kind === kind);
  assert.equal((await put('BulkOrder', { On: true, Above: 20 })).status, 200);
  assert.equal((await put('BulkOrder', { On: true, Above: 10 })).status, 200);
  const raised = waitingOf(await put('BulkOrder', { On: true, Above: 30 }));
  const off = waitingOf(await put('BulkOrder', { On: false }));
  assert.deepEqual([(await read('BulkOrder')).On, (await read('BulkOrder')).Above], [true, 10]);
  assert.deepEqual(code(await decide('single', raised, 'approve')), [409, 'ActOwn']);
  assert.equal((await decide('reseller', raised, 'approve')).status, 200);
  assert.equal((await read('BulkOrder')).Above, 30);
  // It was asked for when ten was the number.
  assert.deepEqual(code(await decide('reseller', off, 'approve')), [409, 'ActOutdated']);
  assert.equal((await decide('reseller', waitingOf(await put('BulkOrder', { On: false })), 'approve')).status, 200);
  assert.equal((await read('BulkOrder')).On, false);

  assert.deepEqual(code(await put('BulkOrder', { On: true })), [400, 'DemandNumber']);
  assert.equal((await put('Nothing', { On: true })).status, 404);
  assert.equal((await put('BulkOrder', { On: true, Above: 1 }, 'engineer')).status, 403);
});

test('nobody demands a second person where there is none, and none who is needed is disabled', async () => {
  await demand({});
  const alone = await as('empty', 'PUT', '/api/approval-demands/CustomerDeletion', { On: true });
  assert.deepEqual(code(alone), [409, 'ApproverMissing']);
  assert.equal((await get('/api/approval-demands', 'empty'))[0].Approvers, 0);
  await demand({ CustomerDeletion: 0 });
  const disable = (name: string) => as('reseller', 'POST', `/api/staff/${name}@northwind.test/disable`);
  const setEnabled = (enabled: boolean) =>
    sandbox.db
      .updateTable('accounts')
      .set({ enabled })
      .where('username', 'in', ['single@northwind.test', 'mustsign@northwind.test'])
      .execute();
  assert.equal((await disable('single')).status, 200);
  assert.deepEqual(code(await disable('mustsign')), [409, 'LastApprover']);
  await demand({});
  assert.equal((await disable('mustsign')).status, 200);
  await setEnabled(true);
  tokens.single = await sandbox.signIn('single@northwind.test');
  tokens.mustsign = await sandbox.signIn('mustsign@northwind.test');
});

const bulk = (customers: readonly { readonly id: string }[]) => ({
  Customers: customers.map(({ id }) => ({ CustomerId: id, Fields: { Domain: 'waits.test' } })),
  ...{ ServiceId: 17, SubId: 1, Quantity: 4, TermId: 'monthly', BillingId: 'monthly', Fields: {} },
});

test('an order for more customers than the number waits, with its price, and is refused once that is another one', async () => {
  await demand({ BulkOrder: 1 });
  const both = [await addCustomer(), await addCustomer()];
  assert.equal((await as('single', 'POST', '/api/orders/bulk', bulk(both.slice(1)))).status, 201);
  const order = (more: object) => as('single', 'POST', '/api/orders/bulk', { ...bulk(both), ...more });
  const approval = waitingOf(await order({}));
  const { Target, Count, Names, MonthlyPrice, FirstCharge, Currency } = await get(`/api/approvals/${approval}`);
  assert.deepEqual(
    [Target, Count, Names, MonthlyPrice, FirstCharge, Currency],
    ['Mail Signatures', 2, both.map(({ name }) => name).join(', '), '6.80', '6.80', 'GBP'],
  );
  assert.equal((await decide('reseller', approval, 'approve')).status, 200);
  const [made] = (await get('/api/orders/bulk')).Items;
  assert.deepEqual([made.OrderedBy, made.All], ['Silas Dunn', 2]);

  const dearer = waitingOf(await order({ Quantity: 5 }));
  const act = await sandbox.db.selectFrom('approvals').select('act').where('id', '=', Number(dearer)).execute();
  const shown = { ...act[0]!.act, price: { ...act[0]!.act.price!, monthly: 1 } };
  await sql`update approvals set act = ${JSON.stringify(shown)} where id = ${dearer}`.execute(sandbox.db);
  assert.deepEqual(code(await decide('reseller', dearer, 'approve')), [409, 'ActOutdated']);
});

test('whatever gives somebody more rights, or for longer, waits; what takes rights away does not', async () => {
  await demand({});
  const role = {
    Name: `Waits ${randomUUID()}`,
    UserType: 'admin',
    Description: '',
    Prices: false,
    May: [],
    MayNot: [],
  };
  const narrow = { ...role, Views: ['customers'], Permissions: [] };
  await demand({ RoleWidening: 0 });
  // Nobody has it yet.
  const { RoleId } = (await as('single', 'POST', '/api/roles', narrow)).body.Result;
  const userName = 'codes@northwind.test';
  const access = async () => await get(`/api/users/${userName}/roles`);
  const give = async (Until: string | null) =>
    as('single', 'POST', `/api/users/${userName}/roles/${RoleId}`, { Until, Version: (await access()).Version });
  const none = { Roles: [], Views: [], Permissions: [], Prices: false };
  const taken = { ...none, Version: (await access()).Version };
  assert.equal((await as('single', 'PUT', `/api/users/${userName}/roles`, taken)).status, 200);
  const tomorrow = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
  const given = waitingOf(await give(tomorrow));
  const shown = await get(`/api/approvals/${given}`);
  assert.deepEqual(
    [shown.Target, shown.Count, shown.Before, shown.After],
    ['Cora Odell', 1, 'Roles: None', `Roles: ${narrow.Name} until ${tomorrow}`],
  );
  assert.equal((await decide('reseller', given, 'approve')).status, 200);
  assert.deepEqual((await access()).All.Views, ['customers']);
  const forGood = waitingOf(await give(null));
  assert.equal((await decide('reseller', forGood, 'approve')).status, 200);

  const change = async (rights: object, who: Who = 'single') => {
    const { Name, Description, Prices, May, MayNot, Version } = await get(`/api/roles/${RoleId}`);
    return as(who, 'PUT', `/api/roles/${RoleId}`, { Name, Description, Prices, May, MayNot, Version, ...rights });
  };
  const wider = { Views: ['customers', 'billing'], Permissions: [] };
  const widened = waitingOf(await change(wider));
  // Its version is another one after a change that waits for nobody.
  assert.equal((await change({ Views: [], Permissions: [] }, 'reseller')).status, 200);
  assert.deepEqual(code(await decide('reseller', widened, 'approve')), [409, 'ActOutdated']);
  assert.equal((await decide('reseller', waitingOf(await change(wider)), 'approve')).status, 200);
  assert.deepEqual((await access()).All.Views, ['customers', 'billing']);

  const rights = { views: ['customers', 'billing', 'support'], permissions: [] };
  assert.equal((await as('single', 'PUT', `/api/permissions/${userName}`, rights)).status, 202);
  const invited = { Name: 'Ina Wait', Email: `${randomUUID()}@northwind.test` };
  const invitation = waitingOf(await as('single', 'POST', '/api/staff-invitations/engineer', invited));
  const people = async () => (await get(`/api/staff?search=${invited.Email}`)).Total;
  assert.equal(await people(), 0);
  assert.equal((await decide('reseller', invitation, 'approve')).status, 200);
  assert.equal(await people(), 1);
  assert.equal((await as('single', 'DELETE', `/api/roles/${RoleId}`)).status, 409);
});

test('nobody approves that they themselves are given what they lack', async () => {
  await demand({ RoleWidening: 0 });
  const userName = 'mustsign@northwind.test';
  const { Views, Permissions } = await get(`/api/permissions/${userName}`);
  await setRights(userName, ['home', 'manageUsers'], []);
  const wanted = { views: Views, permissions: Permissions };
  const asked = waitingOf(await as('single', 'PUT', `/api/permissions/${userName}`, wanted));
  assert.deepEqual(code(await decide('mustsign', asked, 'approve')), [409, 'ActBeyondRights']);
  await setRights(userName, Views, Permissions);
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
  await sandbox.db.transaction().execute(trx => revokeGrantsOf(trx, asker_id!, now));
  const before = now;
  now = new Date(now.getTime() + 3 * 86_400_000);
  try {
    await deleteSpentGrants(sandbox.db, now);
    assert.equal((await decide('reseller', approval, 'approve')).status, 200);
    assert.ok(!(await isThere(customer)));
  } finally {
    now = before;
  }
});
