import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

// Without a pause a tick does all the phases of a job.
const sandbox = withSandbox({ phaseMilliseconds: 0 });
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'rival@southridge.test',
  'unsigned@millbrook.test',
  'buyer@zephyrcycles.test',
  'engineer@northwind.test',
]);

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const call = (who: string, method: string, path: string, body?: unknown, key?: string) =>
  sandbox.call(tokens[who]!, method, path, body, key ? { 'idempotency-key': key } : {});
const get = async (path: string, who = 'reseller') => (await call(who, 'GET', path)).body.Result;
const order = (body: Row, who = 'reseller', key?: string) => call(who, 'POST', '/api/orders', body, key);

async function newCustomer(who = 'reseller'): Promise<string> {
  const name = `Order ${randomUUID().slice(0, 8)}`;
  const body = { Name: name, Domain: 'order.test', ContactName: 'O', ContactEmail: 'o@order.test' };
  return (await call(who, 'POST', '/api/customers', body)).body.Result.organisationId;
}

/** An order of mail signatures, which has a domain and nothing else to ask for. */
const signatures = (CustomerId: string, more: Row = {}): Row => ({
  CustomerId,
  ServiceId: 17,
  SubId: 1,
  Action: 'Add',
  Quantity: 5,
  TermId: 'monthly',
  BillingId: 'monthly',
  Fields: { Domain: 'order.test' },
  ...more,
});
const suite = (CustomerId: string, more: Row = {}): Row =>
  signatures(CustomerId, { ServiceId: 8, Fields: { Domain: 'order.test', AdminEmail: 'o@order.test' }, ...more });

