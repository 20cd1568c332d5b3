import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { type Reply, withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'rival@southridge.test']);

const contoso = '/api/customers/10001/distribution-groups';
const call = (method: string, path: string, body?: object, who = 'reseller') =>
  sandbox.call(tokens[who]!, method, path, body);
const get = async (path: string) => (await call('GET', path)).body.Result;
const refusal = ({ status, body }: Reply) => [status, ...(body.Refusals ?? [])];
const latest = async () => (await get('/api/customers/10001/activity')).Items[0];

/** Adds a group of Contoso; gives its path. */
async function addGroup(Name: string, at = contoso): Promise<string> {
  const Address = `${Name.toLowerCase().replace(/\W+/g, '-')}@contoso.test`;
  const { status, body } = await call('POST', at, { Name, Address });
  assert.equal(status, 201, JSON.stringify(body));
  return `${at}/${body.Result.groupId}`;
}
const membersOf = async (group: string): Promise<string[]> =>
  (await get(`${group}/members?pageSize=100`)).Items.map(({ EmailAddress }: { EmailAddress: string }) => EmailAddress);
const join = (group: string, Addresses: string) => call('POST', `${group}/members`, { Addresses });
const entries = (...named: string[]) => named.map(EmailAddress => ({ EmailAddress }));

test('a group is found by its name or address, and its page says what the list says', async () => {
  const { Items, Total } = await get(`${contoso}?pageSize=10&search=ALL-STAFF`);
  const boxes = await sandbox.db
    .selectFrom('mailboxes as m')
    .innerJoin('customers as c', 'c.id', 'm.customer_id')
    .where('c.organisation_id', '=', 10001)
    .where('m.user_id', 'is not', null)
    .select('m.id')
    .execute();
  const [staff] = notEmpty(Items as Record<string, unknown>[]);
  assert.deepEqual(
    [Total, staff?.Name, staff?.Address, staff?.Members, staff?.Hidden, staff?.Senders, staff?.MemberOf],
    [1, 'All staff', 'all-staff@contoso.test', boxes.length, false, 'Everyone', []],
  );
  assert.deepEqual(await get(`${contoso}/${staff?.GroupId}`), staff);
  assert.equal((await get(`${contoso}/${staff?.GroupId}/members`)).Total, boxes.length);
});

test('a group gets an address of an own domain that nobody has, and a name that no other group has', async () => {
  const add = async (Name: string, Address: string) => refusal(await call('POST', contoso, { Name, Address }));
  assert.deepEqual(await add('all STAFF', 'new@contoso.test'), [400, { Field: 'Name', Code: 'GroupNameTaken' }]);
  const taken = { Field: 'Address', Code: 'AliasTaken', Data: { By: 'Una Marsh' } };
  assert.deepEqual(await add('New', 'Bookings@contoso.test'), [400, taken]);
  for (const [address, code] of [
    ['new@example.org', 'AliasForeign'],
    ['new', 'AliasMalformed'],
    [`${'a'.repeat(65)}@contoso.test`, 'AliasMalformed'],
  ] as const) {
    const [status, { Field, Code }] = await add('New', address);
    assert.deepEqual([status, Field, Code], [400, 'Address', code]);
  }
  assert.equal((await add('  ', 'new@contoso.test'))[0], 400);
  assert.equal((await get(`${contoso}?search=new`)).Items.length, 0, 'nothing is half done');
});

test('a group is renamed, hidden and deleted; its addresses are free then, and its members stay', async () => {
  const group = await addGroup('Spring Fair');
  await join(group, 'user@contoso.test');
  assert.equal((await call('PUT', group, { Name: 'Summer fair', Hidden: true })).status, 200);
  const { Action, Target, Before, After } = await latest();
  assert.deepEqual(
    [Action, Target, Before, After],
    [
      'Distribution group changed',
      'Summer fair',
      'Name: Spring Fair; Hidden from the address book: false',
      'Name: Summer fair; Hidden from the address book: true',
    ],
  );
  const user = (await get('/api/customers/10001/users?search=Una%20Marsh')).Items[0].UserId;
  assert.ok((await get(`/api/customers/10001/users/${user}`)).Groups.includes('Summer fair'));
  assert.deepEqual(refusal(await call('PUT', group, { Name: 'Directors', Hidden: true })), [
    400,
    { Field: 'Name', Code: 'GroupNameTaken' },
  ]);
  assert.equal((await call('DELETE', group)).status, 200);
  assert.ok(!(await get(`/api/customers/10001/users/${user}`)).Groups.includes('Summer fair'));
  await call('DELETE', await addGroup('Spring Fair'));
});

