import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const call = (method: string, path: string, body?: unknown) => sandbox.call(token, method, path, body);
const get = async (path: string) => (await call('GET', path)).body.Result;

test('the reseller has 25 notifications, 7 of them new', async () => {
  assert.equal((await get('/api/notifications')).length, 25);
  assert.equal(await get('/api/notifications/new-count'), 7);
});

test('a notification is about something that the customer’s activity has too', async () => {
  const [first] = await get('/api/notifications');
  const name = first.Message.split(' for ')[1];
  const { Items } = await get(`/api/customers?search=${encodeURIComponent(name)}`);
  const { Items: activity } = await get(`/api/customers/${Items[0].OrganisationId}/activity`);
  assert.ok(activity.some((row: Row) => row.At === first.Created && row.Target === first.ServiceName));
});

test('a sentence ends in one full stop, also where the name of the customer has one', async () => {
  const all: Row[] = await get('/api/notifications');
  assert.ok(
    all.some(({ Message }) => Message.endsWith('Co.')),
    'such a name is there',
  );
  for (const { Content } of all) {
    assert.match(Content, /[^.]\.$/);
    assert.doesNotMatch(Content, /\.\./, 'nor where a reason follows');
  }
});

test('a notification is marked read and new again, one at a time', async () => {
  const [first] = await get('/api/notifications?status=new');
  assert.equal((await call('PATCH', '/api/notifications', { Id: first.Id, Status: 'read' })).status, 200);
  assert.equal(await get('/api/notifications/new-count'), 6);
  assert.equal((await call('PATCH', '/api/notifications', { Id: first.Id, Status: 'new' })).status, 200);
  assert.equal(await get('/api/notifications/new-count'), 7);
  for (const Id of ['999999', 'x', '']) {
    assert.equal((await call('PATCH', '/api/notifications', { Id, Status: 'read' })).status, 404);
  }
  assert.equal((await call('PATCH', '/api/notifications', { Id: first.Id, Status: 'gone' })).status, 400);
});

test('all can be marked read at once, and only the caller’s', async () => {
  assert.equal((await call('POST', '/api/notifications/read-all')).status, 200);
  assert.equal(await get('/api/notifications/new-count'), 0);
  const engineer = await sandbox.signIn('engineer@northwind.test');
  assert.equal((await sandbox.call(engineer, 'GET', '/api/notifications/new-count')).body.Result, 3);
});

test('the strip shows what is for the caller’s kind of user until the caller closes it', async () => {
  const strip = async (as = token) =>
    (await sandbox.call(as, 'GET', '/api/Notification/GetDropZoneNotifications')).body.Result;
  const una = await sandbox.signIn('user@contoso.test');
  assert.deepEqual([(await strip()).length, (await strip(una)).length], [2, 1]);
  const [first] = await strip();
  for (const _ of [1, 2]) assert.equal((await call('POST', '/api/Notification/CloseNotification', first)).status, 200);
  assert.equal((await strip()).length, 1);
  assert.equal((await strip(una)).length, 1);
  assert.equal((await call('POST', '/api/Notification/CloseNotification', { Id: '999' })).status, 404);
  assert.equal(await get('/api/Notification/ReloadInterval'), 60_000);
});