/** Orders, and lets the cloud do all of it. */
async function fulfil(body: Row): Promise<string> {
  const reply = await order(body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  await sandbox.tickOnce();
  return reply.body.Result.InstanceId;
}
/** The address of a service, at its customer. */
async function at(id: string | number): Promise<string> {
  const { organisation_id } = await sandbox.db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .where('i.id', '=', Number(id))
    .select('c.organisation_id')
    .executeTakeFirstOrThrow();
  return `/api/customers/${organisation_id}/services/${id}`;
}
const instance = async (id: string, who = 'reseller') => get(await at(id), who);
const refused = async (body: Row, status: number, message: string | RegExp, who = 'reseller') => {
  const reply = await order(body, who);
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  const said = reply.body.Messages.join(' ');
  assert.ok(typeof message === 'string' ? said === message : message.test(said), said);
};

test('a quote is what the order then costs, with the last day to cancel free', async () => {
  const body = suite(await newCustomer(), { Quantity: 10, TermId: 'annual', BillingId: 'upfront' });
  const quote = (await call('reseller', 'POST', '/api/orders/quote', body)).body.Result;
  assert.deepEqual(
    [quote.UnitPrice, quote.MonthlyPrice, quote.FirstCharge, quote.Currency],
    ['8.46', '84.6', '1015.2', 'GBP'],
  );
  assert.deepEqual(quote.Lines[0], { Text: '10 × Office Suite Business', Amount: '84.6' });
  const days = (Date.parse(quote.CancelFreeUntil) - Date.now()) / 86_400_000;
  assert.ok(days > 6.9 && days <= 7 && quote.FirstChargeDate > quote.CancelFreeUntil);
  const placed = (await order(body)).body.Result;
  assert.match(placed.OrderNumber, /^ORD-\d{7}$/);
  const saved = await get(`/api/orders/${placed.OrderNumber}`);
  assert.deepEqual([saved.FirstCharge, saved.Status, saved.OrderedBy], ['1015.2', 'Placed', 'Priya Raman']);
  assert.equal((await get(`/api/orders?customerId=${body.CustomerId}`)).Items[0].OrderNumber, placed.OrderNumber);
});

test('an order becomes an active service phase by phase, and everybody hears of it', async () => {
  const CustomerId = await newCustomer();
  const { InstanceId, OrderNumber } = (await order(signatures(CustomerId))).body.Result;
  const before = await instance(InstanceId);
  assert.deepEqual(
    [before.Status, before.Percent, before.CanModify, before.CanDelete],
    ['Activating', 0, false, false],
  );
  assert.deepEqual(
    before.Steps.map(({ State }: Row) => State),
    ['running', 'waiting', 'waiting', 'waiting'],
  );
  assert.equal((await get(`/api/customers/${CustomerId}`)).Status, 'Activating');
  await sandbox.tickOnce();
  const done = await instance(InstanceId);
  assert.deepEqual(
    [done.Status, done.Percent, done.OrderNumber, done.MonthlyPrice],
    ['Active', 100, OrderNumber, '4.25'],
  );
  assertEvery(done.Steps, ({ State, At }: Row) => State === 'done' && At !== null);
  assert.ok(done.CanModify && done.CanDelete && !done.CanUpgrade && !done.CanRetry);
  assert.equal((await get(`/api/orders/${OrderNumber}`)).Status, 'Done');
  const customer = await get(`/api/customers/${CustomerId}`);
  assert.deepEqual([customer.Status, customer.Services, customer.MonthlySpend], ['Active', 1, '4.25']);
  const [told] = await get('/api/notifications');
  assert.match(told.Message, /^Mail Signatures is active for Order /);
  const { Items } = await get(`/api/customers/${CustomerId}/activity`);
  assert.deepEqual(
    Items.slice(0, 2).map(({ Action }: Row) => Action),
    ['Service activated', 'Service ordered'],
  );
});

test('each fault of an order is told by field, and nothing is ordered', async () => {
  const CustomerId = await newCustomer();
  const wrong = suite(CustomerId, {
    Quantity: 1001,
    TermId: 'forever',
    BillingId: 'never',
    Fields: { Domain: 'no domain', AdminEmail: ' ', Extra: '1' },
  });
  const { status, body } = await order(wrong);
  assert.equal(status, 400);
  assert.deepEqual(body.Errors, {
    Domain: ['Must be a domain, for example contoso.com'],
    AdminEmail: ['This is a mandatory field'],
    Fields: ['Extra is not a known field'],
    Quantity: ['Must be at most 1000'],
    TermId: ['Must be one of monthly, annual, triennial'],
    BillingId: ['Must be one of monthly, upfront'],
  });
  const upfront = await order(suite(CustomerId, { BillingId: 'upfront' }));
  assert.deepEqual(Object.keys(upfront.body.Errors), ['BillingId']);
  for (const Quantity of [0, -1, 1.5, 1e9, '5'])
    assert.equal((await order(signatures(CustomerId, { Quantity }))).status, 400);
  for (const Domain of ['a'.repeat(250), 'order.test\n', '\u202Eorder.test', '😀.test', true, {}])
    assert.equal((await order(signatures(CustomerId, { Fields: { Domain } }))).status, 400);
  assert.equal((await get(`/api/customers/${CustomerId}/services`)).Total, 0);
});

test('an address, a colour and a customer id are what they are called, or there is no order', async () => {
  const CustomerId = await newCustomer();
  const product = (ServiceId: number, Fields: Row, more: Row = {}) =>
    signatures(CustomerId, { ServiceId, Fields, ...more });
  const server = { HostName: 'web-1', Region: 'UK South' };
  const right = { AdminAddress: '192.0.2.17', ChatColour: '#1a2B3c', SourceCustomer: 'mex00010001-00000007' };
  for (const [name, wrong] of [
    ['AdminAddress', ['192.0.2.256', '192.0.2', '192.0.2.017', 'web-1']],
    ['ChatColour', ['red', '#1a2b3', '1a2b3c', '#1a2b3g']],
    ['SourceCustomer', ['10001', 'mex10001-7', 'mex00010001-000000078', 'MEX00010001-00000007']],
  ] as const) {
    const orderWith = (value: string) => {
      if (name === 'AdminAddress') return order(product(30, { ...server, [name]: value }));
      if (name === 'ChatColour') return order(product(19, { AreaCode: '0113', [name]: value }));
      return order(product(21, { Domain: 'order.test', [name]: value }, { TermId: 'once', BillingId: 'once' }));
    };
    for (const value of wrong) {
      const { status, body } = await orderWith(value);
      assert.deepEqual([status, body.Errors], [400, { [name]: ['Must be the correct format'] }], value);
    }
    assert.equal((await orderWith(right[name])).status, 201, name);
  }
});

test('a double submit makes one order, whatever the timing', async () => {
  const CustomerId = await newCustomer();
  const key = randomUUID();
  const replies = await Promise.all([1, 2, 3].map(() => order(suite(CustomerId), 'reseller', key)));
  const numbers = new Set(replies.map(({ body }) => body.Result.OrderNumber));
  assert.deepEqual([numbers.size, (await get(`/api/orders?customerId=${CustomerId}`)).Total], [1, 1]);
  assert.equal((await order(suite(CustomerId, { Quantity: 6 }), 'reseller', key)).status, 409);
});

test('of two orders at the same time of what a customer may have once, one is refused', async () => {
  const CustomerId = await newCustomer();
  const replies = await Promise.all([order(signatures(CustomerId)), order(signatures(CustomerId))]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
});

test('what is held decides whether a product can be added: changing, failed, once, or again', async () => {
  const CustomerId = await newCustomer();
  await order(signatures(CustomerId));
  await refused(signatures(CustomerId), 409, 'Mail Signatures is changing here.');
  await sandbox.tickOnce();
  await refused(signatures(CustomerId), 409, 'Mail Signatures has already been added.');
  await fulfil(suite(CustomerId));
  await fulfil(suite(CustomerId));
  await fulfil(suite(CustomerId, { Fields: { Domain: 'fail.test', AdminEmail: 'o@order.test' } }));
  await refused(suite(CustomerId), 409, 'Office Suite Business has failed here and must be settled first.');
});

test('what a reseller may have once goes to one customer', async () => {
  const protection = async () =>
    signatures(await newCustomer(), { ServiceId: 31, Fields: { AdminEmail: 'o@order.test' } });
  const replies = await Promise.all([order(await protection()), order(await protection())]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
  await refused(await protection(), 409, 'Device Protection has already been added.');
});

test('a suspended customer gets nothing, an unknown or foreign one is not there, a hidden product neither', async () => {
  const CustomerId = await newCustomer();
  await call('reseller', 'POST', `/api/customers/${CustomerId}/suspend`);
  await refused(signatures(CustomerId), 409, 'This customer is suspended.');
  await refused(signatures('99999'), 404, /not found/);
  await refused(signatures('10001'), 404, /not found/, 'rival');
  await refused(signatures(CustomerId, { ServiceId: 11 }), 404, /not found/);
  await refused(signatures(CustomerId, { UserId: '20002' }), 404, /not found/);
  assert.equal((await order(signatures(CustomerId), 'engineer')).status, 403);
});

test('nothing is sold before its agreement and the linked ones are signed', async () => {
  const CustomerId = await newCustomer('unsigned');
  const sell = () => order(suite(CustomerId), 'unsigned');
  const first = await sell();
  assert.deepEqual([first.status, first.body.Error], [409, 'AgreementUnsigned']);
  assert.deepEqual(first.body.Messages, ['The Office suite agreement must be signed first.']);
  const sign = (id: number) =>
    call('unsigned', 'POST', `/api/agreements/${id}/sign`, { Signatory: 'Mara', Agreed: true });
  await sign(2);
  assert.deepEqual((await sell()).body.Messages, ['The Customer terms of the office suite must be signed first.']);
  await sign(3);
  assert.equal((await sell()).status, 201);
});

test('an activation that fails says why, is mended, tried again and succeeds', async () => {
  const CustomerId = await newCustomer();
  const id = await fulfil(signatures(CustomerId, { Fields: { Domain: 'mail.fail.test' } }));
  const failed = await instance(id);
  assert.deepEqual(
    [failed.Status, failed.Reason, failed.CanRetry, failed.CanDelete],
    ['ActivationFailed', 'The connector could not be made.', true, true],
  );
  assert.deepEqual(
    failed.Steps.map(({ State }: Row) => State),
    ['done', 'done', 'failed', 'waiting'],
  );
  const retry = async (body?: Row) => call('reseller', 'POST', `${await at(id)}/retry`, body);
  assert.equal((await retry()).status, 200);
  assert.equal((await retry()).status, 409);
  await sandbox.tickOnce();
  assert.equal((await instance(id)).Status, 'ActivationFailed');
  assert.deepEqual(Object.keys((await retry({ Fields: { Domain: '' } })).body.Errors), ['Domain']);
  assert.equal((await retry({ Fields: { Domain: 'order.test' } })).status, 200);
  await sandbox.tickOnce();
  const mended = await instance(id);
  assert.deepEqual([mended.Status, mended.Reason, mended.Fields[0].Value], ['Active', null, 'order.test']);
  const { Items } = await get(`/api/customers/${CustomerId}/activity?pageSize=20`);
  const actions = Items.map(({ Action }: Row) => Action);
  assert.equal(actions.filter((action: string) => action === 'Service activation failed').length, 2);
  assert.equal(actions.filter((action: string) => action === 'Service activated').length, 1);
});

test('a quantity of 13 fails once, and what failed before there were orders can be tried again too', async () => {
  const id = await fulfil(signatures(await newCustomer(), { Quantity: 13 }));
  assert.equal((await instance(id)).Status, 'ActivationFailed');
  const seeded = await sandbox.db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .where('c.name', '=', 'Thistledown Nurseries')
    .where('i.status', '=', 'DeletionFailed')
    .select('i.id')
    .executeTakeFirstOrThrow();
  for (const one of [id, String(seeded.id)])
    assert.equal((await call('reseller', 'POST', `${await at(one)}/retry`)).status, 200);
  await sandbox.tickOnce();
  assert.deepEqual([(await instance(id)).Status, (await instance(String(seeded.id))).Status], ['Active', 'Deleted']);
});

test('what failed before it was ever active is tried again with another quantity, which its order has and is billed', async () => {
  const CustomerId = await newCustomer();
  const id = await fulfil(signatures(CustomerId, { Quantity: 13 }));
  const retry = async (Quantity: number) => call('reseller', 'POST', `${await at(id)}/retry`, { Quantity });
  assert.equal((await instance(id)).CanResize, true);
  assert.deepEqual(Object.keys((await retry(1_000_000)).body.Errors), ['Quantity']);
  assert.equal((await retry(8)).status, 200);
  await sandbox.tickOnce();
  const resized = await instance(id);
  const { Status, Quantity, MonthlyPrice, CanResize } = resized;
  assert.deepEqual([Status, Quantity, MonthlyPrice, CanResize], ['Active', 8, '6.8', false]);
  const placed = await get(`/api/orders/${resized.OrderNumber}`);
  assert.deepEqual([placed.Quantity, placed.MonthlyPrice, placed.Status], [8, '6.8', 'Done']);
  const change = { Action: 'Modify', InstanceId: id, Quantity: 9, Fields: { Domain: 'x.fail.test' } };
  assert.equal((await instance(await fulfil(signatures(CustomerId, change)))).Status, 'ActivationFailed');
  assert.equal((await retry(10)).status, 409);
});

test('a modification is billed only once it is done', async () => {
  const CustomerId = await newCustomer();
  const InstanceId = await fulfil(signatures(CustomerId));
  const more = signatures(CustomerId, { Action: 'Modify', InstanceId, Quantity: 8 });
  const quote = (await call('reseller', 'POST', '/api/orders/quote', more)).body.Result;
  assert.deepEqual([quote.MonthlyPrice, quote.FirstCharge], ['6.8', '2.55']);
  assert.equal((await order(more)).status, 201);
  assert.deepEqual([(await instance(InstanceId)).Status, (await instance(InstanceId)).Quantity], ['Activating', 5]);
  await refused(more, 409, 'Only an active service can be modified.');
  await sandbox.tickOnce();
  const changed = await instance(InstanceId);
  assert.deepEqual([changed.Status, changed.Quantity, changed.MonthlyPrice], ['Active', 8, '6.8']);
  assert.equal((await get(`/api/customers/${CustomerId}`)).MonthlySpend, '6.8');
  const [event] = (await get(`/api/customers/${CustomerId}/activity`)).Items;
  assert.equal(event.Action, 'Service changed');
  await refused({ ...more, ServiceId: 8, Fields: suite('').Fields }, 404, /not found/);
});

test('an upgrade takes the place of what it upgrades once it is active, and only along the catalogue', async () => {
  const CustomerId = await newCustomer();
  const InstanceId = await fulfil(suite(CustomerId));
  const before = await instance(InstanceId);
  assert.deepEqual(
    before.Upgrades.map(({ Name }: Row) => Name),
    ['Office Suite Secure'],
  );
  const up = suite(CustomerId, { Action: 'Upgrade', InstanceId, SubId: 9 });
  await refused({ ...up, ServiceId: 17, SubId: 1, Fields: { Domain: 'order.test' } }, 409, /cannot be upgraded to/);
  const next = (await order(up)).body.Result.InstanceId;
  assert.equal((await instance(InstanceId)).CanDelete, false);
  await refused(up, 409, 'Office Suite Business is being upgraded here.');
  await sandbox.tickOnce();
  assert.deepEqual([(await instance(InstanceId)).Status, (await instance(next)).Status], ['Upgraded', 'Active']);
  assert.equal((await get(`/api/customers/${CustomerId}`)).Services, 1);
});

test('a deletion is confirmed by the name, and one that fails is tried again', async () => {
  const CustomerId = await newCustomer();
  const id = await fulfil(signatures(CustomerId, { Quantity: 17 }));
  const remove = async (Confirmation: string) => call('reseller', 'POST', `${await at(id)}/delete`, { Confirmation });
  for (const wrong of ['', 'mail signatures', 'Mail Signatures 2'])
    assert.deepEqual((await remove(wrong)).body.Errors, { Confirmation: ['Must be "Mail Signatures"'] });
  const replies = await Promise.all([remove('Mail Signatures'), remove('Mail Signatures')]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
  await sandbox.tickOnce();
  const failed = await instance(id);
  assert.deepEqual([failed.Status, failed.Reason], ['DeletionFailed', 'The service is still in use.']);
  await call('reseller', 'POST', `${await at(id)}/retry`);
  await sandbox.tickOnce();
  assert.equal((await instance(id)).Status, 'Deleted');
  assert.deepEqual((await get(`/api/customers/${CustomerId}`)).Services, 0);
  await fulfil(signatures(CustomerId));
});

test('a customer administrator buys a mailbox for a user, who then has it', async () => {
  const { Items } = (await get('/api/customers?search=zephyr', 'buyer')) as Row;
  const CustomerId = Items[0].OrganisationId;
  const users = (await get(`/api/customers/${CustomerId}/users?pageSize=100`, 'buyer')).Items;
  const made = await call('buyer', 'GET', `/api/customers/${CustomerId}/users/${users[0].Id ?? users[0].UserId}`);
  assert.equal(made.status, 200);
  const { id: userId } = await sandbox.db
    .insertInto('users')
    .values({
      customer_id: sandbox.db.selectFrom('customers').select('id').where('name', '=', 'Zephyr Cycles'),
      first_name: 'New',
      last_name: 'Rider',
      display_name: 'New Rider',
      email: 'new.rider@zephyrcycles.test',
      type: 'endUser',
      created: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const Fields = { Domain: 'zephyrcycles.test' };
  const mailbox = signatures(CustomerId, { UserId: String(userId), ServiceId: 1, Quantity: 1, Fields });
  await refused({ ...mailbox, Quantity: 2 }, 400, 'Must be at most 1', 'buyer');
  await refused({ ...mailbox, ServiceId: 17 }, 409, 'Mail Signatures cannot be added for a single user.', 'buyer');
  assert.equal((await order(mailbox, 'buyer')).status, 201);
  await sandbox.tickOnce();
  const user = (await get(`/api/customers/${CustomerId}/users/${userId}`, 'buyer')) as Row;
  assert.deepEqual(user.Mailbox, { Address: 'new.rider@zephyrcycles.test', QuotaMb: 51_200, UsedMb: 0 });
  await refused(mailbox, 409, 'Hosted Exchange has already been added.', 'buyer');
  const [told] = await get('/api/notifications', 'buyer');
  assert.equal(told.Message, 'Hosted Exchange is active for Zephyr Cycles');
  const foreign = signatures('10001', { ServiceId: 1 });
  await refused(foreign, 404, /not found/, 'buyer');
});

test('services and orders of another reseller are not there', async () => {
  const reply = (await order(signatures(await newCustomer()))).body.Result;
  await sandbox.tickOnce();
  const paths: [string, string, Row?][] = [
    ['GET', await at(reply.InstanceId)],
    ['POST', `${await at(reply.InstanceId)}/retry`],
    ['POST', `${await at(reply.InstanceId)}/delete`, { Confirmation: 'Mail Signatures' }],
    ['GET', `/api/orders/${reply.OrderNumber}`],
    ['GET', '/api/orders/ORD-1'],
    ['GET', '/api/customers/10001/services/x'],
  ];
  for (const [method, path, body] of paths) assert.equal((await call('rival', method, path, body)).status, 404, path);
  const theirs = (await get('/api/orders', 'rival')).Items.map(({ OrderNumber }: Row) => OrderNumber);
  assert.ok(!theirs.includes(reply.OrderNumber));
  assert.equal((await instance(reply.InstanceId)).Status, 'Active');
});
