import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { limitAccount } from '../fixtures/limit-account.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const engineer = 'engineer@northwind.test';
const tokens = withTokens(sandbox, ['reseller@northwind.test', engineer]);
type Row = Record<string, unknown>;
const call = (who: string, method: string, path: string, body?: object) =>
  sandbox.call(tokens[who] ?? who, method, path, body, { 'idempotency-key': randomUUID() });
const get = async (who: string, path: string) => (await call(who, 'GET', path)).body.Result;
const limitOf = (userName: string) => `/api/staff/${encodeURIComponent(userName)}/customer-limit`;
const limit = async (body: Row, userName = engineer, who = 'reseller') => {
  const { status, body: reply } = await call(who, 'PUT', limitOf(userName), body);
  return [status, reply.Refusals];
};
const namesSeen = async (who = 'engineer') =>
  (await get(who, '/api/customers?pageSize=100')).Items.map(({ Name }: { Name: string }) => Name);
const add = async (Name: string, who = 'reseller') => {
  const body = { Name, Domain: 'limit.test', ContactName: 'L', ContactEmail: 'l@limit.test' };
  const made = await call(who, 'POST', '/api/customers', body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.Result.organisationId as string;
};

test('an engineer who is limited to two customers sees these, counted everywhere, from the next call on', async () => {
  assert.equal((await namesSeen()).length, 40);
  assert.equal((await limit({ Sees: 'Some', Customers: ['10001', '10003'] }))[0], 200);
  const { Items, Total, Counts, MonthlySpend } = await get('engineer', '/api/customers');
  assert.deepEqual([Items.length, Total, Counts.All], [2, 2, 2]);
  const spend = Items.reduce((sum: number, row: Row) => sum + Number(row.MonthlySpend), 0);
  assert.equal(Number(MonthlySpend), Math.round(spend * 100) / 100);
  assert.equal((await call('engineer', 'GET', '/api/customers/10002')).status, 404);
  const { Orders, Users } = await get('engineer', '/api/search?words=e');
  for (const { OrganisationId } of [...Orders, ...Users]) assert.ok(['10001', '10003'].includes(OrganisationId));
  const told = await get('reseller', limitOf(engineer));
  assert.deepEqual([told.Sees, told.Seen, told.Of, told.Customers], ['Some', 2, 40, ['10001', '10003']]);
  const listed = (await get('reseller', '/api/staff?search=engineer')).Items[0];
  assert.deepEqual([listed.Sees, listed.SeesCustomers], ['Some', 2]);
  assert.equal((await limit({ Sees: 'None' }))[0], 200);
  assert.deepEqual([await namesSeen(), (await get('reseller', limitOf(engineer))).Sees], [[], 'None']);
  assert.equal((await limit({ Sees: 'All' }))[0], 200);
  assert.equal((await namesSeen()).length, 40);
});

test('a word in the name brings customers in when they get it and lets them go when they lose it', async () => {
  await add('Harbour Quayé');
  assert.equal((await limit({ Sees: 'Some', Word: 'QUAYE', Customers: ['10001'] }))[0], 200);
  assert.deepEqual(await namesSeen(), ['Contoso', 'Harbour Quayé']);
  const other = await add('Quayeside North');
  const rename = (id: string, NewName: string) => call('reseller', 'POST', `/api/customers/${id}/name`, { NewName });
  assert.deepEqual(await namesSeen(), ['Contoso', 'Harbour Quayé', 'Quayeside North']);
  await rename(other, 'Canteen North');
  await rename('10001', 'Contoso quayé');
  assert.deepEqual(await namesSeen(), ['Contoso quayé', 'Harbour Quayé']);
  await rename('10001', 'Contoso');
  // It is ticked besides.
  assert.deepEqual(await namesSeen(), ['Contoso', 'Harbour Quayé']);
  const { Seen } = (await call('reseller', 'POST', '/api/customer-limits/count', { Sees: 'Some', Word: 'quaye' })).body
    .Result;
  assert.equal(Seen, 1);
});

test('a limit says something, of customers of the reseller, about an engineer', async () => {
  const code = (Field: string, Code: string) => [400, [{ Field, Code }]];
  assert.deepEqual(await limit({ Sees: 'Some', Word: ' ' }), code('Customers', 'LimitEmpty'));
  assert.equal((await limit({ Sees: 'Some', Customers: ['99999'] }))[0], 404);
  assert.equal((await limit({ Sees: 'None' }, 'admin@contoso.test'))[0], 409);
  assert.equal((await limit({ Sees: 'None' }, 'reseller@northwind.test'))[0], 409);
  assert.equal((await limit({ Sees: 'None' }, engineer, 'engineer'))[0], 403);
  const { Items } = await get('reseller', '/api/activity?action=Customers%20of%20an%20engineer%20changed');
  assert.equal(notEmpty(Items as Row[])[0]?.Target, 'Ewan Fraser');
});

test('who is limited gives nobody more than the own, not themselves, and changes nobody who sees more', async () => {
  const { db } = sandbox;
  const manager = 'manager@northwind.test';
  const { id } = await db
    .insertInto('accounts')
    .columns([
      'username',
      'email',
      'display_name',
      'user_type',
      'password_hash',
      'reseller_id',
      'customer_id',
      'user_id',
    ])
    .expression(on =>
      on
        .selectFrom('accounts')
        .select(({ val }) => [val(manager).as('u'), val(manager).as('e'), val('Manager').as('d')])
        .select(['user_type', 'password_hash', 'reseller_id', 'customer_id', 'user_id'])
        .where('username', '=', 'reseller@northwind.test'),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  const of = db.selectFrom('accounts').select('id').where('username', '=', 'reseller@northwind.test');
  const rights = db.selectFrom('account_permissions').where('account_id', '=', of);
  const { views, permissions } = await rights.select(['views', 'permissions']).executeTakeFirstOrThrow();
  await db.insertInto('account_permissions').values({ account_id: id, views, permissions }).execute();
  await limitAccount(db, manager, [10001, 10002]);
  const token = await sandbox.signIn(manager);
  const wider = (field: string) => [400, [{ Field: field, Code: 'LimitWider' }]];
  await limit({ Sees: 'All' });
  assert.equal((await limit({ Sees: 'None' }, engineer, token))[0], 403);
  const none = { Views: [], Permissions: [], Prices: false };
  for (const [method, path, body] of [
    ['POST', `/api/staff/${engineer}/disable`],
    ['POST', `/api/staff/${engineer}/reset-second-factor`],
    ['GET', `/api/staff/${engineer}/leaving`],
    ['POST', `/api/staff/${engineer}/leave`, { Version: '1' }],
    ['POST', `/api/staff/${engineer}/leave/undo`],
    ['PUT', `/api/staff/${engineer}/sign-in-name`, { SignInName: 'mine@northwind.test' }],
    ['PUT', `/api/users/admin/${engineer}/reset-password`, { newPassword: 'Harbour-lantern-84' }],
    ['PUT', `/api/users/${engineer}/roles`, { Roles: [], ...none, Version: 0 }],
    ['PUT', `/api/permissions/${engineer}`, { views: [], permissions: [] }],
  ] as const)
    assert.equal((await call(token, method, path, body)).status, 403, `${method} ${path}`);
  await limit({ Sees: 'Some', Customers: ['10002', '10003'] });
  assert.equal((await limit({ Sees: 'None' }, engineer, token))[0], 403);
  await limit({ Sees: 'Some', Customers: ['10002'] });
  assert.deepEqual(await limit({ Sees: 'All' }, engineer, token), wider('Sees'));
  assert.deepEqual(await limit({ Sees: 'Some', Word: 'o' }, engineer, token), wider('Word'));
  assert.equal((await limit({ Sees: 'Some', Customers: ['10003'] }, engineer, token))[0], 404);
  assert.equal((await limit({ Sees: 'Some', Customers: ['10001', '10002'] }, engineer, token))[0], 200);
  assert.equal((await limit({ Sees: 'All' }, manager, token))[0], 409);
  const invite = (body: Row) => call(token, 'POST', '/api/staff-invitations/engineer', { Name: 'N', ...body });
  assert.equal((await invite({ Email: 'n1@northwind.test' })).status, 400);
  assert.equal((await invite({ Email: 'n2@northwind.test', Sees: 'Some', Customers: ['10003'] })).status, 404);
  assert.equal((await invite({ Email: 'n3@northwind.test', Sees: 'Some', Customers: ['10001'] })).status, 201);
  const role = { Name: 'R', Description: '', UserType: 'admin', Views: [], Permissions: [], Prices: false };
  assert.equal((await call(token, 'POST', '/api/roles', { ...role, May: [], MayNot: [] })).status, 409);
});

test('an engineer is invited to two customers, and what they add themselves is theirs', async () => {
  const body = { Name: 'Two', Email: 'two@northwind.test', Sees: 'Some', Customers: ['10001', '10002'] };
  assert.equal((await call('reseller', 'POST', '/api/staff-invitations/engineer', body)).status, 201);
  const { Sees, Seen } = await get('reseller', limitOf('two@northwind.test'));
  assert.deepEqual([Sees, Seen], ['Some', 2]);
  const ids = await get('reseller', '/api/customer-limits/ids?search=contoso');
  assert.deepEqual(ids, ['10001']);
  const { db } = sandbox;
  await limitAccount(db, 'reseller@northwind.test', [10001]);
  const added = await add('Added by somebody limited');
  assert.deepEqual(await namesSeen('reseller'), ['Added by somebody limited', 'Contoso']);
  assert.equal((await call('reseller', 'GET', `/api/customers/${added}`)).status, 200);
  // The name of a customer that they do not see is taken all the same.
  const again = await call('reseller', 'POST', '/api/customers', {
    ...{ Name: 'Canteen North', Domain: 'limit.test', ContactName: 'L', ContactEmail: 'l@limit.test' },
  });
  assert.equal(again.status, 409);
  await db.updateTable('accounts').set({ limited: false }).where('username', '=', 'reseller@northwind.test').execute();
});

test('a bulk order goes on without the customers that whoever ordered it does not see any more', async () => {
  const [kept, lost] = [await add('Bulk kept'), await add('Bulk lost')];
  const order = {
    ...{ ServiceId: 17, SubId: 1, Quantity: 4, TermId: 'monthly', BillingId: 'monthly', Fields: {}, OnlyIfAll: false },
    ...{ LeftOut: [], Customers: [kept, lost].map(CustomerId => ({ CustomerId, Fields: { Domain: 'bulk.test' } })) },
  };
  const started = await call('reseller', 'POST', '/api/orders/bulk', order);
  assert.equal(started.status, 201, JSON.stringify(started.body));
  await limitAccount(sandbox.db, 'reseller@northwind.test', [Number(kept)]);
  await sandbox.tickOnce();
  const path = `/api/orders/bulk/${started.body.Result.BulkId}`;
  const part = await get('reseller', path);
  assert.deepEqual([part.Total, part.Items[0].Name], [1, 'Bulk kept']);
  await sandbox.db.updateTable('accounts').set({ limited: false }).execute();
  const { Items } = await get('reseller', path);
  const outcomes = Items.map((row: Row) => [row.Name, row.Outcome, row.Reason]);
  assert.deepEqual(outcomes, [
    ['Bulk kept', 'done', null],
    ['Bulk lost', 'notEligible', 'Who ordered this does not see this customer any more.'],
  ]);
});

test('who acts for somebody of a customer is out once they do not see the customer', async () => {
  const jump = await call('reseller', 'POST', '/api/jumps', { UserName: 'admin@contoso.test' });
  const { CmToken, AdminId } = jump.body.Result;
  const signIn = await fetch(`${sandbox.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      cmtoken: CmToken,
      adminid: AdminId,
      username: 'admin@contoso.test',
    }),
  });
  const { access_token: token } = (await signIn.json()) as { access_token: string };
  const read = () =>
    sandbox.call(token, 'GET', '/api/customers/10001', undefined, { 'actor-id': 'admin@contoso.test' });
  assert.equal((await read()).status, 200);
  await limitAccount(sandbox.db, 'reseller@northwind.test', [10002]);
  assert.equal((await read()).status, 401);
  const again = await call('reseller', 'POST', '/api/jumps', { UserName: 'admin@contoso.test' });
  assert.equal(again.status, 404);
  await sandbox.db.updateTable('accounts').set({ limited: false }).execute();
});