test('many addresses are added at once, aliases too, all or none', async () => {
  const group = await addGroup('Bulk');
  const added = await join(group, 'admin@contoso.test; <Bookings@contoso.test>\nuser@contoso.test');
  assert.deepEqual(added.body.Result, { Added: 2, Already: 0 });
  assert.deepEqual(await membersOf(group), ['admin@contoso.test', 'user@contoso.test']);
  const unknown = await join(group, 'switcher@contoso.test, nobody@contoso.test amelia.a.hart@sandpiper.test');
  const Data = { Addresses: 'nobody@contoso.test, amelia.a.hart@sandpiper.test' };
  assert.deepEqual(refusal(unknown), [400, { Field: 'Addresses', Code: 'GroupMembersUnknown', Data }]);
  assert.equal((await membersOf(group)).length, 2);
  assert.deepEqual(refusal(await join(group, ' ,;\n')), [400, { Field: 'Addresses', Code: 'GroupMembersMissing' }]);
  const again = await join(group, 'USER@contoso.test switcher@contoso.test');
  assert.deepEqual(again.body.Result, { Added: 1, Already: 1 });
  assert.equal((await latest()).After, 'Added: switcher@contoso.test');
  assert.equal((await call('DELETE', `${group}/members/User@contoso.test`)).status, 200);
  const gone = await call('DELETE', `${group}/members/user@contoso.test`);
  assert.deepEqual(refusal(gone), [400, { Field: 'Address', Code: 'GroupMemberGone' }]);
  const { Items, Counts } = await get(`${group}/members?search=ADA&kind=Mailbox`);
  assert.deepEqual([Items.map((row: { Name: string }) => row.Name), Counts.All], [['Ada Whitfield'], 1]);
});

test('a group can be in a group, never in itself, at any depth', async () => {
  const [outer, middle, inner] = [await addGroup('Outer'), await addGroup('Middle'), await addGroup('Inner')] as const;
  assert.equal((await join(outer, 'middle@contoso.test')).status, 200);
  assert.equal((await join(middle, 'inner@contoso.test')).status, 200);
  const itself = await join(inner, 'inner@contoso.test');
  assert.deepEqual(refusal(itself), [400, { Field: 'Addresses', Code: 'GroupInItself', Data: { Group: 'Inner' } }]);
  const ring = { Code: 'GroupCircular', Data: { Group: 'Outer' } };
  assert.deepEqual(refusal(await join(inner, 'user@contoso.test outer@contoso.test')), [
    400,
    { Field: 'Addresses', ...ring },
  ]);
  const lists = await call('PUT', `${inner}/membership`, { Members: entries('outer@contoso.test') });
  assert.deepEqual(refusal(lists), [400, { Field: 'Members', ...ring }]);
  assert.deepEqual(await membersOf(inner), []);
  assert.deepEqual((await get(inner)).MemberOf, ['Middle']);
  assert.equal((await get(outer)).Members, 1);
  await call('DELETE', middle);
  assert.deepEqual([(await get(outer)).Members, (await get(inner)).MemberOf], [0, []]);
});

test('of two groups that are put into each other at once, one is', async () => {
  const [one, other] = [await addGroup('Left hand'), await addGroup('Right hand')] as const;
  const replies = await Promise.all([join(one, 'right-hand@contoso.test'), join(other, 'left-hand@contoso.test')]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400]);
});

test('the members are replaced as two lists say, and an unknown address changes nothing', async () => {
  const group = await addGroup('Lists');
  const path = `${group}/membership`;
  assert.equal((await call('PUT', path, { Members: entries('user@contoso.test', 'inner@contoso.test') })).status, 200);
  const { Members, Others } = await get(path);
  assert.deepEqual(Members, entries('inner@contoso.test', 'user@contoso.test'));
  assert.ok(!Others.some(({ EmailAddress }: { EmailAddress: string }) => EmailAddress === 'lists@contoso.test'));
  const wrong = await call('PUT', path, { Members: entries('nobody@contoso.test') });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.Errors)], [400, ['Members']]);
  await call('PUT', path, { Members: entries('admin@contoso.test') });
  const { Before, After } = await latest();
  assert.deepEqual([Before, After], ['Removed: inner@contoso.test, user@contoso.test', 'Added: admin@contoso.test']);
  assert.equal((await get(`${contoso}/1/membership`)) ?? null, null);
});

