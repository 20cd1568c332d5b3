import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const tokens: Record<string, string> = {};
const people = {
  reseller: 'reseller@northwind.test',
  admin: 'admin@contoso.test',
  user: 'user@contoso.test',
  switcher: 'switcher@contoso.test',
  rival: 'rival@southridge.test',
};
type Person = keyof typeof people;
const sandbox = withSandbox({ phaseMilliseconds: 0 });
setUp(async () => {
  for (const [person, username] of Object.entries(people)) tokens[person] = await sandbox.signIn(username);
});

const as = (person: Person, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[person] ?? '', method, path, body, { 'idempotency-key': randomUUID() });
type Row = Readonly<Record<'Id' | 'At' | 'Action' | 'Target' | 'Actor' | 'Before' | 'After', string>>;
const ownOf = async (person: Person, query = ''): Promise<{ Items: Row[]; Total: number }> =>
  (await as(person, 'GET', `/api/end-user/activity${query}`)).body.Result;
const una = '/api/customers/10001/users/20002';
const ada = '/api/customers/10001/users/20001';

test('what was before is a user’s own as well: the account that was made, and the services held', async () => {
  const { Items, Total } = await ownOf('user', '?pageSize=100');
  assert.equal(Items.length, Total);
  assert.deepEqual(
    Items.filter(({ Action }) => Action === 'User created').map(({ Target }) => Target),
    ['Una Marsh'],
  );
  const held = (await as('user', 'GET', '/api/end-user/services')).body.Result.Items;
  const names = new Set(held.map(({ Name }: { Name: string }) => Name));
  const services = Items.filter(({ Action }) => Action.startsWith('Service'));
  assertEvery(services, ({ Target }) => names.has(Target));
  assert.deepEqual(
    Items.map(({ At }) => At),
    Items.map(({ At }) => At)
      .toSorted()
      .toReversed(),
  );
});

test('a change is in the activity of whom it concerns, and of nobody else', async () => {
  const profile = { FirstName: 'Una', LastName: 'Marsh', Phone: '', JobTitle: 'Buyer' };
  const other = { FirstName: 'Ada', LastName: 'Whitfield', Phone: '', JobTitle: 'Owner' };
  const before = await ownOf('user');
  assert.equal((await as('admin', 'PUT', una, profile)).status, 200);
  assert.equal((await as('reseller', 'PUT', ada, other)).status, 200);
  const { Items, Total } = await ownOf('user');
  assert.equal(Total, before.Total + 1);
  const [{ Action, Actor, After }] = Items as [Row];
  assert.deepEqual([Action, Actor, /Job title: Buyer/.test(After)], ['User changed', 'Ada Whitfield', true]);
  const [{ Target, Actor: by }] = (await ownOf('admin')).Items as [Row];
  assert.deepEqual([Target, by], ['Ada Whitfield', 'Priya Raman']);
});

test('suspending, permissions and the permissions of the mailbox are told to their user', async () => {
  const before = await ownOf('user');
  const rights = { views: [], permissions: ['hostedExchange', 'advancedSecurity', 'liveChat'] };
  for (const [method, path, body] of [
    ['POST', `${una}/suspend`],
    ['POST', `${una}/reactivate`],
    ['PUT', '/api/permissions/user@contoso.test', rights],
    [
      'PUT',
      '/api/customers/10001/mailboxes/user@contoso.test/permissions',
      { UsersWithFullAccess: [{ EmailAddress: 'switcher@contoso.test', IsSelected: false }], UsersWithSendAs: [] },
    ],
  ] as const) {
    const reply = await as('reseller', method, path, body);
    assert.ok(reply.status < 300, `${path}: ${JSON.stringify(reply.body)}`);
  }
  tokens.user = await sandbox.signIn(people.user);
  const { Items, Total } = await ownOf('user');
  assert.equal(Total, before.Total + 4);
  assert.deepEqual(
    Items.slice(0, 4).map(({ Action }) => Action),
    ['Mailbox permissions changed', 'Permissions changed', 'User reactivated', 'User suspended'],
  );
});

test('what becomes of a service is told to who holds it, its end included', async () => {
  const held = (await as('user', 'GET', '/api/end-user/services')).body.Result.Items;
  const { Id, Name } = held.find(({ Status }: { Status: string }) => Status === 'Active');
  const reply = await as('reseller', 'POST', `/api/customers/10001/services/${Id}/delete`, { Confirmation: Name });
  assert.ok(reply.status < 300, JSON.stringify(reply.body));
  for (let tick = 0; tick < 8; tick++) await sandbox.tickOnce();
  const [deleted, requested] = (await ownOf('user')).Items as [Row, Row];
  assert.deepEqual(
    [deleted, requested].map(({ Action, Target, Actor }) => [Action, Target, Actor]),
    [
      ['Service deleted', Name, 'Cloud'],
      ['Service deletion requested', Name, 'Priya Raman'],
    ],
  );
});

test('it comes a page at a time', async () => {
  const { Items, Total } = await ownOf('user', '?pageSize=100');
  const second = await ownOf('user', '?page=2&pageSize=2');
  assert.deepEqual([second.Items, second.Total], [Items.slice(2, 4), Total]);
  assert.equal((await as('user', 'GET', '/api/end-user/activity?pageSize=101')).status, 400);
});

test('nobody can ask for that of another: there is none to name, and who is no user of a customer has none', async () => {
  for (const query of ['?userId=20001', '?customerId=10001', '?user=20001']) {
    const reply = await as('user', 'GET', `/api/end-user/activity${query}`);
    assert.equal(reply.status, 400, query);
  }
  for (const person of ['reseller', 'rival'] as const)
    assert.equal((await as(person, 'GET', '/api/end-user/activity')).status, 403, person);
});
