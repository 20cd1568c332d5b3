import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Reply, withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test']);

const contoso = '/api/customers/10001';
const call = (method: string, path: string, body?: object) =>
  sandbox.call(tokens.reseller!, method, `${contoso}${path}`, body);
const get = async (path: string) => (await call('GET', path)).body.Result;
const refusal = ({ status, body }: Reply) => [status, ...(body.Refusals ?? [])];
const add = (kind: string, Name: string, Address: string, more: object = {}) =>
  call('POST', `/${kind}-mailboxes`, { Name, Address, ...more });

test('there are as many shared mailboxes as the settings allow', async () => {
  assert.deepEqual(refusal(await add('shared', 'Sales', 'sales.box@contoso.test')), [
    409,
    { Code: 'SharedMailboxesOff' },
  ]);
  await call('PUT', '/exchange/shared-mailboxes', { Most: 1 });
  const taken = { Field: 'Address', Code: 'AliasTaken', Data: { By: 'Una Marsh' } };
  assert.deepEqual(refusal(await add('shared', 'Sales', 'user@contoso.test')), [400, taken]);
  assert.equal((await add('shared', 'Sales box', 'sales.box@contoso.test')).status, 201);
  const full = { Code: 'SharedMailboxesFull', Data: { Most: '1' } };
  assert.deepEqual(refusal(await add('shared', 'More', 'more.box@contoso.test')), [409, full]);
});

test('a shared mailbox is found by its address, goes by its name, is opened by whom it lets in, and is a member', async () => {
  const at = '/mailboxes/sales.box@contoso.test';
  assert.equal((await get(at)).Name, 'Sales box');
  const Users = [{ EmailAddress: 'user@contoso.test', IsSelected: false }];
  const given = await call('PUT', `${at}/permissions`, { UsersWithFullAccess: Users, UsersWithSendAs: [] });
  assert.equal(given.status, 200, JSON.stringify(given.body));
  const [box] = (await get('/shared-mailboxes?search=SALES.BOX')).Items;
  assert.deepEqual([box.Name, box.Users, box.QuotaMb], ['Sales box', 1, 51_200]);
  assert.equal(refusal(await call('POST', `${at}/aliases`, { Alias: 'sales.two@contoso.test' }))[0], 200);
  const [staff] = (await get('/distribution-groups?search=all staff')).Items;
  const joined = await call('POST', `/distribution-groups/${staff.GroupId}/members`, {
    Addresses: 'sales.two@contoso.test',
  });
  assert.deepEqual(joined.body.Result, { Added: 1, Already: 0 });
  assert.equal((await call('DELETE', `/shared-mailboxes/${box.MailboxId}`)).status, 200);
  assert.equal((await get(`/distribution-groups/${staff.GroupId}`)).Members, staff.Members);
  assert.equal((await call('GET', at)).status, 404);
});

test('a room has seats and a booking policy, whose change stands in the activity; it is no shared mailbox', async () => {
  const made = await add('room', 'Blue room', 'blue@contoso.test', { Capacity: 8, AllowsConflicts: false });
  const at = `/room-mailboxes/${made.body.Result.mailboxId}`;
  await call('PUT', at, { Name: 'Blue room', Capacity: 12, AllowsConflicts: true, LongestHours: 4 });
  const { Capacity, Accepts, AllowsConflicts, LongestHours, DaysAhead } = await get(at);
  assert.deepEqual([Capacity, Accepts, AllowsConflicts, LongestHours, DaysAhead], [12, true, true, 4, 180]);
  const { Before, After } = (await get('/activity')).Items[0];
  assert.deepEqual(
    [Before, After],
    [
      'Capacity: 8; Allows conflicts: false; Longest hours: 24',
      'Capacity: 12; Allows conflicts: true; Longest hours: 4',
    ],
  );
  assert.equal((await call('PUT', at, { Name: 'Blue room', Capacity: -1 })).status, 400);
  assert.equal((await call('GET', at.replace('room', 'shared'))).status, 404);
  assert.deepEqual((await get('/shared-mailboxes')).Items, []);
});