test('managers and who may send are people of the organisation; chosen senders stay while others may send', async () => {
  const group = await addGroup('People');
  await call('PUT', `${group}/managers`, { Managers: entries('User@contoso.test') });
  assert.deepEqual((await get(`${group}/managers`)).Managers, [
    { EmailAddress: 'user@contoso.test', Name: 'Una Marsh' },
  ]);
  assert.deepEqual(
    [(await latest()).Before, (await latest()).After],
    ['Managers: None', 'Managers: user@contoso.test'],
  );
  const nobody = await call('PUT', `${group}/senders`, { Senders: 'Chosen', Chosen: [] });
  assert.deepEqual(refusal(nobody), [400, { Field: 'Chosen', Code: 'GroupSendersMissing' }]);
  const foreign = await call('PUT', `${group}/senders`, {
    Senders: 'Chosen',
    Chosen: entries('all-staff@contoso.test'),
  });
  assert.equal(foreign.status, 400);
  await call('PUT', `${group}/senders`, { Senders: 'Chosen', Chosen: entries('admin@contoso.test') });
  assert.deepEqual(
    [(await latest()).Before, (await latest()).After],
    ['Who may send: Everyone; Chosen senders: None', 'Who may send: Chosen people; Chosen senders: admin@contoso.test'],
  );
  await call('PUT', `${group}/senders`, { Senders: 'Organisation' });
  const { Senders, Chosen } = await get(`${group}/senders`);
  assert.deepEqual([Senders, Chosen.length, (await get(group)).Senders], ['Organisation', 1, 'Organisation']);
});

test('a group has further addresses as a mailbox has, by the same calls', async () => {
  await addGroup('Aliased');
  const at = '/api/customers/10001/mailboxes/aliased@contoso.test/aliases';
  assert.equal((await call('POST', at, { Alias: 'team@contoso.test' })).status, 200);
  assert.equal((await call('POST', `${at}/team@contoso.test/make-primary`)).status, 200);
  const [found] = (await get(`${contoso}?search=team@contoso`)).Items;
  assert.deepEqual([found.Name, found.Address], ['Aliased', 'team@contoso.test']);
  assert.deepEqual(
    [(await latest()).Action, (await latest()).Target],
    ['Primary address changed', 'team@contoso.test'],
  );
  assert.equal((await call('DELETE', `${at}/aliased@contoso.test`)).status, 200);
  assert.equal((await call('GET', '/api/customers/10001/mailboxes/team@contoso.test')).status, 404, 'it is no mailbox');
});

test('who may add a group is told, and that DNS is to be shown while a domain receives no mail', async () => {
  const access = async (who: string, customer = '10001') =>
    (await call('GET', `/api/customers/${customer}/distribution-group-access-info`, undefined, who)).body.Result;
  assert.deepEqual(await access('reseller'), { CanAdd: true, DisplayDns: true });
  assert.deepEqual(await access('engineer'), { CanAdd: false, DisplayDns: true });
  assert.deepEqual(await access('reseller', '10002'), { CanAdd: true, DisplayDns: false });
  assert.equal(await access('rival'), undefined);
  await call('POST', '/api/customers/10002/suspend');
  assert.equal((await access('reseller', '10002')).CanAdd, false);
  await call('POST', '/api/customers/10002/reactivate');
  const { CustomerId } = (await call('GET', '/api/customers/10003')).body.Result;
  const names = Array.from({ length: 1000 }, (_, index) => ({ customer_id: CustomerId, name: `Full ${index}` }));
  await sandbox.db.insertInto('distribution_groups').values(names).execute();
  assert.equal((await access('reseller', '10003')).CanAdd, false);
  const full = await call('POST', '/api/customers/10003/distribution-groups', {
    Name: 'One more',
    Address: 'x@y.test',
  });
  assert.deepEqual(refusal(full), [409, { Code: 'GroupsFull', Data: { Most: '1,000' } }]);
});

test('a user who is deleted leaves the groups, and is in them again when restored, as a manager too', async () => {
  const group = await addGroup('Kept');
  const { Items } = await get('/api/customers/10001/users?search=switcher@contoso.test');
  await join(group, 'switcher@contoso.test');
  await call('PUT', `${group}/managers`, { Managers: entries('switcher@contoso.test') });
  await call('DELETE', `/api/customers/10001/users/${Items[0].UserId}`);
  assert.deepEqual([await membersOf(group), (await get(`${group}/managers`)).Managers], [[], []]);
  await call('POST', `/api/customers/10001/deleted-users/${Items[0].UserId}/restore`);
  assert.deepEqual(await membersOf(group), ['switcher@contoso.test']);
  assert.equal((await get(`${group}/managers`)).Managers.length, 1);
});
