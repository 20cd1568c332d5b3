import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);

const contoso = '/api/customers/10001';
const call = (method: string, path: string, body?: object, who = 'reseller', key?: string) =>
  sandbox.call(tokens[who]!, method, `${path.startsWith('/api') ? '' : contoso}${path}`, body, {
    ...(key !== undefined && { 'idempotency-key': key }),
  });
const read = async (path: string) => (await call('GET', path)).body.Result;
const permissions = (mailbox: string) => `/mailboxes/${mailbox}/permissions`;

type Entry = { readonly EmailAddress: string; readonly Name: string; readonly IsGroup: boolean };
const addresses = (entries: readonly Entry[]) => entries.map(({ EmailAddress }) => EmailAddress);
const entries = (...named: string[]) => named.map(EmailAddress => ({ EmailAddress }));
/** Two people of Contoso who may do nothing with the mailbox yet. */
async function strangers(mailbox: string): Promise<[string, string]> {
  const { UsersWithNoPermissions } = await read(permissions(mailbox));
  const [first = '', second = ''] = addresses(UsersWithNoPermissions.filter((one: Entry) => !one.IsGroup));
  return [first, second];
}
const una = 'user@contoso.test';
const give = (body: object, mailbox = una) => call('PUT', permissions(mailbox), body);
let presses = 0;
const undo = (change: string, who = 'reseller') => {
  presses += 1;
  return call('POST', `/mail-permission-changes/${change}/undo`, {}, who, `undo-of-permissions-${presses}`);
};

test('somebody holds several kinds on one mailbox at once, and each is told', async () => {
  const [both, behalf] = await strangers(una);
  const { status, body } = await give({
    UsersWithFullAccess: entries(both),
    UsersWithSendAs: entries(both),
    UsersWithSendOnBehalf: entries(behalf),
  });
  assert.equal(status, 200, JSON.stringify(body));
  const info = await read(permissions(una));
  assert.deepEqual([info.UsersWithFullAccess, info.UsersWithSendAs, info.UsersWithSendOnBehalf].map(addresses), [
    [both],
    [both],
    [behalf],
  ]);
  assert.ok(!addresses(info.UsersWithNoPermissions).includes(both));
  const [event] = (await read('/activity')).Items;
  assert.match(event.After, new RegExp(`Full access: ${both}; Send as: ${both}; Send on behalf: ${behalf}; No permis`));
  // A caller that knows two lists leaves the third alone.
  await give({ UsersWithFullAccess: [], UsersWithSendAs: [] });
  assert.deepEqual(addresses((await read(permissions(una))).UsersWithSendOnBehalf), [behalf]);
});

test('a change is undone as a whole once, within a day, by whoever manages the customer', async () => {
  const before = await read(permissions(una));
  const [first] = await strangers(una);
  const change = async () => (await give({ UsersWithFullAccess: entries(first), UsersWithSendAs: [] })).body.Result;
  const { ChangeId } = await change();
  assert.equal((await undo(ChangeId, 'rival')).status, 404);
  assert.equal((await undo(ChangeId)).status, 200);
  assert.deepEqual(await read(permissions(una)), before);
  assert.deepEqual((await undo(ChangeId)).body.Refusals, [{ Code: 'UndoOver' }]);
  const [event] = (await read('/activity')).Items;
  assert.deepEqual([event.Action, event.Target], ['Mailbox permissions put back', una]);
  const again = await change();
  const made = new Date(Date.now() - 25 * 3_600_000);
  await sandbox.db
    .updateTable('mail_permission_changes')
    .set({ made })
    .where('id', '=', Number(again.ChangeId))
    .execute();
  assert.deepEqual((await undo(again.ChangeId)).body.Refusals, [{ Code: 'UndoOver' }]);
  assert.equal((await undo('1')).status, 404);
});

test('two people at one mailbox: the second is told, and nothing is half done', async () => {
  const { Version } = await read(permissions(una));
  const [first, second] = await strangers(una);
  const body = (who: string) => ({ Version, UsersWithFullAccess: entries(who), UsersWithSendAs: [] });
  assert.equal((await give(body(first))).status, 200);
  const late = await give(body(second));
  assert.deepEqual([late.status, late.body.Refusals], [409, [{ Code: 'PermissionsChanged', Data: { Mailbox: una } }]]);
  assert.deepEqual(addresses((await read(permissions(una))).UsersWithFullAccess), [first]);
});

