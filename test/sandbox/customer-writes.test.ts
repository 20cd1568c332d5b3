import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  sandbox.call(token, method, path, body, headers);
const get = async (path: string) => (await call('GET', path)).body.Result;
const fields = (name: string, more: object = {}) => ({
  Name: name,
  Domain: 'new.test',
  ContactName: 'Nell Hobbs',
  ContactEmail: 'nell@new.test',
  Phone: '01632960123',
  ...more,
});
const create = (name: string, more?: object) => call('POST', '/api/customers', fields(name, more));
const latest = async (id: string) => (await get(`/api/customers/${id}/activity`)).Items[0];

test('a new customer is there, active and empty, counted, with its activity', async () => {
  const { Customers } = await get('/api/dashboard/summary');
  const { status, body } = await create('  Hobbs & Daughters  ', { Domain: 'HOBBS.test' });
  assert.equal(status, 201);
  const { customerId, organisationId } = body.Result;
  const customer = await get(`/api/customers/${organisationId}`);
  assert.deepEqual(
    [customer.CustomerId, customer.Name, customer.Domain, customer.Status, customer.Services, customer.AccountManager],
    [customerId, 'Hobbs & Daughters', 'hobbs.test', 'Active', 0, 'Priya Raman'],
  );
  assert.equal((await get('/api/dashboard/summary')).Customers, Customers + 1);
  const { Action, Actor, ActorType, Target } = await latest(customerId);
  assert.deepEqual(
    [Action, Actor, ActorType, Target],
    ['Customer created', 'Priya Raman', 'reseller', 'Hobbs & Daughters'],
  );
});

test('a name may have letters, digits and marks of any alphabet and a few signs', async () => {
  for (const name of [
    "O'Neill, Son (Bath) + Co. A/B - 24",
    'شركة الأمل للتجارة',
    'חברת הדוגמה',
    'हिन्दी सेवा',
    'Ünïcödé Straße',
    '株式会社例',
    'x'.repeat(100),
    '𠮷'.repeat(100),
  ]) {
    assert.equal((await create(name)).status, 201, name);
  }
});

test('a name that is empty, too long or has other signs is refused in the product’s words', async () => {
  for (const [name, fault] of [
    ['', 'cannot be empty'],
    [' \t ', 'cannot be empty'],
    ['x'.repeat(101), 'Must be a maximum of 100 character(s)'],
    ['Party 🎉 Ltd', 'invalid characters'],
    ['<b>Bold</b>', 'invalid characters'],
    ['Right\u202eLeft', 'invalid characters'],
    ['Null\0Byte', 'invalid characters'],
    ['Half\ud800', 'invalid characters'],
    ['Two\nLines', 'invalid characters'],
  ]) {
    for (const [field, reply] of [
      ['Name', await create(name!)],
      ['NewName', await call('POST', '/api/customers/10001/name', { NewName: name })],
    ] as const) {
      assert.equal(reply.status, 400);
      assert.deepEqual(reply.body, {
        Succeed: false,
        Error: 'Invalid',
        Errors: { [field]: [fault] },
        Messages: [fault],
      });
    }
  }
});

test('a name is taken in any case and composition, but only within the reseller', async () => {
  assert.equal((await create('Café Zoë')).status, 409);
  const { status, body } = await create('CAFE\u0301 ZOE\u0308');
  assert.deepEqual([status, body.Messages], [409, ['A customer with this name already exists.']]);
  assert.equal((await create('Mossbank Nursery')).status, 201);
  assert.equal((await call('POST', '/api/customers/10001/name', { NewName: 'café zoë' })).status, 409);
});

test('of two that take one name at the same time one is refused', async () => {
  const replies = await Promise.all([create('Twice Ltd'), create('twice ltd')]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409]);
});

test('a repeated request with the same key acts once and gets the same reply', async () => {
  const headers = { 'idempotency-key': 'press-1' };
  const post = (name: string) => call('POST', '/api/customers', fields(name), headers);
  const [first, second] = await Promise.all([post('Once Ltd'), post('Once Ltd')]);
  assert.equal(first.status, 201);
  assert.deepEqual([second.status, second.body], [201, first.body]);
  assert.deepEqual((await post('Once Ltd')).body, first.body);
  assert.equal((await get('/api/customers?search=once%20ltd')).Total, 1);
  assert.equal((await post('Another Ltd')).status, 409);
});

test('a key belongs to its caller, is freed by a failure, and must be readable', async () => {
  const headers = { 'idempotency-key': 'press-2' };
  assert.equal((await call('POST', '/api/customers', fields('Contoso'), headers)).status, 409);
  assert.equal((await call('POST', '/api/customers', fields('Second Try Ltd'), headers)).status, 201);
  const rival = await sandbox.signIn('rival@southridge.test');
  const theirs = await sandbox.call(rival, 'POST', '/api/customers', fields('Second Try Ltd'), headers);
  assert.equal(theirs.status, 201);
  const long = { 'idempotency-key': 'x'.repeat(101) };
  assert.equal((await call('POST', '/api/customers', fields('Third Try Ltd'), long)).status, 400);
});

