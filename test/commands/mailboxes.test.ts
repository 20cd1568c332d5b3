import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

const at = { customerId: '10001', mailbox: 'user@contoso.test' };
const address = `/ui/data/mail.permissions?${new URLSearchParams(at)}`;
const update = (body: Readonly<Record<string, unknown>>, client = reseller, given = at) =>
  client.press('mailbox-permissions', 'mailbox-permissions', 'call:mail.updatePermissions', { with: given, body });
const names = (list: readonly { readonly EmailAddress: string }[]) => list.map(({ EmailAddress }) => EmailAddress);

test('lists are sent as lines and reach the cloud as the items of its model', async () => {
  const { Result } = (await reseller.get(address)).body;
  const [first, second, ...others] = names(Result.UsersWithNoPermissions);
  const { body, text } = await update({
    NoDistributionGroupsExist: false,
    UsersWithNoPermissions: [...others, ...names(Result.UsersWithSendAs)].join('\n'),
    UsersWithFullAccess: [first, ...names(Result.UsersWithFullAccess)].join('\n'),
    UsersWithSendAs: String(second),
  });
  assert.equal(body.Succeed, true, text);
  const after = (await reseller.get(address)).body.Result;
  assert.ok(names(after.UsersWithFullAccess).includes(String(first)));
  assert.deepEqual(names(after.UsersWithSendAs), [second]);
});

test('a list that is no text, or of a form whose lists are disabled, is refused before the cloud is asked', async () => {
  const lists = { UsersWithNoPermissions: '', UsersWithFullAccess: '', UsersWithSendAs: '' };
  const array = await update({ ...lists, UsersWithFullAccess: ['a@contoso.test'] });
  assert.deepEqual([array.status, Object.keys(array.body.Errors ?? {})], [422, ['UsersWithFullAccess']]);
  const closed = await update({ ...lists, NoDistributionGroupsExist: true });
  assert.deepEqual(Object.keys(closed.body.Errors ?? {}), Object.keys(lists));
  const open = await update({ ...lists, NoDistributionGroupsExist: false }, reseller, {
    ...at,
    customerId: '10037',
    mailbox: (await reseller.get('/ui/data/users.list?customerId=10037')).body.Result.Items[0].Email,
  });
  assert.equal(open.body.Succeed, false, 'the cloud has the last word');
});

test('an engineer sees the groups without their addresses, and no permissions at all', async () => {
  const engineer = await portal.signIn('engineer@northwind.test');
  const groups = '/ui/data/mail.groups?customerId=10001';
  assert.ok((await reseller.get(groups)).text.includes('all-staff@contoso.test'));
  const seen = await engineer.get(groups);
  assert.ok(seen.text.includes('All staff'));
  assert.ok(!seen.text.includes('@contoso.test'), seen.text);
  assert.equal((await engineer.get(address)).status, 403);
  assert.equal((await engineer.get('/ui/data/mail.members?customerId=10001&groupId=70001')).status, 403);
  const page = JSON.stringify(await engineer.page('/customers/user-details?organisation=10001&user=20002'));
  assert.ok(!/change-permissions|recover-mail|mail\.permissions/.test(page));
});

test('an administrator of a customer changes the own mailboxes alone, whatever customer is named', async () => {
  const admin = await portal.signIn('admin@contoso.test');
  const other = await admin.get(`/ui/data/mail.permissions?${new URLSearchParams({ ...at, customerId: '10030' })}`);
  assert.equal(other.status, 400, other.text);
  const own = await admin.get(`/ui/data/mail.permissions?mailbox=${at.mailbox}`);
  assert.ok(own.body.Result.UsersWithNoPermissions.length > 10, own.text);
});

test('the members of a group are sent as its lists stand', async () => {
  const given = { customerId: '10001', groupId: '' };
  const groups = (await reseller.get('/ui/data/mail.groups?customerId=10001')).body.Result.Items;
  given.groupId = groups.find(({ Name }: { Name: string }) => Name === 'Directors').GroupId;
  const members = async () =>
    (await reseller.get(`/ui/data/mail.membership?${new URLSearchParams(given)}`)).body.Result as Record<
      'Members' | 'Others',
      { readonly EmailAddress: string }[]
    >;
  const before = await members();
  const [joining = '', ...others] = names(before.Others);
  const body = { Others: others.join('\n'), Members: [...names(before.Members), joining].sort().join('\n') };
  const { body: reply, text } = await reseller.press('group-members', 'group-members', 'call:mail.updateMembers', {
    with: given,
    body,
  });
  assert.equal(reply.Succeed, true, text);
  assert.ok(names((await members()).Members).includes(joining));
});
