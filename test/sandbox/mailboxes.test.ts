import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);

const call = (who: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[who]!, method, path, body);
const at = (customer: string, mailbox: string) => `/api/customers/${customer}/mailboxes/${mailbox}/permissions`;
const una = at('10001', 'user@contoso.test');

type Entry = { readonly EmailAddress: string; readonly IsSelected: boolean; readonly IsGroup?: boolean };
type Info = Record<'UsersWithNoPermissions' | 'UsersWithFullAccess' | 'UsersWithSendAs', Entry[]>;
const lists = ['UsersWithNoPermissions', 'UsersWithFullAccess', 'UsersWithSendAs'] as const;
const read = async (who = 'reseller', path = una): Promise<Info & { NoDistributionGroupsExist: boolean }> =>
  (await call(who, 'GET', path)).body.Result;
/** How many mailboxes Contoso has. */
const count = async () =>
  (
    await sandbox.db
      .selectFrom('mail_addresses')
      .select('id')
      .where('mailbox_id', 'is not', null)
      .where('is_primary', '=', true)
      .where('address', 'like', '%@contoso.test')
      .execute()
  ).length;
const addresses = (entries: readonly Entry[]) => entries.map(entry => entry.EmailAddress);
const entries = (...named: string[]) => named.map(EmailAddress => ({ EmailAddress, IsSelected: false }));

test('every other mailbox of the customer is in one of the three lists, each sorted by address', async () => {
  const info = await read();
  const people = lists.flatMap(list => info[list]).filter(({ IsGroup }) => !IsGroup);
  const all = addresses(people);
  assert.equal(all.length, (await count()) - 1);
  assert.equal(new Set(all).size, all.length);
  assert.ok(!all.includes('user@contoso.test'));
  for (const list of lists) assert.deepEqual(addresses(info[list]), addresses(info[list]).sort());
  assert.deepEqual([info.UsersWithFullAccess.length, info.UsersWithSendAs.length], [1, 1]);
  assert.equal(info.NoDistributionGroupsExist, false);
});

test('an update gives exactly what it says, whatever the case of an address, and the activity tells what differs', async () => {
  const [first = '', second = '', third = ''] = addresses((await read()).UsersWithNoPermissions);
  const model = { UsersWithFullAccess: entries(first.toUpperCase(), second), UsersWithSendAs: entries(third) };
  const { status, body } = await call('reseller', 'PUT', una, model);
  assert.ok(Number(body.Result.ChangeId) > 98000);
  assert.deepEqual([status, body.Messages], [200, ['The permissions were updated.']]);
  const info = await read();
  assert.deepEqual(addresses(info.UsersWithFullAccess), [first, second].sort());
  assert.deepEqual(addresses(info.UsersWithSendAs), [third]);
  const activity = async () => (await call('reseller', 'GET', '/api/customers/10001/activity')).body.Result;
  const told = await activity();
  const [row] = told.Items;
  assert.deepEqual([row.Action, row.Target], ['Mailbox permissions changed', 'user@contoso.test']);
  assert.ok(row.After.startsWith(`Full access: ${first}, ${second}; Send as: ${third}; No permissions: `), row.After);
  await call('reseller', 'PUT', una, model);
  assert.equal((await activity()).Total, told.Total, 'what changes nothing is not told');
});

test('who is named twice, or is no mailbox of the customer, is refused and nothing is changed', async () => {
  const before = await read();
  const [someone = ''] = addresses(before.UsersWithNoPermissions);
  for (const [model, said] of [
    [{ UsersWithFullAccess: entries(someone, someone.toUpperCase()), UsersWithSendAs: [] }, /once only/],
    [{ UsersWithFullAccess: entries('amelia.a.hart@sandpiper.test'), UsersWithSendAs: [] }, /no mailbox amelia/],
    [{ UsersWithFullAccess: entries('user@contoso.test'), UsersWithSendAs: [] }, /no mailbox user@contoso/],
  ] as const) {
    const { status, body } = await call('reseller', 'PUT', una, model);
    assert.equal(status, 400);
    assert.match(body.Messages[0], said);
  }
  assert.deepEqual(await read(), before);
});

test('where no distribution groups exist the info says so, and nothing can be updated', async () => {
  const { Items } = (await call('reseller', 'GET', '/api/customers/10037/users')).body.Result;
  const path = at('10037', Items.find(({ Mailbox }: { Mailbox: string | null }) => Mailbox).Mailbox);
  const info = await read('reseller', path);
  assert.equal(info.NoDistributionGroupsExist, true);
  const { status, body } = await call('reseller', 'PUT', path, { UsersWithFullAccess: [], UsersWithSendAs: [] });
  assert.equal(status, 409);
  assert.match(body.Messages[0], /no distribution groups/);
  assert.deepEqual((await call('reseller', 'GET', '/api/customers/10037/distribution-groups')).body.Result.Items, []);
});

test('5,000 mailboxes are read, given and taken in one call each', async () => {
  const { Items } = (await call('rival', 'GET', '/api/customers/10052/users?search=amelia.a.hart')).body.Result;
  const path = at('10052', Items[0].Mailbox);
  const info = await read('rival', path);
  const all = lists.flatMap(list => info[list]).map(({ EmailAddress }) => ({ EmailAddress, IsSelected: false }));
  assert.ok(all.length >= 5000);
  const reply = await call('rival', 'PUT', path, { UsersWithFullAccess: all, UsersWithSendAs: [] });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  assert.equal((await read('rival', path)).UsersWithFullAccess.length, all.length);
  const [row] = (await call('rival', 'GET', '/api/customers/10052/activity')).body.Result.Items;
  assert.match(row.After, / and 4,\d\d\d more$/);
  assert.equal((await call('rival', 'PUT', path, { UsersWithFullAccess: [], UsersWithSendAs: [] })).status, 200);
  assert.equal((await read('rival', path)).UsersWithNoPermissions.length, all.length);
});