test('a security group holds permissions, a group that only distributes mail does not, and its members are told', async () => {
  const { UsersWithNoPermissions } = await read(permissions(una));
  const groups = UsersWithNoPermissions.filter(({ IsGroup }: Entry) => IsGroup);
  assert.deepEqual(
    groups.map(({ Name, EmailAddress }: Entry) => [Name, EmailAddress]),
    [
      ['Directors', 'directors@contoso.test'],
      ['Finance', 'finance@contoso.test'],
    ],
  );
  const of = (address: string) =>
    give({ UsersWithFullAccess: entries(address), UsersWithSendAs: [], UsersWithSendOnBehalf: [] });
  assert.deepEqual((await of('All-Staff@contoso.test')).body.Refusals, [
    { Field: 'UsersWithFullAccess', Code: 'PermissionGroup', Data: { Group: 'All staff' } },
  ]);
  assert.equal((await of('finance@contoso.test')).status, 200);
  const { id } = await sandbox.db
    .selectFrom('distribution_groups as g')
    .innerJoin('mail_addresses as a', 'a.group_id', 'g.id')
    .where('a.address', '=', 'finance@contoso.test')
    .select('g.id')
    .executeTakeFirstOrThrow();
  const members = (await read(`/distribution-groups/${id}/membership`)).Members;
  const [member = ''] = addresses(members).filter(address => address !== una);
  const opened = (await read(`/mailboxes/${member}/opened-mailboxes?search=una`)).Items;
  assert.deepEqual(
    opened.map((row: Record<string, unknown>) => [row.EmailAddress, row.Groups, row.FullAccess, row.SendAs]),
    [[una, 'Finance', true, false]],
  );
  const holders = (await read(`/mailboxes/${una}/holders`)).Items;
  assert.deepEqual(
    holders.map((row: Record<string, unknown>) => [row.Name, row.IsGroup]),
    [['Finance', true]],
  );
});

test('both lists have the same pairs: who may use a mailbox, and which mailboxes somebody may use', async () => {
  const { Items: users } = await read('/users?pageSize=100');
  const mailboxes = users.flatMap(({ Mailbox }: { Mailbox: string | null }) => Mailbox ?? []);
  const pairs = async (list: string, pair: (mailbox: string, row: Record<string, unknown>) => unknown[]) => {
    const found = [];
    for (const mailbox of mailboxes)
      for (const row of (await read(`/mailboxes/${mailbox}/${list}?pageSize=1000`)).Items)
        if (!row.IsGroup && !row.Groups)
          found.push([...pair(mailbox, row), row.FullAccess, row.SendAs, row.SendOnBehalf].join(' '));
    return found.sort();
  };
  const forward = await pairs('holders', (mailbox, row) => [row.EmailAddress, mailbox]);
  assert.ok(forward.length > 20, String(forward.length));
  assert.deepEqual(await pairs('opened-mailboxes', (mailbox, row) => [mailbox, row.EmailAddress]), forward);
});

test('the person of a deleted user holds nothing, and holds it again when restored', async () => {
  const [first] = await strangers(una);
  await give({ UsersWithFullAccess: entries(first), UsersWithSendAs: entries(first), UsersWithSendOnBehalf: [] });
  const { Items } = await read(`/users?search=${first.split('@')[0]}`);
  const id = Items.find(({ Mailbox }: { Mailbox: string }) => Mailbox === first).UserId;
  assert.equal((await call('DELETE', `/users/${id}`)).status, 200);
  assert.deepEqual((await read(permissions(una))).UsersWithFullAccess, []);
  const gone = await give({ UsersWithFullAccess: entries(first), UsersWithSendAs: [] });
  assert.match(gone.body.Messages[0], /There is no mailbox .* here any more\./);
  assert.equal((await call('POST', `/deleted-users/${id}/restore`)).status, 200);
  const { UsersWithFullAccess, UsersWithSendAs } = await read(permissions(una));
  assert.deepEqual([addresses(UsersWithFullAccess), addresses(UsersWithSendAs)], [[first], [first]]);
});

test('one of 5,000 may open 1,000 mailboxes, which one call lists', async () => {
  const users = await call('GET', '/api/customers/10052/users?search=amelia.a.hart', undefined, 'rival');
  const [{ UserId, Mailbox }] = users.body.Result.Items;
  await sql`
    insert into mailbox_permissions (mailbox_id, user_id, kind)
    select m.id, u.id, 'SendAs' from users u join mailboxes m on m.customer_id = u.customer_id and m.user_id <> u.id
    where u.id = ${UserId} order by m.id limit 1000 on conflict do nothing`.execute(sandbox.db);
  const path = `/api/customers/10052/mailboxes/${Mailbox}/opened-mailboxes`;
  const { Items, Total } = (await call('GET', `${path}?pageSize=1000`, undefined, 'rival')).body.Result;
  assert.ok(Items.length === 1000 && Total >= 1000, String(Total));
  assert.equal((await call('GET', `${path}?pageSize=1001`, undefined, 'rival')).status, 400);
});