test('each field of a new customer is checked and every fault is told', async () => {
  const { status, body } = await call('POST', '/api/customers', {
    Name: 'Faulty Ltd',
    Domain: 'no domain',
    ContactName: ' ',
    ContactEmail: 'nell@new',
    Phone: '12345',
    Owner: 'me',
  });
  assert.equal(status, 400);
  assert.deepEqual(body.Errors, {
    Owner: ['Owner is not a known field'],
    Domain: ['Must be the correct format'],
    ContactName: ['Contact name is required'],
    ContactEmail: ['Must be a valid email address'],
    Phone: ['Must be the correct format'],
  });
  const missing = await call('POST', '/api/customers', { Name: 'Faulty Ltd' });
  assert.deepEqual(missing.body.Errors.ContactEmail, ['Contact email is required']);
});

test('renaming changes the name everywhere and remembers the old one', async () => {
  const { body } = await create('Before Ltd');
  const { customerId } = body.Result;
  const renamed = await call('POST', `/api/customers/${customerId}/name`, { NewName: ' After Ltd ' });
  assert.deepEqual(renamed.body, { Succeed: true, Messages: ['The customer was renamed.'] });
  assert.equal((await get('/api/customers?search=after%20ltd')).Items[0].CustomerId, customerId);
  assert.equal((await get('/api/customers?search=before%20ltd')).Total, 0);
  const { Action, Target, Detail } = await latest(customerId);
  assert.deepEqual([Action, Target, Detail], ['Customer renamed', 'After Ltd', 'Was Before Ltd']);
});

test('contact details are saved as a whole', async () => {
  const contact = {
    ContactName: 'Bea Lane',
    ContactEmail: 'bea@calderfinch.test',
    Phone: '+44 1134960123',
    Address1: '1 Mill Lane',
    Address2: 'Upper floor',
    TownCity: 'Leeds',
    County: 'West Yorkshire',
    PostCode: 'LS1 4AB',
  };
  assert.equal((await call('PUT', '/api/customers/10004', contact)).status, 200);
  const saved = await get('/api/customers/10004');
  assert.deepEqual({ ...saved, ...contact }, saved);
  assert.equal((await latest('10004')).Action, 'Contact details changed');
  const { County, ...rest } = contact;
  assert.deepEqual((await call('PUT', '/api/customers/10004', rest)).body.Errors, { County: ['County is required'] });
});

test('an active customer can be suspended and a suspended one reactivated, and the counts follow', async () => {
  const path = `/api/customers/${(await create('Pause Ltd')).body.Result.customerId}`;
  const counts = async () => (await get('/api/customers')).Counts;
  const before = await counts();
  assert.equal((await call('POST', `${path}/reactivate`)).status, 409);
  assert.equal((await call('POST', `${path}/suspend`)).status, 200);
  assert.equal((await get(path)).StatusGroup, 'Suspended');
  assert.deepEqual(await counts(), { ...before, Active: before.Active - 1, Suspended: before.Suspended + 1 });
  const again = await call('POST', `${path}/suspend`);
  assert.deepEqual([again.status, again.body.Messages], [409, ['This customer is suspended already.']]);
  assert.equal((await call('POST', `${path}/reactivate`)).status, 200);
  assert.deepEqual(await counts(), before);
  const { Items } = await get(`${path}/activity`);
  assert.deepEqual(
    Items.map(({ Action }: { Action: string }) => Action),
    ['Customer reactivated', 'Customer suspended', 'Customer created'],
  );
});

test('a customer whose service failed or is changing can be suspended, and is as before once reactivated', async () => {
  for (const group of ['Failed', 'Changing']) {
    const { Items } = await get(`/api/customers?status=${group}`);
    assert.ok(Items.length > 0, group);
    const path = `/api/customers/${Items[0].OrganisationId}`;
    const services = async () =>
      (await get(`${path}/services?pageSize=100`)).Items.map(({ Id, Status }: { Id: number; Status: string }) => [
        Id,
        Status,
      ]);
    const [before, held] = [(await get(path)).Status, await services()];
    assert.equal((await call('POST', `${path}/suspend`)).status, 200, group);
    assert.equal((await get(path)).Status, 'Suspended');
    assert.equal((await call('POST', `${path}/reactivate`)).status, 200);
    assert.deepEqual([(await get(path)).Status, await services()], [before, held]);
    const { Action, Before, After } = await latest(Items[0].CustomerId);
    assert.deepEqual([Action, Before], ['Customer reactivated', 'Suspended']);
    assert.equal(After, group === 'Failed' ? 'Activation failed' : 'Activating');
  }
});

test('customers that change their status both ways at the same time wait for each other, and are counted', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, (_, at) => create(`Turn ${at}`)));
  const ids = made.map(({ body }) => body.Result.customerId as string);
  for (let round = 0; round < 20; round++)
    await Promise.all(
      ids.map((id, at) =>
        sandbox.db
          .updateTable('customers')
          .set({ status: (at + round) % 2 === 0 ? 'Activating' : 'Active' })
          .where('id', '=', id)
          .execute(),
      ),
    );
  const { rows } = await sql`
    select reseller_id, status_group, customers, users, monthly_spend from customer_counts where customers > 0
    except
    select reseller_id, status_group, count(*), sum(users), sum(monthly_spend)
    from customers group by reseller_id, status_group`.execute(sandbox.db);
  assert.deepEqual(rows, []);
});

test('of two suspensions at the same time one is a conflict', async () => {
  const path = `/api/customers/${(await create('Race Ltd')).body.Result.customerId}/suspend`;
  const replies = await Promise.all([call('POST', path), call('POST', path)]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
});
