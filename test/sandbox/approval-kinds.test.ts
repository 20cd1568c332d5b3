import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Who, withApprovals } from '../fixtures/approvals.ts';

const { clock, sandbox, tokens, as, get, code, demand, addCustomer, waitingOf, decide, setRights } = withApprovals();

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
  const tomorrow = new Date(clock.now.getTime() + 86_400_000).toISOString().slice(0, 10);
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

test('a right for longer waits, be it held besides or by a role alone that ends; one that ends sooner does not', async () => {
  const userName = 'codes@northwind.test';
  const day = (days: number) => new Date(clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const access = () => get(`/api/users/${userName}/roles`);
  const save = async (more: object) => {
    const { Version } = await access();
    const wanted = { Roles: [], Views: ['customers'], Permissions: [], Prices: false, ...more, Version };
    return (await as('single', 'PUT', `/api/users/${userName}/roles`, wanted)).status;
  };
  const ends = (days: number) => ({ Ends: [{ Right: 'customers', Until: day(days) }] });
  await demand({});
  assert.equal(await save(ends(2)), 200);
  const role = { Name: `Ends ${randomUUID()}`, UserType: 'admin', Description: '', Prices: false, May: [], MayNot: [] };
  const made = await as('single', 'POST', '/api/roles', { ...role, Views: ['customers'], Permissions: [] });
  const given = (Until: string | null) => ({ Roles: [{ RoleId: made.body.Result.RoleId, Until }], Views: [] });

  await demand({ RoleWidening: 0 });
  assert.equal(await save(ends(3)), 202);
  assert.equal(await save({ Ends: [] }), 202);
  assert.equal(await save(ends(1)), 200);
  assert.equal(await save(given(day(2))), 202);
  // A right that the role gives until a day is also held on its own until then.
  assert.equal(await save(given(day(1))), 200);
  assert.equal(await save({ ...given(day(1)), Views: ['customers'], Ends: [] }), 202);
  assert.equal(await save(ends(1)), 200);
  assert.equal(await save({ Views: [] }), 200);
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
